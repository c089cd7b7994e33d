import type { ExpressionContext } from './context.ts';
import type { Caret } from './syntax/caret.ts';
import type { CaretHints } from './syntax/hints.ts';
import { hintsAt, lexBounded, parseExpression, parseStatement } from './syntax/parser.ts';
import type { Lexed } from './syntax/tokens.ts';
import type { SqlTree } from './syntax/tree.ts';

/** Parses a text as what its context says it is: the query of a table or the expression of a column. */
export function parseFor(text: string, { kind, memory }: ExpressionContext): SqlTree {
  if (memory !== undefined) {
    return memory.tree(text, treeKind(kind));
  }
  return kind === 'table' ? parseStatement(text) : parseExpression(text);
}

/** Cuts a text into tokens. */
export function lexFor(text: string, { memory }: ExpressionContext): Lexed {
  return memory === undefined ? lexBounded(text) : memory.lexed(text);
}

/** What the grammar wants at a caret. */
export function hintsFor(
  place: { readonly lexed: Lexed; readonly caret: Caret },
  { kind, memory }: ExpressionContext,
): CaretHints {
  return memory === undefined ? hintsAt(place, treeKind(kind)) : memory.hintsAt(place, treeKind(kind));
}

function treeKind(kind: ExpressionContext['kind']): SqlTree['kind'] {
  return kind === 'table' ? 'statement' : 'expression';
}
