import { containsReportedName, findReportedRange, getTrimmedRange } from '../features/engineErrors.ts';
import type { JsonDocument } from '../../json/text/parseJsonTree.ts';
import type { TextRange } from '../syntax/tree.ts';
import type { JsonString } from './jsonString.ts';
import { findEmbeddedExpressions, findDocumentNameRange } from './tableJson.ts';

/**
 * Finds the expression of a table that an error of the SQL engine refers to: the first that contains the name in the
 * message, or else the query of the table, if it is a custom one.
 */
export const findFailedExpression = <Expression extends { readonly text: string; readonly isQuery: boolean }>(
  expressions: readonly Expression[],
  message: string,
): Expression | undefined =>
  expressions.find(({ text }) => containsReportedName(text, message)) ??
  expressions.find(({ isQuery }) => isQuery);

/** A range that an error of the SQL engine refers to. */
export interface FailureRange extends TextRange {
  /** Whether the range is that of the token that the message refers to. */
  readonly isToken: boolean;
}

/**
 * Finds the range of an error of the SQL engine in the document of a table: the token that the message refers to, or
 * else the expression that contains the error, or else the table's name.
 */
export function findFailureRange(document: JsonDocument, message: string): FailureRange | undefined {
  const expressions = findEmbeddedExpressions(document, 'table').map(({ kind, literal }) => ({
    literal,
    text: literal.text,
    isQuery: kind === 'table',
  }));
  const expression = findFailedExpression(expressions, message);
  if (expression === undefined) {
    const nameRange = findDocumentNameRange(document);
    return nameRange && { ...nameRange, isToken: false };
  }
  const tokenRange = findReportedRange(expression.text, message);
  const range = toDocumentRange(expression.literal, tokenRange ?? getTrimmedRange(expression.text));
  return { ...range, isToken: tokenRange !== undefined };
}

const toDocumentRange = (literal: JsonString, { start, end }: TextRange): TextRange => ({
  start: literal.toDocumentOffset(start),
  end: literal.toDocumentOffset(end),
});
