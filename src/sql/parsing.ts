import type { ExpressionContext } from './context.ts';
import type { Caret } from './syntax/caret.ts';
import type { CaretHints } from './syntax/hints.ts';
import { computeCaretHints, lexBounded, parseExpression, parseStatement } from './syntax/parser.ts';
import type { Lexed } from './syntax/tokens.ts';
import type { SqlTree } from './syntax/tree.ts';

/** Parses a text according to its context, as the query of a table or the expression of a column. */
export function parseInContext(text: string, { kind, memory }: ExpressionContext): SqlTree {
  if (memory !== undefined) {
    return memory.getTree(text, getTreeKind(kind));
  }
  return kind === 'table' ? parseStatement(text) : parseExpression(text);
}

export function lexInContext(text: string, { memory }: ExpressionContext): Lexed {
  return memory === undefined ? lexBounded(text) : memory.lex(text);
}

/** Returns the parser's hints at a caret. */
export function getCaretHints(
  place: { readonly lexed: Lexed; readonly caret: Caret },
  { kind, memory }: ExpressionContext,
): CaretHints {
  return memory === undefined
    ? computeCaretHints(place, getTreeKind(kind))
    : memory.getHints(place, getTreeKind(kind));
}

function getTreeKind(kind: ExpressionContext['kind']): SqlTree['kind'] {
  return kind === 'table' ? 'statement' : 'expression';
}
