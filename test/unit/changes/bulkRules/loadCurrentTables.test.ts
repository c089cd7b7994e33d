import { expect, test } from 'vitest';
import { loadCurrentTables } from '../../../../src/changes/bulkRules/loadCurrentTables.ts';
import { Bench, columnsIn, tableRef } from '../run/support.ts';

const subject = { kind: 'extract', server: 'LocalHost', elasticube: 'Retail' } as const;

test('a column that was added after the explorer was opened is known', async () => {
  using bench = new Bench();
  const names = async () =>
    (await loadCurrentTables(bench, subject))?.tables
      .find(({ name }) => name === 'Stores')
      ?.columns.map(({ name }) => name);
  const before = (await names()) ?? [];
  const columns = columnsIn(await bench.read(tableRef('Stores')));
  await bench.sandbox.clock.advance(1000);
  await bench.client.tables.update(tableRef('Stores'), {
    columns: [...columns, { id: 'Code', name: 'Code', type: 18, isCustom: true, expression: "'x'" }],
  });
  expect(await names()).toEqual([...before, 'Code']);
});
