import { expect, test } from 'vitest';
import { getCaretPosition } from '../../../src/sql/completion/caretPosition.ts';
import { lex } from '../../../src/sql/syntax/lexer.ts';

/**
 * Each text with what a proposal would do at each of its offsets: `.` inserts, `w` replaces a word, `q` replaces a quoted
 * name, and at `x` there is none. Then what it would replace, `text<prefix>`, and the index of the token there; `@` if it
 * would insert.
 */
test.each([
  [
    "a 'b' [c d] 1.5 e",
    '.w.xx..qqqq..xxx.w',
    '@0 a<a>0 @1 @ @2 [c d]<>2 [c d]<c>2 [c d]<c >2 [c d]<c d>2 @3 @4 e<e>4',
  ],
  ['a /* b */ c -- d', '.w.xxxxxx..w.xxxx', '@0 a<a>0 @1 @ c<c>1 @2'],
  ['a -- b\nc', '.w.xxxx.w', '@0 a<a>0 @1 @ c<c>1'],
  ['a /* b', '.w.xxxx', '@0 a<a>0 @1 @'],
  ["a 'b ", '.w.xxx', '@0 a<a>0 @1 @'],
  ["a 'b \n c", '.w.xxx..w', '@0 a<a>0 @1 @ @2 c<c>2'],
  ["a 'b c FROM d", '.w.xxxxxwwww.w', '@0 a<a>0 @1 @ FROM<F>2 FROM<FR>2 FROM<FRO>2 FROM<FROM>2 @3 d<d>3'],
  ['a "b ', '.w.qqq', '@0 a<a>0 @1 "<>1 "b<b>1 "b <b >1'],
  ['a "b \n c', '.w.qqq..w', '@0 a<a>0 @1 "<>1 "b<b>1 "b <b >1 @2 c<c>2'],
  ['a.b = `c`, [d', '.w.w...qq...qq', '@0 a<a>0 @2 b<b>2 @3 @4 `c`<>4 `c`<c>4 @5 @6 [<>6 [d<d>6'],
  [
    '[a] [b c FROM d',
    '.qq..qqqqqwwww.w',
    '@0 [a]<>0 [a]<a>0 @1 [<>1 [b<b>1 [b <b >1 [b c<b c>1 [b c <b c >1 FROM<F>2 FROM<FR>2 FROM<FRO>2 FROM<FROM>2 @3 d<d>3',
  ],
  ["''", '.x.', '@0 @ @1'],
  ['[]', '.q.', '@0 []<>0 @1'],
  ['(a)', '..w.', '@0 @1 a<a>1 @3'],
  ['', '.', '@0'],
  [' ', '..', '@0'],
  ['a', '.w', '@0 a<a>0'],
  ['1', '.x', '@0 @'],
  ['a.', '.w.', '@0 a<a>0 @2'],
  ["'a' 'b", '.xx..xx', '@0 @ @1'],
  ['-- a\n', '.xxxx.', '@0 @'],
  ['/**/', '.xxx.', '@0 @'],
  ['a/**/b', '.wxxx.w', '@0 a<a>0 @ @1 b<b>1'],
  ['[a\n b', '.qq..w', '@0 [<>0 [a<a>0 @1 b<b>1'],
] as const)('at each offset of %j, a proposal replaces what is typed there', (text, kinds, replacements) => {
  const lexed = lex(text);
  const positions = Array.from({ length: text.length + 1 }, (_, offset) => getCaretPosition(lexed, offset));
  const foundKinds = positions.map((position) => {
    if (position === undefined) {
      return 'x';
    }
    return position.caret.hasIncompleteWord ? (position.quote === '' ? 'w' : 'q') : '.';
  });
  const foundReplacements = positions.map((position) =>
    position?.caret.hasIncompleteWord === true
      ? `${text.slice(position.start, position.end)}<${position.prefix}>${position.caret.index}`
      : `@${position?.caret.index ?? ''}`,
  );
  expect(foundKinds.join('')).toBe(kinds);
  expect([...new Set(foundReplacements)].join(' ')).toBe(replacements);
});
