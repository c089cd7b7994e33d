import { expect, test } from 'vitest';
import { columnSpan } from '../../../src/documents/columnSpan.ts';

const text = '{"name":"T","columns":[{"oid":"a"},{"oid":"b","name":"B"}]}';

test('a column is found by its oid, as a whole', () => {
  const span = columnSpan(text, 'b');
  expect(text.slice(span?.offset, (span?.offset ?? 0) + (span?.length ?? 0))).toBe('{"oid":"b","name":"B"}');
});

test.each([
  [text, 'c'],
  ['{"columns":', 'a'],
  ['{"columns":null}', 'a'],
  ['{}', 'a'],
])('where there is none, none is found: %s', (table, oid) => {
  expect(columnSpan(table, oid)).toBeUndefined();
});
