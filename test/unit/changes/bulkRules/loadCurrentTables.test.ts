import { expect, test } from 'vitest';
import { loadCurrentTables } from '../../../../src/changes/bulkRules/loadCurrentTables.ts';
import { ChangeFixture, getColumns, createTableRef } from '../run/support.ts';

const subject = { kind: 'extract', server: 'LocalHost', elasticube: 'Retail' } as const;

test('a column that was added after the tables were last loaded is included', async () => {
  using fixture = new ChangeFixture();
  const readColumnNames = async () =>
    (await loadCurrentTables(fixture, subject)).catalog?.tables
      .find(({ name }) => name === 'Stores')
      ?.columns.map(({ name }) => name);
  const before = (await readColumnNames()) ?? [];
  const columns = getColumns(await fixture.read(createTableRef('Stores')));
  await fixture.sandbox.clock.advance(1000);
  await fixture.client.tables.update(createTableRef('Stores'), {
    columns: [...columns, { id: 'Code', name: 'Code', type: 18, isCustom: true, expression: "'x'" }],
  });
  expect(await readColumnNames()).toEqual([...before, 'Code']);
});
