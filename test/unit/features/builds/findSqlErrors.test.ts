import { expect, test } from 'vitest';
import { NamedDatamodels } from '../../../../src/catalog/namedDatamodels.ts';
import { datamodelSchema } from '../../../../src/contract/datamodel.ts';
import { findSqlErrors } from '../../../../src/features/builds/findSqlErrors.ts';

const createTable = (name: string, expression: string | undefined, columns: readonly object[]) => ({
  oid: name,
  id: name,
  name,
  ...(expression === undefined ? {} : { type: 'custom', expression: { expression } }),
  columns,
});
const amount = { oid: 'amount', id: 'Amount', name: 'Amount', type: 5 };

const find = (...tables: readonly object[]) => {
  const datamodel = datamodelSchema.parse({
    oid: 'm',
    title: 'Shop',
    type: 'extract',
    datasets: [{ oid: 'd', name: 'Sales', type: 'extract', schema: { tables } }],
    relations: [],
  });
  const datasets = datamodel.datasets ?? [];
  const datamodels = new NamedDatamodels({
    datamodel: async () => datamodel,
    datasets: async () => datasets,
    tables: async () => datasets[0]?.schema?.tables ?? [],
    relations: async () => [],
    partial: { datamodels: async () => ({ value: [datamodel], unreadable: [] }) },
  });
  return findSqlErrors(datamodels, { connectionId: 'c', datamodelId: 'm' });
};

test('tables and columns whose SQL has errors are found, with the documents to open', async () => {
  const tax = { oid: 'tax', id: 'Tax', name: 'Tax', type: 5, isCustom: true };
  const found = await find(
    createTable('Orders', undefined, [amount, { ...tax, expression: { expression: '[Amout] * 2' } }]),
    createTable('Totals', 'SELECT [Total] FROM [Orders]', []),
    createTable('Fine', 'SELECT [Amount] FROM [Orders]', []),
  );
  expect(found.map(({ label, target }) => [label, target.resource.kind, target.name, target.within])).toEqual(
    [
      ['Orders.Tax', 'columnExpression', 'Tax', ['Shop', 'Sales', 'Orders']],
      ['Totals', 'tableExpression', 'Totals', ['Shop', 'Sales']],
    ],
  );
});

test('the columns of a custom table that was never built are unknown, so that their use is no error', async () => {
  expect(
    await find(
      createTable('New', 'SELECT 1 AS [A]', []),
      createTable('Next', 'SELECT [A], [B] FROM [New]', []),
    ),
  ).toEqual([]);
});
