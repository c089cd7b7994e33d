import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { silentLog } from '../../../src/base/log.ts';
import { BuildService } from '../../../src/sandbox/builds/buildService.ts';
import type { BuildOutcome } from '../../../src/sandbox/engine/buildEngine.ts';
import { getCubeFile } from '../../../src/sandbox/engine/files.ts';
import { createIdGenerator } from '../../../src/sandbox/ids.ts';
import { createRetail, createSandbox, type TestSandbox } from './support.ts';

const path = '/api/v2/builds';

async function createRetailSandbox(options?: Parameters<typeof createSandbox>[0]) {
  const sandbox = createSandbox(options);
  const { model, ...rest } = await createRetail(sandbox);
  const start = async (changes: Readonly<Record<string, unknown>> = {}) =>
    (await sandbox.send('POST', path, { datamodelId: model.oid, buildType: 'full', ...changes })).body;
  const getStatus = async (oid: string): Promise<unknown> =>
    (await sandbox.send('GET', `${path}/${oid}`)).body.status;
  return { ...sandbox, ...rest, model, start, getStatus };
}

/** Runs what is queued, without advancing the time. */
const settle = async ({ clock }: Pick<TestSandbox, 'clock'>): Promise<void> => await clock.advance(0);

test('the status of a task goes from null to building to done (platform-facts.md, 1.1)', async () => {
  const sandbox = await createRetailSandbox();
  const { engine, clock, start, getStatus, model } = sandbox;
  engine.outcome = undefined;
  const task = await start();
  expect(task).toMatchObject({
    status: null,
    datamodelId: model.oid,
    datamodelTitle: 'Retail',
    buildType: 'full',
  });
  expect(task).toMatchObject({
    schemaOrigin: 'latest',
    rowLimit: null,
    started: null,
    completed: null,
    error: null,
  });
  await settle(sandbox);
  expect(await getStatus(task.oid)).toBe('building');
  await clock.advance(5000);
  engine.finish({ status: 'done', columns: {}, rowCounts: {} });
  await settle(sandbox);
  const { body } = await sandbox.send('GET', `${path}/${task.oid}`);
  expect(body.status).toBe('done');
  expect(Date.parse(body.completed) - Date.parse(body.started)).toBe(5000);
});

describe('POST rejects (rest-api.md, "POST /builds body")', () => {
  test.each([
    ['no datamodelId', { datamodelId: undefined }, 400],
    ['an unknown datamodel', { datamodelId: 'nothing' }, 404],
    ['no buildType', { buildType: undefined }, 400],
    ['an unknown buildType', { buildType: 'half' }, 400],
    ['publish of an extract model', { buildType: 'publish' }, 400],
    ['an unknown schemaOrigin', { schemaOrigin: 'old' }, 400],
    ['a negative rowLimit', { rowLimit: -1 }, 400],
    ['a rowLimit that is no integer', { rowLimit: 1.5 }, 400],
  ])('%s', async (_case, changes, code) => {
    const { send, model } = await createRetailSandbox();
    const reply = await send('POST', path, { datamodelId: model.oid, buildType: 'full', ...changes });
    expect(reply.status).toBe(code);
    expect((await send('GET', path)).body).toEqual([]);
  });

  test.each(['full', 'by_table', 'schema_changes'])(
    '%s of a live model; publish is accepted (rest-api.md, "POST /builds body")',
    async (buildType) => {
      const { send } = createSandbox();
      const { oid } = (await send('POST', '/api/v2/datamodels', { title: 'L', type: 'live' })).body;
      expect((await send('POST', path, { datamodelId: oid, buildType })).status).toBe(400);
      expect((await send('POST', path, { datamodelId: oid, buildType: 'publish' })).status).toBe(201);
    },
  );
});

test.each([
  [undefined, undefined],
  [null, undefined],
  [0, undefined],
  [25, 25],
])(
  'rowLimit %j reaches the engine as %j: 0 and null mean no limit (platform-facts.md, 1.2)',
  async (rowLimit, expected) => {
    const sandbox = await createRetailSandbox();
    await sandbox.start({ rowLimit });
    await settle(sandbox);
    expect(sandbox.engine.jobs[0]?.rowLimit).toBe(expected);
  },
);

test('a failed build names the table and the engine’s message, in the task only (rest-api.md, "Errors" 3)', async () => {
  const sandbox = await createRetailSandbox();
  sandbox.engine.outcome = { status: 'failed', table: 'Orders', message: 'no such column: Revenu' };
  const { oid } = await sandbox.start();
  await settle(sandbox);
  const { body } = await sandbox.send('GET', `${path}/${oid}`);
  expect(body).toMatchObject({
    status: 'failed',
    error: { table: 'Orders', message: 'no such column: Revenu' },
  });
  const model = (await sandbox.send('GET', sandbox.path)).body;
  expect(model).toMatchObject({ lastSuccessfulBuildTime: null, lastBuildTime: expect.any(String) });
});

test('an engine that crashes fails the task and nothing else', async () => {
  const sandbox = await createRetailSandbox();
  sandbox.engine.outcome = undefined;
  const first = await sandbox.start();
  await settle(sandbox);
  sandbox.engine.crash(new Error('out of memory'));
  await settle(sandbox);
  expect((await sandbox.send('GET', `${path}/${first.oid}`)).body.error).toEqual({
    message: 'out of memory',
  });
  sandbox.engine.outcome = { status: 'done', columns: {}, rowCounts: {} };
  const second = await sandbox.start();
  await settle(sandbox);
  expect(await sandbox.getStatus(second.oid)).toBe('done');
});

test('one build runs per datamodel, a second one queues; other datamodels build in parallel', async () => {
  const sandbox = await createRetailSandbox();
  const { engine, start, getStatus, send } = sandbox;
  engine.outcome = undefined;
  const otherModel = (await send('POST', '/api/v2/datamodels', { title: 'Other' })).body;
  const first = await start();
  const second = await start();
  const third = await start({ datamodelId: otherModel.oid });
  await settle(sandbox);
  expect([await getStatus(first.oid), await getStatus(second.oid), await getStatus(third.oid)]).toEqual([
    'building',
    'pending',
    'building',
  ]);
  engine.finish({ status: 'done', columns: {}, rowCounts: {} });
  await settle(sandbox);
  expect([await getStatus(first.oid), await getStatus(second.oid)]).toEqual(['done', 'building']);
});

test('a successful build sets the build times and the columns of custom tables (rest-api.md, "Table")', async () => {
  const sandbox = await createRetailSandbox();
  const { engine, create, customPath, start, path: modelPath } = sandbox;
  const view = await create(`${customPath}/tables`, {
    name: 'V',
    type: 'custom',
    expression: 'SELECT 1 AS a, 2 AS b',
  });
  engine.outcome = {
    status: 'done',
    columns: {
      [view.oid]: [
        { name: 'a', type: 8 },
        { name: 'b', type: 8 },
      ],
    },
    rowCounts: {},
  };
  await start();
  await settle(sandbox);
  const tablePath = `${customPath}/tables/${view.oid}`;
  const first = (await sandbox.send('GET', tablePath)).body;
  expect(first.columns).toMatchObject([{ id: 'a', name: 'a', type: 8 }, { name: 'b' }]);
  const model = (await sandbox.send('GET', modelPath)).body;
  expect(model.lastBuildTime).toBe(model.lastSuccessfulBuildTime);
  expect(model.lastBuildTime).toBe('1970-01-01T00:16:40.000Z');

  // A column of the same name is the same column; the table is left alone if nothing changed.
  await start();
  await settle(sandbox);
  expect((await sandbox.send('GET', tablePath)).body).toEqual(first);
  engine.outcome = {
    status: 'done',
    columns: {
      [view.oid]: [
        { name: 'c', type: 18 },
        { name: 'b', type: 40 },
      ],
    },
    rowCounts: {},
  };
  await start();
  await settle(sandbox);
  const second = (await sandbox.send('GET', tablePath)).body;
  expect(second.columns).toMatchObject([{ name: 'c' }, { oid: first.columns[1].oid, name: 'b', type: 40 }]);
  expect(second.vTag).not.toBe(first.vTag);
});

test('a relation to a generated column that a build removed is marked', async () => {
  const sandbox = await createRetailSandbox();
  const { engine, create, customPath, custom, start, path: modelPath, ends } = sandbox;
  const view = await create(`${customPath}/tables`, {
    name: 'V',
    type: 'custom',
    expression: 'SELECT 1 AS a',
  });
  engine.outcome = { status: 'done', columns: { [view.oid]: [{ name: 'a', type: 8 }] }, rowCounts: {} };
  await start();
  await settle(sandbox);
  const { columns } = (await sandbox.send('GET', `${customPath}/tables/${view.oid}`)).body;
  const end = { dataset: custom.oid, table: view.oid, column: columns[0].oid };
  const relation = await create(`${modelPath}/relations`, { columns: [ends[0], end] });
  engine.outcome = { status: 'done', columns: { [view.oid]: [{ name: 'b', type: 8 }] }, rowCounts: {} };
  await start();
  await settle(sandbox);
  const { body } = await sandbox.send('GET', `${modelPath}/relations/${relation.oid}`);
  expect(body.columns).toMatchObject([{ isDropped: null }, { isDropped: true }]);
});

test('schemaOrigin "latest" builds the current schema, "running" the one of the last successful build (rest-api.md, "POST /builds body")', async () => {
  const sandbox = await createRetailSandbox();
  const { engine, start, send, datasetPath, orders } = sandbox;
  const taskBeforeBuild = await start({ schemaOrigin: 'running' });
  await settle(sandbox);
  expect((await send('GET', `${path}/${taskBeforeBuild.oid}`)).body).toMatchObject({
    status: 'failed',
    error: { message: "The datamodel hasn't been built, so it has no running schema" },
  });
  expect(engine.jobs).toEqual([]);

  const getTableNames = (model: unknown): string[] => {
    const { datasets } = model as { datasets: { schema: { tables: { name: string }[] } }[] };
    return datasets.flatMap(({ schema }) => schema.tables.map(({ name }) => name));
  };
  await start();
  await settle(sandbox);
  await send('PATCH', `${datasetPath}/tables/${orders.oid}`, { name: 'Sales' });
  await start({ schemaOrigin: 'running' });
  await settle(sandbox);
  await start({ buildType: 'schema_changes' });
  await settle(sandbox);
  const [first, running, latest] = engine.jobs;
  expect(first?.previous).toBeUndefined();
  expect(getTableNames(running?.datamodel)).toEqual(['Orders', 'Customers']);
  expect(getTableNames(latest?.datamodel)).toEqual(['Sales', 'Customers']);
  expect(getTableNames(latest?.previous)).toEqual(['Orders', 'Customers']);
});

describe('cancel', () => {
  test('DELETE /builds/{id} cancels a running task', async () => {
    const sandbox = await createRetailSandbox();
    sandbox.engine.outcome = undefined;
    const { oid } = await sandbox.start();
    await settle(sandbox);
    const reply = await sandbox.send('DELETE', `${path}/${oid}`);
    expect(reply.status).toBe(200);
    expect(reply.body.status).toBe('cancelled');
    // Canceling the task again does no harm.
    expect((await sandbox.send('DELETE', `${path}/${oid}`)).body.status).toBe('cancelled');
    expect((await sandbox.send('DELETE', `${path}/nothing`)).status).toBe(404);
  });

  test('a queued task is canceled without having run; a finished one stays as it ended', async () => {
    const sandbox = await createRetailSandbox();
    sandbox.engine.outcome = undefined;
    const first = await sandbox.start();
    const second = await sandbox.start();
    expect((await sandbox.send('DELETE', `${path}/${second.oid}`)).body).toMatchObject({
      status: 'cancelled',
      started: null,
    });
    await settle(sandbox);
    sandbox.engine.finish({ status: 'done', columns: {}, rowCounts: {} });
    await settle(sandbox);
    expect((await sandbox.send('DELETE', `${path}/${first.oid}`)).body.status).toBe('done');
    expect(sandbox.engine.jobs).toHaveLength(1);
  });

  test('DELETE /builds cancels the tasks of one datamodel, named in the query (platform-facts.md, 1.2)', async () => {
    const sandbox = await createRetailSandbox();
    const { engine, start, getStatus, send, model } = sandbox;
    engine.outcome = undefined;
    const otherModel = (await send('POST', '/api/v2/datamodels', { title: 'Other' })).body;
    const modelTasks = [await start(), await start()];
    const otherTask = await start({ datamodelId: otherModel.oid });
    await settle(sandbox);
    expect((await send('DELETE', path)).status).toBe(400);
    expect((await send('DELETE', `${path}?datamodelId=nothing`)).status).toBe(404);
    expect((await send('DELETE', `${path}?datamodelId=${model.oid}`)).body).toHaveLength(2);
    expect(await Promise.all(modelTasks.map(({ oid }) => getStatus(oid)))).toEqual([
      'cancelled',
      'cancelled',
    ]);
    expect(await getStatus(otherTask.oid)).toBe('building');
  });

  test('deleting the datamodel cancels its builds', async () => {
    const sandbox = await createRetailSandbox();
    sandbox.engine.outcome = undefined;
    const { oid } = await sandbox.start();
    await settle(sandbox);
    await sandbox.send('DELETE', sandbox.path);
    expect(await sandbox.getStatus(oid)).toBe('cancelled');
  });

  test('the data of a deleted datamodel is removed even if an engine still holds it at first', async () => {
    const sandbox = await createRetailSandbox();
    const { store, clock, faults, model } = sandbox;
    const folder = await mkdtemp(join(tmpdir(), 'cubes-'));
    await mkdir(join(folder, 'cubes'));
    const cubeFile = join(folder, 'cubes', `${model.oid}.sqlite`);
    const engineRun = Promise.withResolvers<BuildOutcome>();
    const builds = new BuildService({
      engine: { run: () => engineRun.promise },
      store,
      faults,
      clock,
      ids: createIdGenerator(clock),
      log: silentLog,
      folder,
      delayMs: 0,
      retentionMs: 600_000,
    });
    const task = builds.start({
      datamodelId: model.oid,
      datamodelTitle: 'Retail',
      datamodelType: 'extract',
      schemaLastUpdate: null,
      buildType: 'full',
      schemaOrigin: 'latest',
      rowLimit: undefined,
    });
    await settle(sandbox);
    store.datamodels.delete(model.oid);
    const removal = builds.remove(model.oid);
    await clock.advance(5_000);
    await removal;
    await writeFile(cubeFile, 'late');
    engineRun.resolve({ status: 'done', columns: {}, rowCounts: {} });
    await task.settled;
    await expect.poll(() => existsSync(cubeFile)).toBe(false);
    expect(store.datamodels.find(model.oid)).toBeUndefined();
    await rm(folder, { recursive: true });
  });
});

test('the data of a deleted datamodel is removed whatever its oid is', async () => {
  const { store, clock, faults } = createSandbox();
  const folder = await mkdtemp(join(tmpdir(), 'cubes-'));
  const cubeFile = getCubeFile(folder, 'a/b *');
  await mkdir(join(folder, 'cubes'));
  await writeFile(cubeFile, '');
  const builds = new BuildService({
    engine: { run: () => Promise.reject(new Error('Nothing is built here')) },
    store,
    faults,
    clock,
    ids: createIdGenerator(clock),
    log: silentLog,
    folder,
    delayMs: 0,
    retentionMs: 600_000,
  });
  await builds.remove('a/b *');
  expect(existsSync(cubeFile)).toBe(false);
  await rm(folder, { recursive: true });
});

test('GET /builds filters by datamodel and by status (platform-facts.md, 1.2)', async () => {
  const sandbox = await createRetailSandbox();
  const { engine, start, send, model } = sandbox;
  const doneTask = await start();
  await settle(sandbox);
  engine.outcome = undefined;
  const buildingTask = await start();
  await settle(sandbox);
  const listOids = async (query: string) =>
    (await send('GET', `${path}${query}`)).body.map(({ oid }: { oid: string }) => oid);
  expect(await listOids('')).toEqual([doneTask.oid, buildingTask.oid]);
  expect(await listOids('?status=done')).toEqual([doneTask.oid]);
  expect(await listOids(`?datamodelId=${model.oid}&status=building`)).toEqual([buildingTask.oid]);
  expect(await listOids('?datamodelId=other')).toEqual([]);
});

test('a finished task vanishes after a while, a running one does not (rest-api.md, "Build task")', async () => {
  const sandbox = await createRetailSandbox({ retentionMs: 1000 });
  const doneTask = await sandbox.start();
  await settle(sandbox);
  sandbox.engine.outcome = undefined;
  const runningTask = await sandbox.start();
  await sandbox.clock.advance(999);
  expect(await sandbox.getStatus(doneTask.oid)).toBe('done');
  await sandbox.clock.advance(1);
  expect((await sandbox.send('GET', `${path}/${doneTask.oid}`)).status).toBe(404);
  expect(await sandbox.getStatus(runningTask.oid)).toBe('building');
});

test('fault switches slow down builds and make them fail (decisions.md, "Sandbox")', async () => {
  const sandbox = await createRetailSandbox();
  sandbox.faults.set([
    { kind: 'slowBuilds', ms: 500 },
    { kind: 'failingBuilds', message: 'disk full', table: 'Orders', count: 1 },
  ]);
  const failed = await sandbox.start();
  await settle(sandbox);
  expect((await sandbox.send('GET', `${path}/${failed.oid}`)).body.error).toEqual({
    table: 'Orders',
    message: 'disk full',
  });
  const slowTask = await sandbox.start();
  await settle(sandbox);
  expect(sandbox.engine.jobs.map(({ delayMs }) => delayMs)).toEqual([500]);
  expect(await sandbox.getStatus(slowTask.oid)).toBe('done');
});
