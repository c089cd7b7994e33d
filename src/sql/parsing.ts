import type { ExpressionContext } from './context.ts';
import { parseExpression, parseStatement } from './syntax/parser.ts';
import type { SqlTree } from './syntax/tree.ts';

/** Parses a text as what its context says it is: the query of a table or the expression of a column. */
export function parseFor(text: string, context: ExpressionContext): SqlTree {
  return context.kind === 'table' ? parseStatement(text) : parseExpression(text);
}
