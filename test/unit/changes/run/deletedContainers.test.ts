import { describe, expect, test } from 'vitest';
import { createDatamodelDeletionWrite } from '../../../../src/changes/model/datamodelWrites.ts';
import {
  createDatasetDeletionWrite,
  createDatasetUpdateWrite,
} from '../../../../src/changes/model/datasetWrites.ts';
import { asObject, getText } from '../../../../src/changes/model/jsonMembers.ts';
import type { Write } from '../../../../src/changes/model/operation.ts';
import { createTableDeletionWrite } from '../../../../src/changes/model/tableWrites.ts';
import { expectDefined } from '../../../support/expectations.ts';
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

const calendar = createTableRef('Calendar');
const { datamodelId, datasetId } = calendar;
const datasetDeletion = createDatasetDeletionWrite({ datamodelId, datasetId });
const datamodelDeletion = createDatamodelDeletionWrite({ datamodelId });
const tableDeletion = createTableDeletionWrite(calendar);
const first = createTableUpdate('Orders', { description: 'Mine' });
const second = createTableUpdate('Returns', { description: 'Mine' });
const conflict = { name: 'StoppedError', cause: { name: 'ConflictError' } };

const theirTable = {
  oid: '11111111-0000-4000-8000-000000000001',
  id: 'theirs',
  name: 'Theirs',
  type: 'base',
  columns: [{ oid: '11111111-0000-4000-8000-000000000002', id: 'a', name: 'a', type: 18 }],
};

/** What another user may do to the dataset or its datamodel meanwhile. */
const changes = {
  'adds a table': ({ sandbox: { store } }) => store.tables.insert(datasetId, theirTable),
  'adds a column': ({ sandbox: { store } }) => {
    const table = expectDefined(store.tables.getDocumentInModel(datamodelId, calendar.tableId));
    store.tables.update({ ...table, columns: [...getColumns(table), ...theirTable.columns] });
  },
  'adds a relation': ({ sandbox: { store } }) => {
    const columns = [calendar, createTableRef('Employees')].map((ref) => ({
      dataset: ref.datasetId,
      table: ref.tableId,
      column: getText(getColumns(store.tables.getDocumentInModel(datamodelId, ref.tableId))[0]?.['oid']),
    }));
    store.relations.insert(datamodelId, { oid: '11111111-0000-4000-8000-000000000003', columns });
  },
} satisfies Record<string, (fixture: ChangeFixture) => void>;

/** Runs an apply, while another user changes something right before its first write. */
function applyMeanwhile(
  fixture: ChangeFixture,
  writes: readonly Write[],
  changeAsOther: (fixture: ChangeFixture) => void,
): Promise<unknown> {
  let isChanged = false;
  fixture.onBeforeWrite = () => {
    if (!isChanged) {
      isChanged = true;
      changeAsOther(fixture);
    }
  };
  return getFailure(runApproved(fixture.open().writer, createOperation(writes, 'apply')));
}

const profiles = ['guide', 'contract'] as const;

describe.each(profiles)('an apply deletes nothing that others have changed meanwhile (%s)', (profile) => {
  test.each([
    ['dataset', 'adds a table', datasetDeletion],
    ['dataset', 'adds a column', datasetDeletion],
    ['dataset', 'adds a relation', datasetDeletion],
    ['datamodel', 'adds a table', datamodelDeletion],
    ['datamodel', 'adds a column', datamodelDeletion],
    ['datamodel', 'adds a relation', datamodelDeletion],
  ] as const)('a %s that someone else %s', async (_kind, change, deletion) => {
    using fixture = new ChangeFixture({ profile });
    expect(await applyMeanwhile(fixture, [first, deletion], changes[change])).toMatchObject(conflict);
    expect(await fixture.read(calendar)).toBeDefined();
  });

  test('a dataset whose tables the instance returns only as a list', async () => {
    using fixture = new ChangeFixture({ profile });
    fixture.omitsContents = true;
    expect(await applyMeanwhile(fixture, [first, datasetDeletion], changes['adds a table'])).toMatchObject(
      conflict,
    );
  });

  test('a datamodel with new rules', async () => {
    using fixture = new ChangeFixture({ profile });
    const { datamodels } = fixture.sandbox.store;
    datamodels.setBuiltSchema(datamodelId, expectDefined(datamodels.getDocument(datamodelId)));
    const failure = await applyMeanwhile(fixture, [first, datamodelDeletion], ({ sandbox: { store } }) => {
      store.rules.insert('extract', {
        _id: '0123456789abcdef01234567',
        server: 'LocalHost',
        elasticube: 'Retail',
        table: 'Calendar',
        column: 'Theirs',
        datatype: 'text',
        members: [],
        allMembers: false,
        exclusionary: false,
        shares: [{ type: 'default' }],
      });
    });
    expect(failure).toMatchObject({ ...conflict, cause: { ref: { kind: 'rules' } } });
  });

  test('the connection of a dataset, which it would replace', async () => {
    using fixture = new ChangeFixture({ profile });
    const dataset = { kind: 'dataset', datamodelId, datasetId } as const;
    const { connection = null } = await fixture.readObject(dataset);
    const update = createDatasetUpdateWrite(
      { datamodelId, datasetId },
      { connection: { ...asObject(connection), database: 'mine' } },
    );
    const failure = await applyMeanwhile(fixture, [first, update], ({ sandbox: { store } }) => {
      const stored = expectDefined(store.datasets.getWithoutTables(datamodelId, datasetId));
      store.datasets.update({ ...stored, connection: { ...asObject(connection), database: 'theirs' } });
    });
    expect(failure).toMatchObject({ ...conflict, cause: { ref: dataset } });
  });
});

/** Interrupts an apply that has deleted the table of a dataset, and still has to delete the dataset. */
const interrupt = (fixture: ChangeFixture) =>
  stopOperation(fixture, createOperation([tableDeletion, second, datasetDeletion, first], 'apply'), (line) =>
    line.includes(createTableRef('Returns').tableId) ? 'refusal' : undefined,
  );

test.each(profiles)(
  'a resume writes nothing if the deletion of a datamodel has failed and others have changed it since (%s)',
  async (profile) => {
    using fixture = new ChangeFixture({ profile });
    const operation = createOperation([first, datamodelDeletion, second], 'apply');
    const { writer, entry } = await stopOperation(fixture, operation, (line) =>
      line.startsWith('DELETE') ? 'refusal' : undefined,
    );
    changes['adds a table'](fixture);
    const count = fixture.getWriteRequests().length;
    expect(await getFailure(writer.resume(entry))).toMatchObject({ name: 'ConflictError' });
    expect(fixture.getWriteRequests()).toHaveLength(count);
    expect(await fixture.read(calendar)).toBeDefined();
  },
);

describe.each(profiles)('a resume of an apply that has deleted the table of a dataset (%s)', (profile) => {
  test('deletes the dataset', async () => {
    using fixture = new ChangeFixture({ profile });
    const { writer, entry } = await interrupt(fixture);
    const { writeStates } = await writer.resume(entry);
    expect(writeStates.map(({ state }) => state)).toEqual(['done', 'done', 'done', 'done']);
    expect(await fixture.read({ kind: 'dataset', datamodelId, datasetId })).toBeUndefined();
  });

  test('writes nothing if someone else has added a table', async () => {
    using fixture = new ChangeFixture({ profile });
    const { writer, entry } = await interrupt(fixture);
    changes['adds a table'](fixture);
    const count = fixture.getWriteRequests().length;
    expect(await getFailure(writer.resume(entry))).toMatchObject({ name: 'ConflictError' });
    expect(fixture.getWriteRequests()).toHaveLength(count);
  });
});
