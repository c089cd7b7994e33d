import { describe, expect, test } from 'vitest';
import { english } from '../../../../src/base/localize.ts';
import { formatConflict } from '../../../../src/changes/messages/formatConflict.ts';
import { createDatasetCreationOperation } from '../../../../src/changes/model/datasetWrites.ts';
import { createTableDeletionWrite } from '../../../../src/changes/model/tableWrites.ts';
import { ConflictError, NameTakenError, StoppedError } from '../../../../src/changes/run/writeErrors.ts';
import { formatStopError } from '../../../../src/cli/errorMessages.ts';
import { createSeedOid } from '../../../../src/sandbox/seeds/seedIds.ts';
import { expectDefined, expectInstance } from '../../../support/expectations.ts';
import {
  advanceUntilSettled,
  ChangeFixture,
  connectionId,
  createOperation,
  createTableRef,
  createTableUpdate,
  getFailure,
  type WriteFault,
} from './support.ts';

const stores = createTableRef('Stores');

/** Runs an operation on two tables, whose second write fails, and resumes it with further faults of this write. */
async function stopAtStores(fixture: ChangeFixture, [first, ...others]: readonly WriteFault[]) {
  const { writer, history } = fixture.open();
  const failWith = (fault: WriteFault | undefined): void => {
    fixture.getWriteFault = (line) => (line.includes(stores.tableId) ? fault : undefined);
  };
  const readEntry = async () => expectDefined((await history.readEntries(connectionId))[0], 'entry');
  failWith(first);
  await getFailure(
    writer.run(
      createOperation(['Orders', 'Stores'].map((table) => createTableUpdate(table, { description: 'Mine' }))),
    ),
  );
  for (const fault of others) {
    failWith(fault);
    await getFailure(writer.resume(await readEntry()));
  }
  failWith(undefined);
  expect((await readEntry()).writeStates).toMatchObject([{ state: 'done' }, { state: 'failed' }]);
  return { writer, readEntry };
}

test.each([
  { faults: ['refusal'], isInDoubt: false },
  { faults: ['refusal', 'refusal'], isInDoubt: false },
  // It isn't documented that such a server has done nothing.
  { faults: ['wait'], isInDoubt: true },
  { faults: ['request-lost'], isInDoubt: true },
  // The first request may still arrive.
  { faults: ['request-lost', 'refusal'], isInDoubt: true },
] as const)(
  'a write whose requests were lost or refused ($faults), and whose document others have changed since, is not sent again (in doubt: $isInDoubt)',
  async ({ faults, isInDoubt }) => {
    using fixture = new ChangeFixture();
    const { writer, readEntry } = await stopAtStores(fixture, faults);
    await fixture.client.tables.update(stores, { description: 'Theirs' });
    const entry = await readEntry();
    expect(await getFailure(writer.resume(entry))).toBeInstanceOf(ConflictError);
    expect(await readEntry()).toEqual(entry);
    const rolledBack = writer.rollBack(entry);
    if (isInDoubt) {
      expect(await getFailure(rolledBack)).toBeInstanceOf(ConflictError);
    } else {
      await rolledBack;
    }
    expect(await fixture.readObject(stores)).toMatchObject({ description: 'Theirs' });
  },
);

test.each(['rollBack', 'abandon'] as const)(
  'a write without a response that takes effect only after a check is found by %s',
  async (ending) => {
    using fixture = new ChangeFixture();
    const before = await fixture.readObject(stores);
    const { writer, readEntry } = await stopAtStores(fixture, ['request-lost']);
    const entry = await readEntry();
    await fixture.client.tables.update(stores, { description: 'Mine' });
    await writer[ending](entry);
    expect(await fixture.readObject(stores)).toMatchObject({
      description: ending === 'rollBack' ? before['description'] : 'Mine',
    });
    const { history } = fixture.open();
    expect((await history.readEntry(connectionId, entry.id))?.writeStates[1]).toMatchObject({
      state: 'done',
    });
  },
);

test('a write without a response, whose document others have changed since, is not rolled back', async () => {
  using fixture = new ChangeFixture();
  const { writer, readEntry } = await stopAtStores(fixture, ['request-lost']);
  await fixture.client.tables.update(stores, { description: 'Theirs' });
  expect(await getFailure(writer.rollBack(await readEntry()))).toBeInstanceOf(ConflictError);
  expect(await fixture.readObject(createTableRef('Orders'))).toMatchObject({ description: 'Mine' });
});

/** Stops a change at the creation of a dataset, by faults of its requests, and lets others create it. */
async function stopAtCreation(fixture: ChangeFixture, [first, ...others]: readonly WriteFault[]) {
  const { writer, history } = fixture.open();
  const datamodelId = createSeedOid('Retail');
  const body = { name: 'Extra', type: 'custom' } as const;
  const location = { connectionId, within: ['Retail'] };
  const failWith = (fault: WriteFault | undefined): void => {
    fixture.getWriteFault = (line) => (line.endsWith('/datasets') ? fault : undefined);
  };
  const readEntry = async () => expectDefined((await history.readEntries(connectionId))[0], 'entry');
  failWith(first);
  await getFailure(
    writer.run(
      createOperation([
        createTableUpdate('Orders', { description: 'Mine' }),
        ...createDatasetCreationOperation(location, datamodelId, body).writes,
      ]),
    ),
  );
  for (const fault of others) {
    failWith(fault);
    await getFailure(writer.resume(await readEntry()));
  }
  failWith(undefined);
  const { value } = await fixture.client.datasets.create({ datamodelId }, body);
  const readDataset = () => fixture.read({ kind: 'dataset', datamodelId, datasetId: value?.oid ?? '' });
  return { writer, readEntry, readDataset };
}

test.each([{ faults: ['refusal'] }, { faults: ['refusal', 'refusal'] }] as const)(
  'what others create under the name of a refused creation ($faults) is neither taken for it nor deleted',
  async ({ faults }) => {
    using fixture = new ChangeFixture();
    const { writer, readEntry, readDataset } = await stopAtCreation(fixture, faults);
    const requestCount = fixture.getWriteRequests().length;
    for (const _attempt of [1, 2]) {
      const error = await getFailure(writer.resume(await readEntry()));
      expect(error).toBeInstanceOf(StoppedError);
      const { cause } = error as StoppedError;
      expect(cause).toBeInstanceOf(NameTakenError);
      expect(formatStopError(cause)).toBe(
        'Someone else has created a dataset Extra on the server in the meantime. Rename or delete it, and finish the change, or roll the change back.',
      );
      expect(formatConflict(english, cause)).toContain('Someone else has created Extra on the server');
      expect((await readEntry()).writeStates).toMatchObject([
        { state: 'done' },
        { state: 'failed', refused: true },
      ]);
    }
    expect(fixture.getWriteRequests()).toHaveLength(requestCount);
    await writer.rollBack(await readEntry());
    expect(await readDataset()).toMatchObject({ name: 'Extra' });
    expect(await fixture.readObject(createTableRef('Orders'))).not.toMatchObject({ description: 'Mine' });
  },
);

test.each([
  { faults: ['request-lost'] },
  { faults: ['wait'] },
  { faults: ['request-lost', 'refusal'] },
] as const)(
  'a creation whose requests were lost or refused ($faults), and which may have had an effect, is found',
  async ({ faults }) => {
    using fixture = new ChangeFixture();
    const { writer, readEntry } = await stopAtCreation(fixture, faults);
    const { writeStates } = await writer.resume(await readEntry());
    expect(writeStates).toMatchObject([{ state: 'done' }, { state: 'done' }]);
  },
);

test('a refused creation is sent again once nothing has its name', async () => {
  using fixture = new ChangeFixture();
  const { writer, readEntry, readDataset } = await stopAtCreation(fixture, ['refusal']);
  await getFailure(writer.resume(await readEntry()));
  const { oid } = (await readDataset()) as { readonly oid: string };
  await fixture.client.datasets.delete({ datamodelId: createSeedOid('Retail'), datasetId: oid });
  const { writeStates } = await writer.resume(await readEntry());
  expect(writeStates).toMatchObject([{ state: 'done' }, { state: 'done', answer: { name: 'Extra' } }]);
});

describe('a deletion that was repeated after a lost response, and then refused', () => {
  const table = createTableRef('Customer Value');
  const readDatamodel = async (fixture: ChangeFixture) =>
    JSON.stringify(await fixture.read({ kind: 'datamodel', datamodelId: table.datamodelId }));

  /** Runs a deletion after another write; `first` is what the first request loses. */
  async function runDeletion(fixture: ChangeFixture, first: WriteFault) {
    const faults: WriteFault[] = [first, 'refusal'];
    fixture.getWriteFault = (line) => (line.startsWith('DELETE') ? faults.shift() : undefined);
    const { writer, history } = fixture.open();
    const operation = createOperation([
      createTableUpdate('Orders', { description: 'Mine' }),
      createTableDeletionWrite(table),
    ]);
    const { planHash } = await writer.plan(operation);
    const run = writer.run(operation, { approval: writer.approve(planHash) });
    return { run: advanceUntilSettled(fixture, run), writer, history };
  }

  test('is done if the first request took effect', async () => {
    using fixture = new ChangeFixture();
    const { run } = await runDeletion(fixture, 'response-lost');
    expect((await run).writeStates).toMatchObject([{ state: 'done' }, { state: 'done' }]);
  });

  test('is rolled back if the first request takes effect late', async () => {
    using fixture = new ChangeFixture();
    const { run, writer, history } = await runDeletion(fixture, 'request-lost');
    const error = expectInstance(await getFailure(run), StoppedError);
    expect(error).toMatchObject({ mayTakeEffectLater: true, cause: { cause: { status: 403 } } });
    await fixture.client.tables.delete(table);
    expect(await readDatamodel(fixture)).not.toContain('"Customer Value"');
    await writer.rollBack(expectDefined((await history.readEntries(connectionId))[0], 'entry'));
    expect(await readDatamodel(fixture)).toContain('"Customer Value"');
  });
});
