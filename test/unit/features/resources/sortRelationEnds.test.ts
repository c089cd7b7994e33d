import { expect, test } from 'vitest';
import { sortColumnsByFit, sortTablesByFit } from '../../../../src/features/resources/sortRelationEnds.ts';

const column = (columnName: string, typeGroup?: string) => ({ columnName, typeGroup });
const joined = [column('Store Id', 'number')];

test('columns of the same name come first, then those of the same type', () => {
  const columns = [
    column('City', 'text'),
    column('Area', 'number'),
    column('STORE ID', 'text'),
    column('Store Id', 'number'),
  ];
  expect(sortColumnsByFit(columns, joined).map(({ columnName }) => columnName)).toEqual([
    'Store Id',
    'STORE ID',
    'Area',
    'City',
  ]);
  expect(sortColumnsByFit(columns, [])).toEqual(columns);
});

test('an unknown type does not match any type, not even another unknown one', () => {
  expect(
    sortColumnsByFit([column('A'), column('B', 'text')], [column('C')]).map(({ columnName }) => columnName),
  ).toEqual(['A', 'B']);
});

test('tables with a column of the same name come first, the others in their order', () => {
  const tables = [
    { name: 'Products', columns: [column('Price', 'number')] },
    { name: 'Cities', columns: [column('City', 'text')] },
    { name: 'Stores', columns: [column('City', 'text'), column('store id', 'text')] },
  ];
  expect(sortTablesByFit(tables, joined).map(({ name }) => name)).toEqual(['Stores', 'Products', 'Cities']);
});
