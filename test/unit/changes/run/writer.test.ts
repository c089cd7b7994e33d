import { describe, expect, test } from 'vitest';
import { ConflictError, PlanNeededError, StoppedError } from '../../../../src/changes/run/writeErrors.ts';
import { type JsonObject, parseLossless } from '../../../../src/base/json.ts';
import { ClaimedError } from '../../../../src/changes/journal/claimedError.ts';
import { createLiveRuleReplacementWrites } from '../../../../src/changes/rules/ruleWrites.ts';
import { hashDocument } from '../../../../src/changes/model/documentHash.ts';
import {
  ChangeFixture,
  getColumns,
  connectionId,
  getFailure,
  createOperation,
  createTableRef,
  createTableUpdate,
} from './support.ts';
import { expectInstance } from '../../../support/expectations.ts';

const createStatusDeletion = async (fixture: ChangeFixture) => {
  const columns = getColumns(await fixture.read(createTableRef('Orders'))).filter(
    ({ name }) => name !== 'Status',
  );
  return createOperation([createTableUpdate('Orders', { columns })]);
};

describe('a harmless write', () => {
  test('is recorded, and takes two requests: one that reads and one that writes', async () => {
    using fixture = new ChangeFixture();
    const { writer, history } = fixture.open();
    const report = await writer.run(createOperation([createTableUpdate('Orders', { description: 'New' })]));
    expect(fixture.transport.requestLines.map((line) => line.split(' ')[0])).toEqual(['GET', 'PATCH']);
    expect(report.documents).toMatchObject([
      { ref: createTableRef('Orders'), document: { description: 'New' } },
    ]);
    const [entry] = await history.readEntries(connectionId);
    expect(entry).toMatchObject({
      end: 'done',
      operation: { cause: 'save' },
      writeStates: [{ state: 'done', status: 200 }],
      before: [
        { ref: createTableRef('Orders'), document: { description: expect.stringContaining('One row') } },
      ],
    });
    expect(fixture.changes).toEqual([
      { kind: 'datamodel', datamodelId: createTableRef('Orders').datamodelId },
    ]);
  });

  test('is not sent when the document differs from the one that was edited', async () => {
    using fixture = new ChangeFixture();
    const { writer, history } = fixture.open();
    const ref = createTableRef('Orders');
    const hash = hashDocument('table', await fixture.read(ref));
    await writer.run(createOperation([createTableUpdate('Orders', { description: "Another user's" })]));
    const ownOperation = createOperation([createTableUpdate('Orders', { description: 'Mine' })]);
    const conflict = await getFailure(writer.run(ownOperation, { expectedVersions: [{ ref, hash }] }));
    expect(conflict).toMatchObject({ ref, document: { description: "Another user's" } });
    expect(await history.readEntries(connectionId)).toHaveLength(1);
    const overwriteOptions = {
      expectedVersions: [{ ref, hash: expectInstance(conflict, ConflictError).hash }],
    };
    await writer.run(ownOperation, overwriteOptions);
    expect(await fixture.readObject(ref)).toMatchObject({ description: 'Mine' });
  });

  test('is not a conflict when only server-managed fields differ', async () => {
    using fixture = new ChangeFixture();
    const ref = createTableRef('Orders');
    const before = await fixture.readObject(ref);
    expect(hashDocument('table', { ...before, vTag: 'x', lastUpdated: 'y' })).toBe(
      hashDocument('table', before),
    );
    expect(hashDocument('table', { ...before, name: 'x' })).not.toBe(hashDocument('table', before));
    expect(hashDocument('customDataObject', { vTag: 1 })).not.toBe(hashDocument('customDataObject', {}));
    expect(hashDocument('table', parseLossless('{"a": 1.0}'))).toBe(hashDocument('table', { a: 1 }));
  });
});

test('a write that a locked connection rejects is not in the history: nothing happened', async () => {
  using fixture = new ChangeFixture();
  const { writer, history } = fixture.open();
  fixture.guard = { getRefusal: () => 'locked' };
  const deletion = await createStatusDeletion(fixture);
  for (const refused of [createOperation([createTableUpdate('Orders', { description: 'New' })]), deletion]) {
    expect(await getFailure(writer.run(refused))).toMatchObject({ name: 'ReadOnlyError', code: 'locked' });
  }
  expect(await history.readEntries(connectionId)).toEqual([]);
  expect(fixture.getWriteRequests()).toEqual([]);
});

test('an unfinished operation stays so while the connection is locked', async () => {
  using fixture = new ChangeFixture();
  const { history } = fixture.open();
  await history.begin({ operation: await createStatusDeletion(fixture), before: [] });
  const { history: nextHistory, writer: nextWriter } = fixture.open();
  const [entry] = await nextHistory.readUnfinishedEntries(connectionId);
  if (entry === undefined) {
    throw new Error('Nothing was left unfinished');
  }
  fixture.guard = { getRefusal: () => 'locked' };
  expect(await getFailure(nextWriter.resume(entry))).toMatchObject({ code: 'locked' });
  expect(await getFailure(nextWriter.rollBack(entry))).toMatchObject({ code: 'locked' });
  expect(await nextHistory.readUnfinishedEntries(connectionId)).toHaveLength(1);
});

describe('a write that has to be reviewed', () => {
  test('is rejected until its plan was reviewed, and the approval is valid for one run', async () => {
    using fixture = new ChangeFixture();
    const { writer } = fixture.open();
    const deletion = await createStatusDeletion(fixture);
    const refused = await getFailure(writer.run(deletion));
    expect(fixture.getWriteRequests()).toEqual([]);
    const { plan, planHash } = expectInstance(refused, PlanNeededError);
    expect(plan.severity).toBe('breaking');
    const approval = writer.approve(planHash);
    fixture.getWriteFault = () => 'request-lost';
    expect(await getFailure(writer.run(deletion, { approval }))).toBeInstanceOf(StoppedError);
    fixture.getWriteFault = () => undefined;
    expect(await getFailure(writer.run(deletion, { approval }))).toBeInstanceOf(PlanNeededError);
    await writer.run(deletion, { approval: writer.approve(planHash) });
    expect(getColumns(await fixture.read(createTableRef('Orders'))).map(({ name }) => name)).not.toContain(
      'Status',
    );
  });

  test('may be a harmless one, with `alwaysReview`', async () => {
    using fixture = new ChangeFixture();
    const { writer } = fixture.open();
    const change = createOperation([createTableUpdate('Orders', { description: 'New' })]);
    const refused = await getFailure(writer.run(change, { alwaysReview: true }));
    expect(refused).toMatchObject({ name: 'PlanNeededError', plan: { severity: 'harmless' } });
    expect(fixture.getWriteRequests()).toEqual([]);
    const approval = writer.approve(expectInstance(refused, PlanNeededError).planHash);
    await writer.run(change, { alwaysReview: true, approval });
    expect(fixture.getWriteRequests()).toHaveLength(1);
  });

  test('is rejected again when the payload or the document changed', async () => {
    using fixture = new ChangeFixture();
    const { writer } = fixture.open();
    const deletion = await createStatusDeletion(fixture);
    const { planHash } = expectInstance(await getFailure(writer.run(deletion)), PlanNeededError);
    const columns = getColumns(await fixture.read(createTableRef('Orders'))).slice(0, 2);
    const otherDeletion = createOperation([createTableUpdate('Orders', { columns })]);
    expect(
      await getFailure(writer.run(otherDeletion, { approval: writer.approve(planHash) })),
    ).toBeInstanceOf(PlanNeededError);
    await writer.run(createOperation([createTableUpdate('Orders', { description: 'Meanwhile' })]));
    expect(await getFailure(writer.run(deletion, { approval: writer.approve(planHash) }))).toBeInstanceOf(
      PlanNeededError,
    );
  });
});

describe('a lost response', () => {
  test('of a write that succeeded is detected, and nothing is sent again', async () => {
    using fixture = new ChangeFixture();
    const { writer, history } = fixture.open();
    fixture.getWriteFault = () => 'response-lost';
    const reported: number[] = [];
    await writer.run(createOperation([createTableUpdate('Orders', { description: 'New' })]), {
      onResponseLost: (write) => reported.push(write),
    });
    expect(reported).toEqual([0]);
    expect(fixture.getWriteRequests()).toHaveLength(1);
    expect((await history.readEntries(connectionId))[0]).toMatchObject({
      end: 'done',
      writeStates: [{ state: 'done' }],
    });
  });

  test('of a request that never arrived is reported as failed, and the rest is not sent', async () => {
    using fixture = new ChangeFixture();
    const { writer, history } = fixture.open();
    fixture.getWriteFault = (line) =>
      line.includes(createTableRef('Stores').tableId) ? 'request-lost' : undefined;
    const stopped = await getFailure(
      writer.run(
        createOperation([
          createTableUpdate('Orders', { description: 'One' }),
          createTableUpdate('Stores', { description: 'Two' }),
          createTableUpdate('Regions', { description: 'Three' }),
        ]),
      ),
    );
    expect(expectInstance(stopped, StoppedError).report.writeStates.map(({ state }) => state)).toEqual([
      'done',
      'failed',
      'waiting',
    ]);
    expect((await history.readEntries(connectionId))[0]).toMatchObject({ end: 'stopped' });
  });
});

describe('empty responses', () => {
  test('a created item is searched for when a later write needs its ID', async () => {
    using fixture = new ChangeFixture();
    const { writer } = fixture.open();
    const subject = { kind: 'live', title: 'Support Desk' } as const;
    const [rule] = (await fixture.read({ kind: 'rules', subject })) as readonly JsonObject[];
    fixture.hasEmptyResponse = (line) => !line.startsWith('GET');
    const report = await writer.run(
      createOperation(createLiveRuleReplacementWrites(subject, rule ?? {}, { ...rule, members: ['France'] })),
    );
    expect(report.writeStates.every(({ state }) => state === 'done')).toBe(true);
    const currentRules = (await fixture.read({ kind: 'rules', subject })) as readonly JsonObject[];
    expect(currentRules.filter(({ members }) => JSON.stringify(members) === '["France"]')).toHaveLength(1);
    expect(
      currentRules.filter(({ table, allMembers }) => table === 'Tickets' && allMembers === false),
    ).toHaveLength(1);
  });
});

test('two windows do not finish the same operation', async () => {
  using fixture = new ChangeFixture();
  const { writer, history } = fixture.open();
  fixture.getWriteFault = () => 'request-lost';
  await getFailure(writer.run(createOperation([createTableUpdate('Orders', { description: 'x' })])));
  const [entry] = await history.readEntries(connectionId);
  const otherHistory = fixture.open().history;
  const claimedEntry = entry && (await history.claim(entry));
  expect(await getFailure(history.claim(entry ?? throwMissingEntry()))).toBeInstanceOf(ClaimedError);
  await claimedEntry?.end('stopped', { versionsAfter: [], changedIds: [] });
  await (await otherHistory.claim(entry ?? throwMissingEntry())).end('stopped', {
    versionsAfter: [],
    changedIds: [],
  });
});

function throwMissingEntry(): never {
  throw new Error('There is no entry');
}

test('a plan includes what others have added since the catalog was loaded', async () => {
  using fixture = new ChangeFixture();
  const { writer } = fixture.open();
  const retail = { server: 'LocalHost', elasticube: 'Retail' };
  const subject = { kind: 'extract', ...retail } as const;
  const { datamodelId } = createTableRef('Orders');
  const isStatusRule = (rule: { table: string; column: string }): boolean =>
    rule.table === 'Orders' && rule.column === 'Status';
  const rulesBefore = (await fixture.catalog.rules(subject)).filter(isStatusRule).length;
  await fixture.catalog.datamodel(datamodelId);
  const rule = { table: 'Orders', column: 'Status', datatype: 'text', members: ['Open'] };
  await fixture.client.extractRules.create(retail, [{ ...rule, shares: [{ type: 'user', party: 'u' }] }]);
  const expression = 'SELECT o.Status FROM Orders o';
  await fixture.client.tables.update(createTableRef('Store Ranking'), { expression });
  const planNeededError = await getFailure(writer.run(await createStatusDeletion(fixture)));
  expect(planNeededError).toBeInstanceOf(PlanNeededError);
  const { breaks } = expectInstance(planNeededError, PlanNeededError).plan;
  const referrers = breaks.map(({ referrerKind, referrer }) => `${referrerKind} ${referrer.name}`);
  expect(referrers).toContain('tableExpression Store Ranking');
  expect(referrers.filter((referrer) => referrer === 'rule Orders.Status')).toHaveLength(rulesBefore + 1);
});
