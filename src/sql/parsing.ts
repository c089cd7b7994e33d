import type { ExpressionContext } from './context.ts';
import type { Caret } from './syntax/caret.ts';
import type { CaretHints } from './syntax/caretHints.ts';
import { computeCaretHints, lexBounded, parseExpression, parseStatement } from './syntax/parser.ts';
import type { LexedText } from './syntax/lexedText.ts';
import type { SqlTree } from './syntax/tree.ts';

/** Parses a text according to its context, as the query of a table or the expression of a column. */
export function parseInContext(text: string, { kind, cache }: ExpressionContext): SqlTree {
  if (cache !== undefined) {
    return cache.getTree(text, getTreeKind(kind));
  }
  return kind === 'table' ? parseStatement(text) : parseExpression(text);
}

export function lexInContext(text: string, { cache }: ExpressionContext): LexedText {
  return cache === undefined ? lexBounded(text) : cache.lex(text);
}

/** Returns the parser's hints at a caret. */
export function getCaretHints(
  position: { readonly lexed: LexedText; readonly caret: Caret },
  { kind, cache }: ExpressionContext,
): CaretHints {
  return cache === undefined
    ? computeCaretHints(position, getTreeKind(kind))
    : cache.getHints(position, getTreeKind(kind));
}

function getTreeKind(kind: ExpressionContext['kind']): SqlTree['kind'] {
  return kind === 'table' ? 'statement' : 'expression';
}
