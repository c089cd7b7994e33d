import { describe, expect, test } from 'vitest';
import { ConflictError, PlanNeededError, StoppedError } from '../../../../src/changes/run/writeErrors.ts';
import { type JsonObject, parseLossless } from '../../../../src/base/json.ts';
import { ClaimedError } from '../../../../src/changes/journal/history.ts';
import { createLiveRuleReplacement } from '../../../../src/changes/rules/ruleWrites.ts';
import { hashDocument } from '../../../../src/changes/model/documentHash.ts';
import { Bench, columnsIn, connectionId, failure, operation, tableRef, updateTable } from './support.ts';

const dropStatus = async (bench: Bench) => {
  const columns = columnsIn(await bench.read(tableRef('Orders'))).filter(({ name }) => name !== 'Status');
  return operation([updateTable('Orders', { columns })]);
};

describe('a harmless write', () => {
  test('is read, recorded, sent and answered: two requests', async () => {
    using bench = new Bench();
    const { writer, history } = bench.open();
    const report = await writer.run(operation([updateTable('Orders', { description: 'New' })]));
    expect(bench.transport.lines.map((line) => line.split(' ')[0])).toEqual(['GET', 'PATCH']);
    expect(report.documents).toMatchObject([{ ref: tableRef('Orders'), document: { description: 'New' } }]);
    const [entry] = await history.readEntries(connectionId);
    expect(entry).toMatchObject({
      end: 'done',
      operation: { cause: 'save' },
      writes: [{ state: 'done', status: 200 }],
      before: [{ ref: tableRef('Orders'), document: { description: expect.stringContaining('One row') } }],
    });
    expect(bench.changes).toEqual([{ kind: 'datamodel', datamodelId: tableRef('Orders').datamodelId }]);
  });

  test('is not sent when the document differs from the one that was edited', async () => {
    using bench = new Bench();
    const { writer, history } = bench.open();
    const ref = tableRef('Orders');
    const hash = hashDocument('table', await bench.read(ref));
    await writer.run(operation([updateTable('Orders', { description: "A stranger's" })]));
    const mine = operation([updateTable('Orders', { description: 'Mine' })]);
    const conflict = await failure(writer.run(mine, { expect: [{ ref, hash }] }));
    expect(conflict).toBeInstanceOf(ConflictError);
    expect(conflict).toMatchObject({ ref, document: { description: "A stranger's" } });
    expect(await history.readEntries(connectionId)).toHaveLength(1);
    const overwrite = { expect: [{ ref, hash: (conflict as ConflictError).hash }] };
    await writer.run(mine, overwrite);
    expect(await bench.object(ref)).toMatchObject({ description: 'Mine' });
  });

  test('is not a conflict when only server-managed fields differ', async () => {
    using bench = new Bench();
    const ref = tableRef('Orders');
    const before = await bench.object(ref);
    expect(hashDocument('table', { ...before, vTag: 'x', lastUpdated: 'y' })).toBe(
      hashDocument('table', before),
    );
    expect(hashDocument('table', { ...before, name: 'x' })).not.toBe(hashDocument('table', before));
    expect(hashDocument('customDataObject', { vTag: 1 })).not.toBe(hashDocument('customDataObject', {}));
    expect(hashDocument('table', parseLossless('{"a": 1.0}'))).toBe(hashDocument('table', { a: 1 }));
  });
});

test('a write that a locked connection rejects is not in the history: nothing happened', async () => {
  using bench = new Bench();
  const { writer, history } = bench.open();
  bench.guard = { getRefusal: () => 'locked' };
  const drop = await dropStatus(bench);
  for (const refused of [operation([updateTable('Orders', { description: 'New' })]), drop]) {
    expect(await failure(writer.run(refused))).toMatchObject({ name: 'ReadOnlyError', code: 'locked' });
  }
  expect(await history.readEntries(connectionId)).toEqual([]);
  expect(bench.writesSent()).toEqual([]);
});

test('an unfinished operation stays so while the connection is locked', async () => {
  using bench = new Bench();
  const { history } = bench.open();
  await history.begin({ operation: await dropStatus(bench), before: [] });
  const { history: next, writer: later } = bench.open();
  const [entry] = await next.readUnfinished(connectionId);
  if (entry === undefined) {
    throw new Error('Nothing was left unfinished');
  }
  bench.guard = { getRefusal: () => 'locked' };
  expect(await failure(later.resume(entry))).toMatchObject({ code: 'locked' });
  expect(await failure(later.rollBack(entry))).toMatchObject({ code: 'locked' });
  expect(await next.readUnfinished(connectionId)).toHaveLength(1);
});

describe('a write that deletes or breaks', () => {
  test('is rejected until its plan was reviewed, and the approval is valid for one run', async () => {
    using bench = new Bench();
    const { writer } = bench.open();
    const drop = await dropStatus(bench);
    const refused = await failure(writer.run(drop));
    expect(refused).toBeInstanceOf(PlanNeededError);
    expect(bench.writesSent()).toEqual([]);
    const { plan, planHash } = refused as PlanNeededError;
    expect(plan.severity).toBe('breaking');
    const permit = writer.approve(planHash);
    bench.lose = () => 'request';
    expect(await failure(writer.run(drop, { approval: permit }))).toBeInstanceOf(StoppedError);
    bench.lose = () => undefined;
    expect(await failure(writer.run(drop, { approval: permit }))).toBeInstanceOf(PlanNeededError);
    await writer.run(drop, { approval: writer.approve(planHash) });
    expect(columnsIn(await bench.read(tableRef('Orders'))).map(({ name }) => name)).not.toContain('Status');
  });

  test('is shown on request, even if harmless', async () => {
    using bench = new Bench();
    const { writer } = bench.open();
    const change = operation([updateTable('Orders', { description: 'New' })]);
    const refused = await failure(writer.run(change, { review: true }));
    expect(refused).toMatchObject({ name: 'PlanNeededError', plan: { severity: 'harmless' } });
    expect(bench.writesSent()).toEqual([]);
    const permit = writer.approve((refused as PlanNeededError).planHash);
    await writer.run(change, { review: true, approval: permit });
    expect(bench.writesSent()).toHaveLength(1);
  });

  test('is rejected again when the payload or the document changed', async () => {
    using bench = new Bench();
    const { writer } = bench.open();
    const drop = await dropStatus(bench);
    const { planHash } = (await failure(writer.run(drop))) as PlanNeededError;
    const columns = columnsIn(await bench.read(tableRef('Orders'))).slice(0, 2);
    const other = operation([updateTable('Orders', { columns })]);
    expect(await failure(writer.run(other, { approval: writer.approve(planHash) }))).toBeInstanceOf(
      PlanNeededError,
    );
    await writer.run(operation([updateTable('Orders', { description: 'Meanwhile' })]));
    expect(await failure(writer.run(drop, { approval: writer.approve(planHash) }))).toBeInstanceOf(
      PlanNeededError,
    );
  });
});

describe('a lost response', () => {
  test('of a write that succeeded is detected, and nothing is sent again', async () => {
    using bench = new Bench();
    const { writer, history } = bench.open();
    bench.lose = () => 'answer';
    const reported: number[] = [];
    await writer.run(operation([updateTable('Orders', { description: 'New' })]), {
      onUnknown: (write) => reported.push(write),
    });
    expect(reported).toEqual([0]);
    expect(bench.writesSent()).toHaveLength(1);
    expect((await history.readEntries(connectionId))[0]).toMatchObject({
      end: 'done',
      writes: [{ state: 'done' }],
    });
  });

  test('of a request that never arrived is reported as failed, and the rest is not sent', async () => {
    using bench = new Bench();
    const { writer, history } = bench.open();
    bench.lose = (line) => (line.includes(tableRef('Stores').tableId) ? 'request' : undefined);
    const stopped = await failure(
      writer.run(
        operation([
          updateTable('Orders', { description: 'One' }),
          updateTable('Stores', { description: 'Two' }),
          updateTable('Regions', { description: 'Three' }),
        ]),
      ),
    );
    expect(stopped).toBeInstanceOf(StoppedError);
    expect((stopped as StoppedError).report.writes.map(({ state }) => state)).toEqual([
      'done',
      'failed',
      'waiting',
    ]);
    expect((await history.readEntries(connectionId))[0]).toMatchObject({ end: 'stopped' });
  });
});

describe('empty responses', () => {
  test('a created item is searched for when a later write needs its id', async () => {
    using bench = new Bench();
    const { writer } = bench.open();
    const subject = { kind: 'live', title: 'Support Desk' } as const;
    const [rule] = (await bench.read({ kind: 'rules', subject })) as readonly JsonObject[];
    bench.mute = (line) => !line.startsWith('GET');
    const report = await writer.run(
      operation(createLiveRuleReplacement(subject, rule ?? {}, { ...rule, members: ['France'] })),
    );
    expect(report.writes.every(({ state }) => state === 'done')).toBe(true);
    const now = (await bench.read({ kind: 'rules', subject })) as readonly JsonObject[];
    expect(now.filter(({ members }) => JSON.stringify(members) === '["France"]')).toHaveLength(1);
    expect(now.filter(({ table, allMembers }) => table === 'Tickets' && allMembers === false)).toHaveLength(
      1,
    );
  });
});

test('two windows do not finish the same operation', async () => {
  using bench = new Bench();
  const { writer, history } = bench.open();
  bench.lose = () => 'request';
  await failure(writer.run(operation([updateTable('Orders', { description: 'x' })])));
  const [entry] = await history.readEntries(connectionId);
  const other = bench.open().history;
  const claimed = entry && (await history.claim(entry));
  expect(await failure(history.claim(entry ?? never()))).toBeInstanceOf(ClaimedError);
  await claimed?.end('stopped', { after: [], moved: [] });
  await (await other.claim(entry ?? never())).end('stopped', { after: [], moved: [] });
});

function never(): never {
  throw new Error('There is no entry');
}

test('a plan includes what others have added since the explorer was opened', async () => {
  using bench = new Bench();
  const { writer } = bench.open();
  const retail = { server: 'LocalHost', elasticube: 'Retail' };
  const subject = { kind: 'extract', ...retail } as const;
  const { datamodelId } = tableRef('Orders');
  const isOfStatus = (rule: { table: string; column: string }): boolean =>
    rule.table === 'Orders' && rule.column === 'Status';
  const rulesBefore = (await bench.catalog.rules(subject)).filter(isOfStatus).length;
  await bench.catalog.datamodel(datamodelId);
  const rule = { table: 'Orders', column: 'Status', datatype: 'text', members: ['Open'] };
  await bench.client.extractRules.create(retail, [{ ...rule, shares: [{ type: 'user', party: 'u' }] }]);
  const expression = 'SELECT o.Status FROM Orders o';
  await bench.client.tables.update(tableRef('Store Ranking'), { expression });
  const needed = await failure(writer.run(await dropStatus(bench)));
  expect(needed).toBeInstanceOf(PlanNeededError);
  const { breaks } = (needed as PlanNeededError).plan;
  const users = breaks.map(({ referrerKind, referrer }) => `${referrerKind} ${referrer.name}`);
  expect(users).toContain('tableExpression Store Ranking');
  expect(users.filter((user) => user === 'rule Orders.Status')).toHaveLength(rulesBefore + 1);
});
