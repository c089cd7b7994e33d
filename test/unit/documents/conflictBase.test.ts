import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createConflictBase } from '../../../src/documents/conflictBase.ts';
import { mergeLines } from '../../../src/documents/mergeLines.ts';
import { getPropertyRuns } from '../../support/soak.ts';

const comment = '// Conflict';

test.each([
  ['a line that differs', 'a\nmine\nc\n', 'a\ntheirs\nc\n', 'a\n// Conflict\nmine\nc\n'],
  ['a line of the instance only', 'a\nc\n', 'a\nb\nc\n', 'a\n// Conflict\nc\n'],
  ['a line of the project only', 'a\nb\nc\n', 'a\nc\n', 'a\n// Conflict\nb\nc\n'],
  ['several places', 'a\nb\nc\n', 'x\nb\ny\nz\n', '// Conflict\na\nb\n// Conflict\nc\n'],
  ['line endings', 'a\r\nmine\r\n', 'a\ntheirs\n', 'a\r\n// Conflict\r\nmine\r\n'],
  ['no difference', 'a\nb', 'a\nb', 'a\nb'],
])('%s is marked in the text of the project', (_name, ours, theirs, expected) => {
  expect(createConflictBase(ours, theirs, comment)).toBe(expected);
});

test('each difference is a conflict, and the marked text has lost nothing', () => {
  const texts = fc
    .array(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 12 })
    .map((lines) => lines.join('\n'));
  fc.assert(
    fc.property(texts, texts, (ours, theirs) => {
      const base = createConflictBase(ours, theirs, comment);
      const withoutComments = base.split('\n').filter((line) => line !== comment);
      expect(withoutComments.join('\n')).toBe(ours);
      expect(mergeLines(base, ours, theirs)).toBe(ours === theirs ? ours : undefined);
      expect(mergeLines(base, ours, theirs, 'theirs')).toBe(theirs);
    }),
    { numRuns: getPropertyRuns(300) },
  );
});
