import { expect, test } from 'vitest';
import { sortColumnsByFit, sortTablesByFit } from '../../../../src/features/resources/sortRelationEnds.ts';

const createColumn = (columnName: string, typeGroup?: string) => ({ columnName, typeGroup });
const joinedColumns = [createColumn('Store Id', 'number')];

test('columns of the same name come first, then those of the same type', () => {
  const columns = [
    createColumn('City', 'text'),
    createColumn('Area', 'number'),
    createColumn('STORE ID', 'text'),
    createColumn('Store Id', 'number'),
  ];
  expect(sortColumnsByFit(columns, joinedColumns).map(({ columnName }) => columnName)).toEqual([
    'Store Id',
    'STORE ID',
    'Area',
    'City',
  ]);
  expect(sortColumnsByFit(columns, [])).toEqual(columns);
});

test('an unknown type does not match any type, not even another unknown one', () => {
  expect(
    sortColumnsByFit([createColumn('A'), createColumn('B', 'text')], [createColumn('C')]).map(
      ({ columnName }) => columnName,
    ),
  ).toEqual(['A', 'B']);
});

test('tables with a column of the same name come first, the others in their order', () => {
  const tables = [
    { name: 'Products', columns: [createColumn('Price', 'number')] },
    { name: 'Cities', columns: [createColumn('City', 'text')] },
    { name: 'Stores', columns: [createColumn('City', 'text'), createColumn('store id', 'text')] },
  ];
  expect(sortTablesByFit(tables, joinedColumns).map(({ name }) => name)).toEqual([
    'Stores',
    'Products',
    'Cities',
  ]);
});
