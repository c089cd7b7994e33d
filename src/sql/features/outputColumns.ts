import type { ExpressionContext } from '../context.ts';
import { parseInContext } from '../parsing.ts';
import { toNameKey } from '../scope/symbols.ts';
import { parseStatement } from '../syntax/parser.ts';
import type { Extent, SqlQuery, SelectQuery } from '../syntax/tree.ts';

/** A column that a query gives. */
export interface OutputColumn {
  readonly name: string;
  /** The written alias; absent where the column is called as what it selects. */
  readonly alias?: { readonly start: number; readonly end: number };
  /** The name in the text: the alias, or the column that is selected. */
  readonly written: Extent;
  /** Where an alias could stand. */
  readonly end: number;
}

/**
 * The columns that a custom table's query names, in its own order; those that a star or an expression without alias
 * gives have no name here. Those of the first select count: the others of a UNION add rows, not names.
 */
export function getOutputColumns(text: string, context: ExpressionContext): readonly OutputColumn[] {
  const tree = parseInContext(text, context);
  const query = tree.kind === 'statement' ? tree.queries[0] : undefined;
  const select = query && getFirstSelect(query);
  return (select?.items ?? []).flatMap(({ expr, alias }): readonly OutputColumn[] => {
    if (alias !== undefined) {
      const written = { start: alias.start, end: alias.end };
      return [{ name: alias.text, alias: written, written, end: alias.end }];
    }
    const name = expr.kind === 'column' ? expr.path.at(-1) : undefined;
    if (name === undefined || name.missing) {
      return [];
    }
    return [{ name: name.text, written: { start: name.start, end: name.end }, end: expr.end }];
  });
}

/** Names that are compared as SQL compares them. */
export interface NameSet {
  has(name: string): boolean;
}

/**
 * The names of all columns that a query gives; `undefined` where the text does not tell all of them: it has a `*`, an
 * expression without alias, or cannot be read.
 */
export function getQueryOutputNames(text: string): NameSet | undefined {
  const { queries, syntaxErrors } = parseStatement(text);
  const items = queries[0] === undefined ? undefined : getFirstSelect(queries[0])?.items;
  if (syntaxErrors.length > 0 || queries.length !== 1 || items === undefined) {
    return undefined;
  }
  const outputs = getOutputColumns(text, { kind: 'table', catalog: { complete: false, tables: [] } });
  const names = new Set(outputs.map(({ name }) => toNameKey(name)));
  return outputs.length < items.length ? undefined : { has: (name) => names.has(toNameKey(name)) };
}

/** Where the query of a custom table names one of its columns; `undefined` for a column that comes from a `*`. */
export function findOutputExtent(
  text: string,
  column: string,
  context: ExpressionContext,
): Extent | undefined {
  return getOutputColumns(text, context).find(({ name }) => toNameKey(name) === toNameKey(column))?.written;
}

/** The select that names the columns of a query: the first of several arms. */
export function getFirstSelect(query: SqlQuery): SelectQuery | undefined {
  let { body } = query;
  while (body !== undefined && body.kind !== 'select') {
    if (body.kind === 'values') {
      return undefined;
    }
    body = body.kind === 'set' ? body.left : body.body;
  }
  return body;
}
