import { findReportedNameRange, getTrimmedRange } from '../features/engineErrors.ts';
import type { JsonDocument } from '../../json/text/parseJson.ts';
import type { TextRange } from '../syntax/tree.ts';
import type { JsonString } from './jsonString.ts';
import { findEmbeddedExpressions, findNameRange } from './tableJson.ts';

/**
 * Finds the range of an error of the SQL engine in the document of a table: the name from the message, in the first
 * expression that contains it; otherwise the table's expression; otherwise the table's name.
 */
export function findFailureRange(document: JsonDocument, message: string): TextRange | undefined {
  const expressions = findEmbeddedExpressions(document, 'table');
  for (const { literal } of expressions) {
    const nameRange = findReportedNameRange(literal.text, message);
    if (nameRange !== undefined) {
      return toDocumentRange(literal, nameRange);
    }
  }
  const tableLiteral = expressions.find(({ kind }) => kind === 'table')?.literal;
  return tableLiteral === undefined
    ? findNameRange(document)
    : toDocumentRange(tableLiteral, getTrimmedRange(tableLiteral.text));
}

const toDocumentRange = (literal: JsonString, { start, end }: TextRange): TextRange => ({
  start: literal.toDocumentOffset(start),
  end: literal.toDocumentOffset(end),
});
