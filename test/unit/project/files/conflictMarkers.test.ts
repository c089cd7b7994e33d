import { expect, test } from 'vitest';
import { findConflictMarker } from '../../../../src/project/files/conflictMarkers.ts';

test.each([
  ['<<<<<<< HEAD\n1\n', 0],
  ['\uFEFF<<<<<<< HEAD\n1\n', 0],
  ['1\r\n<<<<<<<\r\n', 3],
  ['1\r\n<<<<<<<', 3],
  // The conflict was resolved by hand, but one marker remains.
  ['1\n>>>>>>> feature/a\n', 2],
  ['1\n||||||| 1a2b3c4\n2', 2],
  ['1\n-- <<<<<<< Conflict: accept one\n2', 2],
  ['{\n// <<<<<<< Conflict: accept one\n}', 2],
])('%j has a marker', (text, offset) => {
  expect(findConflictMarker(text)).toBe(offset);
});

test.each([
  '',
  '1\n',
  'CASE WHEN [a] < 1 THEN 2 END',
  "-- Heading\n'<<<<<<< HEAD'",
  '/*\nHeading\n=======\n*/ 1',
  '<<<<<<<<<<<<<<\n',
  '>>>>>>>>\n',
  '<<<<<<<a',
  '-- <<<<<<<<<< new',
  '{ "name": "\\n<<<<<<< HEAD" }',
])('%j has none', (text) => {
  expect(findConflictMarker(text)).toBeUndefined();
});
