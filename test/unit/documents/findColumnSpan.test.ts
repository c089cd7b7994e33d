import { expect, test } from 'vitest';
import { findColumnSpan } from '../../../src/documents/findColumnSpan.ts';
import { parseJsonTree } from '../../../src/json/text/parseJsonTree.ts';

const text = '{"name":"T","columns":[{"oid":"a"},{"oid":"b","name":"B"}]}';

test('a column is found by its oid, as a whole', () => {
  const span = findColumnSpan(parseJsonTree(text), 'b');
  expect(text.slice(span?.start, span?.end)).toBe('{"oid":"b","name":"B"}');
});

test.each([
  [text, 'c'],
  ['{"columns":', 'a'],
  ['{"columns":null}', 'a'],
  ['{}', 'a'],
])('a missing column is not found: %s', (table, oid) => {
  expect(findColumnSpan(parseJsonTree(table), oid)).toBeUndefined();
});
