import { findNamedExtent, getTrimmedExtent } from '../features/engineErrors.ts';
import type { JsonDocument } from '../../json/text/parseJson.ts';
import type { Extent } from '../syntax/tree.ts';
import type { JsonString } from './jsonString.ts';
import { findEmbeddedExpressions, findNameExtent } from './tableJson.ts';

/**
 * Finds the range of an error of the SQL engine in the document of a table: the name from the message, in the first
 * expression that contains it; otherwise the table's expression; otherwise the table's name.
 */
export function findFailureExtent(document: JsonDocument, message: string): Extent | undefined {
  const expressions = findEmbeddedExpressions(document, 'table');
  for (const { literal } of expressions) {
    const named = findNamedExtent(literal.text, message);
    if (named !== undefined) {
      return toOuterExtent(literal, named);
    }
  }
  const own = expressions.find(({ kind }) => kind === 'table')?.literal;
  return own === undefined ? findNameExtent(document) : toOuterExtent(own, getTrimmedExtent(own.text));
}

const toOuterExtent = (literal: JsonString, { start, end }: Extent): Extent => ({
  start: literal.toOuter(start),
  end: literal.toOuter(end),
});
