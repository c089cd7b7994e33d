import { expect, test } from 'vitest';
import type { JsonObject } from '../../../src/base/json.ts';
import { renameInViewpoint } from '../../../src/viewpoints/renameInViewpoint.ts';

/** Renames a table, or one of its columns, in a viewpoint of one column; returns the column. */
function rename(column: JsonObject, [table, columnName]: readonly [string, string?], newName: string) {
  const target = { table, ...(columnName === undefined ? {} : { column: columnName }) };
  return renameInViewpoint({ details: { columns: [column] } }, [{ target, newName }]);
}
const createViewpoint = (column: JsonObject) => ({ details: { columns: [column] } });

test.each([
  ['[T.Sales [EUR]]', '[T.Cost [USD]]'],
  ['[T.Sales [EUR]]]', '[T.Cost [USD]]]'],
  ['[T.Sales [[EUR]]]', '[T.Cost [[USD]]]'],
  ['[T.Sales [[EUR]] (Calendar)]', '[T.Cost [[USD]] (Calendar)]'],
])('the brackets of a name in the dim %s stay as they are written', (dim, renamed) => {
  expect(rename({ dim }, ['T', 'Sales [EUR]'], 'Cost [USD]')).toEqual(createViewpoint({ dim: renamed }));
});

test('the dim of another table is not renamed, even if its name begins with that of the renamed table and a dot', () => {
  const column = { table: 'Orders.csv', column: 'Id', dim: '[Orders.csv.Id]' };
  expect(rename(column, ['Orders'], 'Sales')).toEqual(createViewpoint(column));
  expect(rename({ ...column, dim: '[Orders.csv.Id]' }, ['Orders', 'csv.Id'], 'x')).toEqual(
    createViewpoint(column),
  );
  expect(rename(column, ['Orders.csv'], 'Sales')).toEqual(
    createViewpoint({ table: 'Sales', column: 'Id', dim: '[Sales.Id]' }),
  );
});

test.each([
  ['[Sales [EUR].Id]', '[Cost [USD].Id]'],
  ['[Sales [EUR]].Id]', '[Cost [USD]].Id]'],
  ['[Sales [[EUR]].Id]', '[Cost [[USD]].Id]'],
  ['[Other.Id]', '[Other.Id]'],
])('the brackets of a table in the dim %s stay as they are written', (dim, renamed) => {
  expect(rename({ dim }, ['Sales [EUR]'], 'Cost [USD]')).toEqual(createViewpoint({ dim: renamed }));
});

test('columns and tables can exchange their names', () => {
  const create = (table: string, column: string): JsonObject => ({
    table,
    column,
    dim: `[${table}.${column}]`,
  });
  const changes = [
    { target: { table: 'T', column: 'A' }, newName: 'B' },
    { target: { table: 'T', column: 'B' }, newName: 'A' },
    { target: { table: 'T' }, newName: 'U' },
    { target: { table: 'U' }, newName: 'T' },
  ];
  const columns = [create('T', 'A'), create('T', 'B'), create('U', 'A'), { dim: '[T.B]' }];
  expect(renameInViewpoint({ details: { columns } }, changes)).toEqual({
    details: { columns: [create('U', 'B'), create('U', 'A'), create('T', 'A'), { dim: '[U.A]' }] },
  });
});
