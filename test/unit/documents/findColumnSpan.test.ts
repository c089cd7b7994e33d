import { expect, test } from 'vitest';
import { findColumnSpan } from '../../../src/documents/findColumnSpan.ts';
import { parseJson } from '../../../src/json/text/parseJson.ts';

const text = '{"name":"T","columns":[{"oid":"a"},{"oid":"b","name":"B"}]}';

test('a column is found by its oid, as a whole', () => {
  const span = findColumnSpan(parseJson(text), 'b');
  expect(text.slice(span?.start, span?.end)).toBe('{"oid":"b","name":"B"}');
});

test.each([
  [text, 'c'],
  ['{"columns":', 'a'],
  ['{"columns":null}', 'a'],
  ['{}', 'a'],
])('a missing column is not found: %s', (table, oid) => {
  expect(findColumnSpan(parseJson(table), oid)).toBeUndefined();
});
