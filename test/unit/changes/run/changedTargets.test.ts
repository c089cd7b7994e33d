import { expect, test } from 'vitest';
import { ConflictError } from '../../../../src/changes/run/writeErrors.ts';
import { createSeedOid } from '../../../../src/sandbox/seeds/seedIds.ts';
import { runApproved } from '../journal/runApproved.ts';
import {
  ChangeFixture,
  createOperation,
  createTableRef,
  createTableUpdate,
  getColumns,
  getFailure,
} from './support.ts';
import { stopOperation } from './stopOperation.ts';

const stores = createTableRef('Stores');

test.each(['guide', 'contract'] as const)(
  'an apply keeps the column that another apply adds to the same table meanwhile (%s)',
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
    const { writeStates } = await runApproved(fixture.open().writer, operation);
    expect(writeStates).toMatchObject([
      { state: 'done' },
      { state: 'done', answer: { oid: stores.tableId } },
    ]);
    expect(fixture.getWriteRequests()).toHaveLength(1);
    // Another ID would break the relations of the column.
    expect(getColumns(await fixture.read(stores)).map((column) => column.oid)).toEqual([
      ...columns.map((column) => column.oid),
      oid,
    ]);
  },
);

test.each([false, true])(
  'a rollback compares a table with what was read of it if the response was shortened (changed by another user since: %s)',
  async (isChanged) => {
    using fixture = new ChangeFixture();
    fixture.shortensColumns = (line) => line.startsWith('PATCH');
    const columns = getColumns(await fixture.read(stores));
    const added = { id: 'Added', name: 'Added', type: 18 };
    const operation = createOperation([
      createTableUpdate('Stores', { columns: [...columns, added] }),
      createTableUpdate('Orders', { description: 'Mine' }),
    ]);
    const { writer, entry } = await stopOperation(fixture, operation, (line) =>
      line.includes(stores.tableId) ? undefined : 'refusal',
    );
    if (isChanged) {
      const { tables } = fixture.sandbox.store;
      const table = tables.getDocumentInModel(stores.datamodelId, stores.tableId);
      const changed = getColumns(table).map((column) =>
        column.name === 'Added' ? { ...column, displayName: 'Theirs' } : column,
      );
      tables.update({ ...table, columns: changed });
    }
    const rollBack = writer.rollBack(entry);
    if (isChanged) {
      expect(await getFailure(rollBack)).toBeInstanceOf(ConflictError);
    } else {
      await rollBack;
    }
    expect(getColumns(await fixture.read(stores))).toHaveLength(columns.length + (isChanged ? 1 : 0));
  },
);
