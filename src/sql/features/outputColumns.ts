import type { ExpressionContext } from '../context.ts';
import { parseInContext } from '../parsing.ts';
import { toNameKey } from '../scope/symbols.ts';
import { parseStatement } from '../syntax/parser.ts';
import type { Extent, SqlQuery, SelectQuery } from '../syntax/tree.ts';

/** A column that a query returns. */
export interface OutputColumn {
  readonly name: string;
  /** The written alias; absent if the column has the name of the column that it selects. */
  readonly alias?: { readonly start: number; readonly end: number };
  /** The name in the text: the alias, or the selected column. */
  readonly written: Extent;
  /** The position where an alias could be added. */
  readonly end: number;
}

/**
 * Returns the columns that a custom table's query names, in its own order; columns of a star or of an expression
 * without alias have no name here. Only the first select counts: the others of a UNION add rows, not names.
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

/** Names that are compared by SQL's rules. */
export interface NameSet {
  has(name: string): boolean;
}

/**
 * Returns the names of all columns of a query; `undefined` if the text does not determine all of them: it has a `*`, an
 * expression without alias, or cannot be parsed.
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

/** Returns the place where the query of a custom table names one of its columns; `undefined` for a column of a `*`. */
export function findOutputExtent(
  text: string,
  column: string,
  context: ExpressionContext,
): Extent | undefined {
  return getOutputColumns(text, context).find(({ name }) => toNameKey(name) === toNameKey(column))?.written;
}

/** Returns the select that names the columns of a query: the first of several arms. */
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
