import { expect, test } from 'vitest';
import { columnSpan } from '../../../src/documents/columnSpan.ts';
import { parseJson } from '../../../src/json/text/parseJson.ts';

const text = '{"name":"T","columns":[{"oid":"a"},{"oid":"b","name":"B"}]}';

test('a column is found by its oid, as a whole', () => {
  const span = columnSpan(parseJson(text), 'b');
  expect(text.slice(span?.start, span?.end)).toBe('{"oid":"b","name":"B"}');
});

test.each([
  [text, 'c'],
  ['{"columns":', 'a'],
  ['{"columns":null}', 'a'],
  ['{}', 'a'],
])('where there is none, none is found: %s', (table, oid) => {
  expect(columnSpan(parseJson(table), oid)).toBeUndefined();
});
