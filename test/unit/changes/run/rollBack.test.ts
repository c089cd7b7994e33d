import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../../src/base/json.ts';
import { getObjects, getText } from '../../../../src/changes/model/jsonMembers.ts';
import { createRuleUpdateWrite } from '../../../../src/changes/rules/ruleWrites.ts';
import {
  ConflictError,
  EndedError,
  ReplacedLaterError,
  SecretsNeededError,
} from '../../../../src/changes/run/writeErrors.ts';
import type { Operation, Write } from '../../../../src/changes/model/operation.ts';
import type { ResourceRef } from '../../../../src/catalog/resourceRef.ts';
import { createSeedOid } from '../../../../src/sandbox/seeds/seedIds.ts';
import { requireFinishedChanges } from '../../../../src/changes/journal/requireFinished.ts';
import { killBeforeEnd, killWindow } from './simulateInterruption.ts';
import {
  ChangeFixture,
  connectionId,
  getFailure,
  createOperation,
  createTableRef,
  createTableUpdate,
} from './support.ts';
import { stopOperation } from './stopOperation.ts';
import { planRestore } from '../../../support/planRestore.ts';
import { runApproved } from '../journal/runApproved.ts';
import { expectDefined } from '../../../support/expectations.ts';

const orders = createTableRef('Orders');
const stores = createTableRef('Stores');
const updateDescription = (table: string, description: string): Write =>
  createTableUpdate(table, { description });

/** Runs an operation that changes the descriptions of two tables, and kills the window after the first one. */
async function killAfterFirstWrite(fixture: ChangeFixture) {
  const before = await fixture.readObject(orders);
  await runUntilStores(
    fixture,
    createOperation([updateDescription('Orders', 'Mine'), updateDescription('Stores', 'Mine')]),
  );
  return { before, ...(await killWindow(fixture, ({ write }) => write === 0)) };
}

/** Runs an operation whose last write, to Stores, does not arrive. */
async function runUntilStores(fixture: ChangeFixture, twoWrites: Operation): Promise<void> {
  fixture.getWriteFault = (line) => (line.includes(stores.tableId) ? 'request-lost' : undefined);
  await getFailure(fixture.open().writer.run(twoWrites));
  fixture.getWriteFault = () => undefined;
}

/** Changes a table as another user, which the history doesn't record. */
const changeAsOtherUser = (fixture: ChangeFixture, table: string, description: string) =>
  fixture.client.tables.update(createTableRef(table), {
    description,
  });

describe('rolling back an unfinished operation', () => {
  test('restores what the operation had changed', async () => {
    using fixture = new ChangeFixture();
    const { writer, history, entry, before } = await killAfterFirstWrite(fixture);
    await writer.rollBack(entry);
    expect(await fixture.readObject(orders)).toMatchObject({ description: before['description'] });
    expect(await history.readEntry(connectionId, entry.id)).toMatchObject({ end: 'rolled-back' });
  });

  test('has ended the operation even if the process was killed before it recorded that', async () => {
    using fixture = new ChangeFixture();
    const { writer, entry } = await killAfterFirstWrite(fixture);
    await writer.rollBack(entry);
    killBeforeEnd(fixture, entry);
    const { writer: newWriter, history } = fixture.open();
    expect(await history.readUnfinishedEntries(connectionId)).toEqual([]);
    await requireFinishedChanges(history, connectionId);
    expect(await history.readEntry(connectionId, entry.id)).toMatchObject({ end: 'rolled-back' });
    expect(await getFailure(newWriter.abandon(entry))).toBeInstanceOf(EndedError);
  });

  test('does not overwrite later changes, and leaves the operation unfinished', async () => {
    using fixture = new ChangeFixture();
    const { writer, history, entry, before } = await killAfterFirstWrite(fixture);
    await changeAsOtherUser(fixture, 'Orders', 'Theirs');
    const conflict = await getFailure(writer.rollBack(entry));
    expect(conflict).toBeInstanceOf(ConflictError);
    expect(conflict).toMatchObject({ ref: orders, document: { description: 'Theirs' } });
    expect(await fixture.readObject(orders)).toMatchObject({ description: 'Theirs' });
    expect(await history.readUnfinishedEntries(connectionId)).toMatchObject([{ id: entry.id }]);
    // The user may confirm it anyway.
    const stopped = await writer.recordStop(entry);
    const { operation: restoreOperation } = await planRestore(writer, stopped);
    await writer.run(restoreOperation, { undoneEntryId: entry.id });
    expect(await fixture.readObject(orders)).toMatchObject({ description: before['description'] });
    expect(await history.readUnfinishedEntries(connectionId)).toEqual([]);
  });

  test('reports no conflict on a server whose responses are empty', async () => {
    using fixture = new ChangeFixture();
    fixture.hasEmptyResponse = (line) => line.startsWith('PATCH');
    const { writer, entry, before } = await killAfterFirstWrite(fixture);
    await writer.rollBack(entry);
    expect(await fixture.readObject(orders)).toMatchObject({ description: before['description'] });
  });

  test("detects another user's change on a server whose responses are empty", async () => {
    using fixture = new ChangeFixture();
    fixture.hasEmptyResponse = (line) => line.startsWith('PATCH');
    const { writer, entry } = await killAfterFirstWrite(fixture);
    await fixture.client.tables.update(orders, { hidden: true });
    expect(await getFailure(writer.rollBack(entry))).toBeInstanceOf(ConflictError);
    expect(await fixture.readObject(orders)).toMatchObject({ description: 'Mine', hidden: true });
  });

  test('that needs a secret, which journals omit, leaves the operation unfinished', async () => {
    using fixture = new ChangeFixture();
    const target = {
      kind: 'dataset',
      datamodelId: createSeedOid('Retail'),
      datasetId: createSeedOid('Retail/dataset/Sales'),
    } as const;
    const connection = (await fixture.readObject(target))['connection'] as JsonObject;
    const updatePassword = (password: string): Write => ({
      endpoint: 'datasets.update',
      params: { datamodelId: target.datamodelId, datasetId: target.datasetId },
      body: {
        connection: {
          ...connection,
          parameters: { ...(connection['parameters'] as JsonObject), Password: password },
        },
      },
      target,
    });
    const firstWindow = fixture.open();
    await firstWindow.writer.run(createOperation([updatePassword('hunter1')]));
    await firstWindow.writer.run(createOperation([updatePassword('hunter2')]));
    const { writer, history, entry } = await killWindow(fixture, ({ write }) => write === 0);
    expect(await getFailure(writer.rollBack(entry))).toBeInstanceOf(SecretsNeededError);
    expect(await history.readUnfinishedEntries(connectionId)).toMatchObject([{ id: entry.id }]);
    await writer.resume(entry);
    expect(await history.readEntry(connectionId, entry.id)).toMatchObject({ end: 'done' });
  });

  test('does not delete a container to which something was added since', async () => {
    using fixture = new ChangeFixture();
    const creation: Write = {
      endpoint: 'datasets.create',
      params: { datamodelId: createSeedOid('Retail') },
      body: { name: 'New', type: 'custom' },
      target: { kind: 'datamodel', datamodelId: createSeedOid('Retail') },
    };
    await runUntilStores(fixture, createOperation([creation, updateDescription('Stores', 'Mine')], 'create'));
    const { writer, entry } = await killWindow(fixture, ({ write }) => write === 0);
    const [state] = entry.writeStates;
    const datasetId = getOid(state?.state === 'done' ? state.answer : undefined);
    const datasetIds = { datamodelId: createSeedOid('Retail'), datasetId };
    const table = { name: 'Theirs', type: 'custom', expression: 'SELECT 1 AS one' } as const;
    const { json } = await fixture.client.tables.create(datasetIds, table);
    expect(await getFailure(writer.rollBack(entry))).toBeInstanceOf(ConflictError);
    await fixture.client.tables.delete({ ...datasetIds, tableId: getOid(json) });
    await writer.rollBack(entry);
    expect(await fixture.read({ kind: 'dataset', ...datasetIds })).toBeUndefined();
  });
});

describe('a write that may not have been sent', () => {
  /** Kills the window after the journal was written and before the request was sent. */
  async function killBeforeFirstWrite(fixture: ChangeFixture) {
    const { description } = await fixture.readObject(orders);
    await fixture.open().writer.run(createOperation([updateDescription('Orders', 'Mine')]));
    await changeAsOtherUser(fixture, 'Orders', getText(description));
    return killWindow(fixture, ({ line }) => line === 'sending');
  }

  test.each(['resume', 'rollBack'] as const)(
    'does not count as done if another user has changed the document: %s',
    async (ending) => {
      using fixture = new ChangeFixture();
      const { writer, history, entry } = await killBeforeFirstWrite(fixture);
      await changeAsOtherUser(fixture, 'Orders', 'Theirs');
      expect(await getFailure(writer[ending](entry))).toMatchObject({ name: 'ConflictError', ref: orders });
      expect(await fixture.readObject(orders)).toMatchObject({ description: 'Theirs' });
      expect(await history.readUnfinishedEntries(connectionId)).toMatchObject([
        { writeStates: [{ state: 'sending' }] },
      ]);
    },
  );

  test('is sent if the document is unchanged', async () => {
    using fixture = new ChangeFixture();
    const { writer, entry } = await killBeforeFirstWrite(fixture);
    await writer.resume(entry);
    expect(await fixture.readObject(orders)).toMatchObject({ description: 'Mine' });
  });

  test('does not delete a document that was changed since', async () => {
    using fixture = new ChangeFixture();
    const viewpoint = (await fixture.client.viewpoints.list({ limit: 1 })).value.viewpoints[0];
    const params = { viewpointId: viewpoint?.id ?? '' };
    const deletion = createOperation([
      { endpoint: 'viewpoints.delete', params, target: { kind: 'viewpoint', ...params } },
    ]);
    const ref: ResourceRef = { kind: 'viewpoint', ...params };
    const before = [{ ref, document: await fixture.readObject(ref) }];
    await (await fixture.open().history.begin({ operation: deletion, before })).recordSending(0);
    const interrupted = await killWindow(fixture, ({ line }) => line === 'sending');
    await fixture.client.viewpoints.update(params, { description: 'Theirs' });
    expect(await getFailure(interrupted.writer.resume(interrupted.entry))).toBeInstanceOf(ConflictError);
    expect(await fixture.readObject({ kind: 'viewpoint', ...params })).toMatchObject({
      description: 'Theirs',
    });
    await interrupted.writer.rollBack(interrupted.entry);
    expect(await fixture.readObject({ kind: 'viewpoint', ...params })).toMatchObject({
      description: 'Theirs',
    });
  });
});

const getOid = (value: unknown): string => getText(Reflect.get(Object(value), 'oid'));

test('a rollback restores no rules that others have deleted with the datamodel', async () => {
  using fixture = new ChangeFixture();
  const subject = { kind: 'extract', server: 'LocalHost', elasticube: 'Retail' } as const;
  const [rule = {}] = getObjects(await fixture.read({ kind: 'rules', subject }));
  const operation = createOperation([
    createRuleUpdateWrite(subject, { ...rule, members: ['Somewhere else'] }),
  ]);
  const { writer, entry } = await stopOperation(fixture, operation, () => 'request-lost');
  await fixture.client.datamodels.delete({ datamodelId: createSeedOid('Retail') });
  const requestCount = fixture.getWriteRequests().length;
  const report = await writer.rollBack(entry);
  expect(report.writeStates).toEqual([]);
  expect(fixture.getWriteRequests()).toHaveLength(requestCount);
});

describe('a later change that has written what a stopped one has not', () => {
  test('is not undone by a rollback of one that wrote nothing', async () => {
    using fixture = new ChangeFixture();
    const operation = createOperation([
      updateDescription('Orders', 'Mine'),
      updateDescription('Stores', 'Mine'),
    ]);
    const { writer, entry } = await stopOperation(fixture, operation, () => 'request-lost');
    await fixture.sandbox.clock.advance(1);
    await runApproved(writer, createOperation([updateDescription('Orders', 'Mine')]));
    for (const end of ['resume', 'rollBack'] as const) {
      expect(await getFailure(writer[end](entry))).toBeInstanceOf(ReplacedLaterError);
    }
    expect(await getFailure(writer.planRecovery(entry, 'roll-back'))).toBeInstanceOf(ReplacedLaterError);
    expect(await fixture.readObject(orders)).toMatchObject({ description: 'Mine' });
    await writer.abandon(entry);
  });

  test('is not undone by a rollback of one that wrote something else', async () => {
    using fixture = new ChangeFixture();
    const before = await fixture.readObject(orders);
    await runUntilStores(
      fixture,
      createOperation([updateDescription('Orders', 'Mine'), updateDescription('Stores', 'Mine')]),
    );
    const { writer, history } = fixture.open();
    const [entry] = await history.readEntries(connectionId);
    await fixture.sandbox.clock.advance(1);
    await runApproved(writer, createOperation([updateDescription('Stores', 'Mine')]));
    await writer.rollBack(expectDefined(entry));
    expect(await fixture.readObject(orders)).toMatchObject({ description: before['description'] });
    expect(await fixture.readObject(stores)).toMatchObject({ description: 'Mine' });
  });
});
