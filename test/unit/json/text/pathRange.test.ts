import { expect, test } from 'vitest';
import { parseJsonTree } from '../../../../src/json/text/parseJsonTree.ts';
import { getPathRange } from '../../../../src/json/text/pathRange.ts';

test('the range of a path is that of its value, or of the nearest existing ancestor', () => {
  const text = '{"a": [1, {"b": 22}]}';
  const getRangeText = (source: string, path: readonly (string | number)[]): string => {
    const { start, end } = getPathRange(parseJsonTree(source), path);
    return source.slice(start, end);
  };
  expect(getRangeText(text, ['a', 1, 'b'])).toBe('22');
  expect(getRangeText(text, ['a', 1, 'c'])).toBe('{"b": 22}');
  expect(getRangeText(text, [])).toBe(text);
  expect(getPathRange(parseJsonTree(''), ['a'])).toEqual({ start: 0, end: 0 });
});
