import { expect, test } from 'vitest';
import { findLineStart } from '../../../src/base/findLineStart.ts';

test('a line starts after a line feed or a carriage return', () => {
  const text = 'ab\r\ncd\ne\r\rf';
  const starts = Array.from({ length: text.length + 1 }, (_item, offset) => findLineStart(text, offset));
  expect(starts).toEqual([0, 0, 0, 3, 4, 4, 4, 7, 7, 9, 10, 10]);
});
