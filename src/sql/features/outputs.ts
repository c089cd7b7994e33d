import type { ExpressionContext } from '../context.ts';
import { parseFor } from '../parsing.ts';
import type { Query, Select } from '../syntax/tree.ts';

/** A column that a query gives. */
export interface Output {
  readonly name: string;
  /** The written alias; absent where the column is called as what it selects. */
  readonly alias?: { readonly start: number; readonly end: number };
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
      return [{ name: alias.text, alias: { start: alias.start, end: alias.end }, end: alias.end }];
    }
    const name = expr.kind === 'column' ? expr.path.at(-1) : undefined;
    return name === undefined || name.missing ? [] : [{ name: name.text, end: expr.end }];
  });
}

function firstSelect(query: Query): Select | undefined {
  let { body } = query;
  while (body !== undefined && body.kind !== 'select') {
    if (body.kind === 'values') {
      return undefined;
    }
    body = body.kind === 'set' ? body.left : body.body;
  }
  return body;
}
