import type { ExpressionContext } from '../context.ts';
import { parseFor } from '../parsing.ts';
import { keyOf } from '../scope/symbols.ts';
import type { Extent, Query, Select } from '../syntax/tree.ts';

/** A column that a query gives. */
export interface Output {
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
export function outputsOf(text: string, context: ExpressionContext): readonly Output[] {
  const tree = parseFor(text, context);
  const query = tree.kind === 'statement' ? tree.queries[0] : undefined;
  const select = query && firstSelect(query);
  return (select?.items ?? []).flatMap(({ expr, alias }): readonly Output[] => {
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

/** Where the query of a custom table names one of its columns; `undefined` for a column that comes from a `*`. */
export function outputExtent(text: string, column: string, context: ExpressionContext): Extent | undefined {
  return outputsOf(text, context).find(({ name }) => keyOf(name) === keyOf(column))?.written;
}

/** The select that names the columns of a query: the first of several arms. */
export function firstSelect(query: Query): Select | undefined {
  let { body } = query;
  while (body !== undefined && body.kind !== 'select') {
    if (body.kind === 'values') {
      return undefined;
    }
    body = body.kind === 'set' ? body.left : body.body;
  }
  return body;
}
