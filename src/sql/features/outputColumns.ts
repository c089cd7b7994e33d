import type { ExpressionContext } from '../context.ts';
import { parseInContext } from '../parsing.ts';
import { toNameKey } from '../scope/symbols.ts';
import { parseStatement } from '../syntax/parser.ts';
import type { TextRange, SqlQuery, SelectQuery } from '../syntax/tree.ts';

/** An output column of a query. */
export interface OutputColumn {
  readonly name: string;
  /** The range of the alias; absent if the column has no alias. */
  readonly alias?: { readonly start: number; readonly end: number };
  /** The range of the name in the text: the alias, or else the selected column. */
  readonly nameRange: TextRange;
  /** The end of the select item, where an alias can be added. */
  readonly end: number;
}

/**
 * Returns the named output columns of a custom table's query, in text order. Columns of a star and expressions without
 * an alias are omitted. In a UNION, only the first select determines the names.
 */
export function getOutputColumns(text: string, context: ExpressionContext): readonly OutputColumn[] {
  const tree = parseInContext(text, context);
  const query = tree.kind === 'statement' ? tree.queries[0] : undefined;
  const select = query && getFirstSelect(query);
  return (select?.items ?? []).flatMap(({ expr, alias }): readonly OutputColumn[] => {
    if (alias !== undefined) {
      const nameRange = { start: alias.start, end: alias.end };
      return [{ name: alias.text, alias: nameRange, nameRange, end: alias.end }];
    }
    const name = expr.kind === 'column' ? expr.path.at(-1) : undefined;
    if (name === undefined || name.missing) {
      return [];
    }
    return [{ name: name.text, nameRange: { start: name.start, end: name.end }, end: expr.end }];
  });
}

/** A set of names that ignores case, as SQL does. */
export interface NameSet {
  has(name: string): boolean;
}

/**
 * Returns the names of all output columns of a query; `undefined` if the text does not determine all of them, because
 * it has a `*`, an expression without an alias, or a syntax error.
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

/** Finds the name of an output column in the query of a custom table; `undefined` for a column of a `*`. */
export function findOutputNameRange(
  text: string,
  column: string,
  context: ExpressionContext,
): TextRange | undefined {
  return getOutputColumns(text, context).find(({ name }) => toNameKey(name) === toNameKey(column))?.nameRange;
}

/** Returns the select that determines the column names of a query: the first operand of a UNION. */
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
