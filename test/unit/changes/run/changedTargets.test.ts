import { expect, test } from 'vitest';
import { createSeedOid } from '../../../../src/sandbox/seeds/seedIds.ts';
import { apply } from '../journal/apply.ts';
import { ChangeFixture, createOperation, createTableRef, createTableUpdate, getColumns } from './support.ts';

const stores = createTableRef('Stores');

test.each(['guide', 'contract'] as const)(
  'an apply keeps the column that another one adds to the same table meanwhile (%s)',
  async (profile) => {
    using fixture = new ChangeFixture({ profile });
    const columns = getColumns(await fixture.read(stores));
    const added = { id: 'Added', name: 'Added', type: 18 };
    const oid = createSeedOid('Added');
    const operation = createOperation(
      [
        createTableUpdate('Orders', { description: 'Mine' }),
        createTableUpdate('Stores', { columns: [...columns, added] }),
      ],
      'apply',
    );
    fixture.getWriteFault = () => {
      const { tables } = fixture.sandbox.store;
      const table = tables.getDocumentInModel(stores.datamodelId, stores.tableId);
      tables.update({ ...table, columns: [...getColumns(table), { oid, ...added }] });
      return undefined;
    };
    const { writes } = await apply(fixture.open().writer, operation);
    expect(writes).toMatchObject([{ state: 'done' }, { state: 'done', answer: { oid: stores.tableId } }]);
    expect(fixture.getWriteRequests()).toHaveLength(1);
    // Another ID would break the relations of the column.
    expect(getColumns(await fixture.read(stores)).map((column) => column.oid)).toEqual([
      ...columns.map((column) => column.oid),
      oid,
    ]);
  },
);
