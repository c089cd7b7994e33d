import { expect, test } from 'vitest';
import { parseColumns, findColumnType } from '../../../../src/changes/operations/columnsInput.ts';
import { columnTypes } from '../../../../src/contract/terms.ts';

test('columns are listed with their types, including names with blanks', () => {
  expect(parseColumns('Order Id integer, Name text;Total DOUBLE\nDay date')).toEqual([
    { name: 'Order Id', type: 8 },
    { name: 'Name', type: 18 },
    { name: 'Total', type: 40 },
    { name: 'Day', type: 31 },
  ]);
});

test('empty input and stray commas give no column', () => {
  expect(parseColumns('')).toEqual([]);
  expect(parseColumns(' , ;\n')).toEqual([]);
});

test.each([
  ['Order Id', { code: 'unknown-type', entry: 'Order Id' }],
  ['Total', { code: 'no-type', entry: 'Total' }],
  ['integer', { code: 'no-name', entry: 'integer' }],
  // Every object has a member `constructor`, which must not be taken for a type.
  ['Id constructor', { code: 'unknown-type', entry: 'Id constructor' }],
  ['A text, a integer', { code: 'duplicate', entry: 'a' }],
])('%j is reported as invalid', (text, problem) => {
  expect(parseColumns(text)).toEqual(problem);
});

test('every type name without a space is found', () => {
  for (const { name, code } of columnTypes.filter(({ name }) => !name.includes(' '))) {
    expect(findColumnType(name)?.code).toBe(code);
  }
});
