import { describe, expect, test } from 'vitest';
import { findEngineErrorRange, findNameRange, findReportedRange } from '../../../src/sql/language.ts';

const text = 'SELECT o.Qty,\r\n  o.Revenu + Qty\nFROM Orders o';

const getMarked = (message: string): readonly [start: number, text: string] | undefined => {
  const range = findReportedRange(text, message);
  return range && [range.start, text.slice(range.start, range.end)];
};

describe('the token that the message of an engine refers to', () => {
  test.each([
    ['no such column: o.Revenu', [19, 'Revenu']],
    ['near "FROM": syntax error', [32, 'FROM']],
    ['no such column: Qty', [9, 'Qty']],
    // With several tokens of the name, the position decides.
    ['no such column: Qty, line 2, column 14', [28, 'Qty']],
    ['no such column: Qty (at position 29)', [28, 'Qty']],
    ['no such column: Qty at offset 28', [28, 'Qty']],
    // The position is that of a translated SQL text.
    ['no such column: Revenu at line 1 column 1', [19, 'Revenu']],
    ['no such column: Revenu, line 7, column 1', [19, 'Revenu']],
    // Without a name, the position alone decides.
    ['Line 2:14 mismatched input', [28, 'Qty']],
    ['syntax error at character 33', [32, 'FROM']],
  ])('%s', (message, expected) => expect(getMarked(message)).toEqual(expected));

  test.each([
    [1, [0, 'ab']],
    [2, [0, 'ab']],
    [3, [2, '+']],
    [4, [3, 'c']],
  ])('a position between tokens without a space is that of the second one: %i', (position, expected) => {
    const range = findReportedRange('ab+c', `syntax error at position ${position}`);
    expect(range && [range.start, 'ab+c'.slice(range.start, range.end)]).toEqual(expected);
    const lines = '-- 1\r\nab+c';
    const inLine = findReportedRange(lines, `syntax error at line 2, column ${position}`);
    expect(inLine && [inLine.start - 6, lines.slice(inLine.start, inLine.end)]).toEqual(expected);
  });

  test.each(['no space left', 'syntax error at position 900', 'row 2, column Qty: "x" isn\'t a number', ''])(
    '"%s" refers to no token, so the whole text is marked',
    (message) => {
      expect(getMarked(message)).toBeUndefined();
      expect(findEngineErrorRange(` ${text} `, message)).toEqual({ start: 1, end: text.length + 1 });
    },
  );
});

test.each([
  ['SELECT * FROM [A: B] x', 'A: B', '[A: B]'],
  ['SELECT * FROM [line 1 2]', 'Line 1 2', '[line 1 2]'],
  ['  SELECT 1 ', 'Orders', 'SELECT 1'],
])('the range of a name in %j', (sql, name, found) => {
  const { start, end } = findNameRange(sql, name);
  expect(sql.slice(start, end)).toBe(found);
});
