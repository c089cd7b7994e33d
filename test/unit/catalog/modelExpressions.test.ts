import { expect, test } from 'vitest';
import { getModelExpressions } from '../../../src/catalog/modelExpressions.ts';
import { datamodelSchema } from '../../../src/contract/datamodel.ts';

test('the expressions of a datamodel are the SQL of its custom tables and columns, with their owners', () => {
  const datamodel = datamodelSchema.parse({
    oid: 'm',
    title: 'Retail',
    datasets: [
      {
        oid: 'd',
        schema: {
          tables: [
            {
              oid: 't1',
              name: 'Orders',
              expression: null,
              importQuery: 'SELECT TOP 1',
              columns: [
                { oid: 'c1', name: 'a', expression: '[b] + 1' },
                { oid: 'c2', name: 'b' },
                { name: 'not saved yet', expression: '1' },
              ],
            },
            {
              oid: 't2',
              id: 'value',
              expression: { oid: 'x', expression: 'SELECT 1' },
              columns: [{ oid: 'c3', id: 'i', expression: { expression: '2' } }],
            },
            { oid: 't3', name: 'Empty', expression: '  ' },
          ],
        },
      },
      { oid: 'not loaded' },
    ],
  });
  const ids = { datamodelId: 'm', datasetId: 'd' };
  expect(getModelExpressions(datamodel)).toEqual([
    {
      resource: { kind: 'columnExpression', ...ids, tableId: 't1', columnId: 'c1' },
      table: 'Orders',
      column: 'a',
      text: '[b] + 1',
    },
    { resource: { kind: 'tableExpression', ...ids, tableId: 't2' }, table: 'value', text: 'SELECT 1' },
    {
      resource: { kind: 'columnExpression', ...ids, tableId: 't2', columnId: 'c3' },
      table: 'value',
      column: 'i',
      text: '2',
    },
  ]);
  expect(getModelExpressions({ oid: 'm', datasets: null })).toEqual([]);
});
