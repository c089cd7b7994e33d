import { expect, test } from 'vitest';
import { alignTexts } from '../../../src/sql/rename/alignTexts.ts';
import { lex } from '../../../src/sql/syntax/lexer.ts';

/** Lists the tokens that are matched although they differ, and those of the new text that are not matched. */
function align(before: string, after: string) {
  const mapping = alignTexts(before, after);
  const getText = (text: string, offset: number) =>
    [...lex(text).tokens]
      .filter(({ start }) => start === offset)
      .map(({ start, end }) => text.slice(start, end))[0] ?? '';
  const renamed = [...lex(before).tokens].flatMap(({ start, end }) => {
    const target = mapping.toAfter(start);
    const [old, replaced] = [
      before.slice(start, end),
      target === undefined ? 'none' : getText(after, target),
    ];
    return old === replaced ? [] : [`${old} ${replaced}`];
  });
  const added = [...lex(after).tokens].flatMap(({ start, end }) =>
    mapping.toBefore(start) === undefined ? [after.slice(start, end)] : [],
  );
  return [renamed.join(', '), added.join(' ')];
}

test.each([
  ['SELECT a FROM t', 'SELECT a FROM t', '', ''],
  ['SELECT a FROM t', 'SELECT b FROM t', 'a b', ''],
  ['SELECT a FROM t', 'SELECT [b c] FROM t', 'a [b c]', ''],
  ['SELECT a, b FROM t', 'SELECT b, a FROM t', 'a b, b a', ''],
  ['SELECT a FROM t', 'SELECT t.a FROM t', '', 't .'],
  ['SELECT a FROM t', 'SELECT t.b FROM t', 'a b', 't .'],
  ['SELECT a FROM t', 'SELECT a AS x FROM t', '', 'AS x'],
  ['SELECT a FROM t', 'SELECT b AS a FROM t', 'a b', 'AS a'],
  ['SELECT a FROM t', 'SELECT a, b, c FROM t', '', ', b , c'],
  ['SELECT a, b, c FROM t', 'SELECT c FROM t', 'a none, , none, b none, , none', ''],
  ['SELECT 1 FROM t', 'SELECT 2 FROM t', '1 none', '2'],
  ["SELECT 'a' FROM t", 'SELECT a FROM t', "'a' none", 'a'],
  ['SELECT a', 'SELECT b', 'a b', ''],
  ['a', 'a', '', ''],
  ['', 'a', '', 'a'],
])('the tokens of %s and of %s are matched: %s; new: %s', (before, after, renamed, added) => {
  expect(align(before, after)).toEqual([renamed, added]);
});
