import { expect, test } from 'vitest';
import { applyEdits, sortAndMergeEdits } from '../../../src/base/textEdit.ts';

const replacement = { start: 1, end: 3, newText: 'B' };
const insertion = { start: 1, end: 1, newText: '+' };

test('an insertion where a replacement begins comes before it, whichever edit is first', () => {
  expect(applyEdits('abcd', [insertion, replacement])).toBe('a+Bd');
  expect(applyEdits('abcd', [replacement, insertion])).toBe('a+Bd');
  expect(sortAndMergeEdits([replacement, insertion])).toEqual([{ start: 1, end: 3, newText: '+B' }]);
});
