import { expect, test } from 'vitest';
import { asObject, getObjects, getText } from '../../../../src/changes/model/jsonMembers.ts';
import type { Write } from '../../../../src/changes/model/operation.ts';
import { readViewpointDocuments } from '../../../../src/changes/model/readViewpointDocuments.ts';
import { createDatasetDeletionWrite } from '../../../../src/changes/model/datasetWrites.ts';
import {
  createTableCreationWrite,
  createTableDeletionWrite,
} from '../../../../src/changes/model/tableWrites.ts';
import { createViewpointUpdateWrite } from '../../../../src/changes/model/viewpointWrites.ts';
import { FormerNameTakenError } from '../../../../src/changes/run/writeErrors.ts';
import { formatCliError } from '../../../../src/cli/errorMessages.ts';
import { createSeedOid } from '../../../../src/sandbox/seeds/seedIds.ts';
import {
  ChangeFixture,
  connectionId,
  createOperation,
  createTableRef,
  createTableUpdate,
  getFailure,
} from './support.ts';
import { stopOperation } from './stopOperation.ts';

const { datamodelId, datasetId, tableId } = createTableRef('Stores');
const ids = { datamodelId, datasetId };
const otherDatasetId = createSeedOid('Retail/dataset/Sales');
const columns = [{ id: 'Other', name: 'Other', type: 18 }];
const deletion = createTableDeletionWrite({ ...ids, tableId });

/** Runs an apply that stops at its last write, a change of a viewpoint. */
async function stop(fixture: ChangeFixture, writes: readonly Write[]) {
  const viewpoint = asObject((await readViewpointDocuments(fixture.client, {}))[0]);
  const last = createViewpointUpdateWrite({ viewpointId: getText(viewpoint['id']) }, { description: 'x' });
  return stopOperation(fixture, createOperation([...writes, last], 'apply'), (line) =>
    line.includes('viewpoints') ? 'refusal' : undefined,
  );
}

/** Returns the ID that a table of a dataset has in its data source, which new tables need. */
const readSourceId = async (fixture: ChangeFixture, dataset: string): Promise<string> =>
  getText((await fixture.readObject(createTableRef(dataset === datasetId ? 'Stores' : 'Orders')))['id']);

async function readTableNames(fixture: ChangeFixture): Promise<readonly string[]> {
  const model = await fixture.readObject({ kind: 'datamodel', datamodelId });
  return getObjects(model['datasets'])
    .flatMap((dataset) => getObjects(asObject(dataset['schema'])['tables']))
    .map(({ name }) => getText(name));
}

test.each(
  (['guide', 'contract'] as const).flatMap((profile) => [
    { profile, change: 'deletion', writes: [deletion], dataset: datasetId },
    { profile, change: 'deletion, in another dataset', writes: [deletion], dataset: otherDatasetId },
    {
      profile,
      change: 'rename',
      writes: [createTableUpdate('Stores', { name: 'Shops' })],
      dataset: datasetId,
    },
    {
      profile,
      change: 'deletion of its dataset',
      writes: [createDatasetDeletionWrite(ids)],
      dataset: otherDatasetId,
    },
  ]),
)(
  'a rollback of a $change is refused while another table has the name ($profile)',
  async ({ profile, writes, dataset }) => {
    using fixture = new ChangeFixture({ profile });
    const id = await readSourceId(fixture, dataset);
    const { writer, history, entry } = await stop(fixture, writes);
    // Another user creates a table.
    const body = { id, name: 'stores', type: 'base', columns };
    await fixture.client.tables.create({ datamodelId, datasetId: dataset }, body);
    const [requests, journal] = [fixture.getWriteRequests(), await history.readEntry(connectionId, entry.id)];
    const error = await getFailure(writer.rollBack(entry));
    expect(error).toBeInstanceOf(FormerNameTakenError);
    expect(error).toMatchObject({ ref: { kind: 'table', datasetId: dataset }, document: { name: 'stores' } });
    expect(formatCliError(error)).toBe(
      'Someone else has created a table stores on the server in the meantime. A rollback would restore an item with the same name, so rename or delete it first. Nothing was written. Run the command again.',
    );
    expect(await getFailure(writer.planRecovery(entry, 'roll-back'))).toMatchObject({
      name: 'FormerNameTakenError',
    });
    expect(await writer.canRecover(entry, 'roll-back')).toBe(false);
    expect(await writer.canRecover(entry, 'resume')).toBe(true);
    expect(fixture.getWriteRequests()).toEqual(requests);
    expect(await history.readEntry(connectionId, entry.id)).toEqual(journal);
    // The other table gets another name.
    const model = await fixture.readObject({ kind: 'datamodel', datamodelId });
    const [other] = getObjects(model['datasets'])
      .flatMap((each) => getObjects(asObject(each['schema'])['tables']))
      .filter(({ name }) => name === 'stores');
    const otherId = getText(other?.['oid']);
    await fixture.client.tables.update(
      { datamodelId, datasetId: dataset, tableId: otherId },
      { name: 'Theirs' },
    );
    await writer.rollBack(entry);
    expect((await readTableNames(fixture)).filter((name) => name === 'Stores')).toHaveLength(1);
  },
);

test.each(['guide', 'contract'] as const)(
  'a rollback frees the name that the change itself has given to a new table (%s)',
  async (profile) => {
    using fixture = new ChangeFixture({ profile });
    const names = await readTableNames(fixture);
    const id = await readSourceId(fixture, datasetId);
    const creation = createTableCreationWrite(ids, { id, name: 'Stores', type: 'base', columns });
    const { writer, entry } = await stop(fixture, [createTableUpdate('Stores', { name: 'Shops' }), creation]);
    expect(await readTableNames(fixture)).toEqual(expect.arrayContaining(['Shops', 'Stores']));
    await writer.rollBack(entry);
    expect(await readTableNames(fixture)).toEqual(names);
  },
);
