import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { HttpError } from '../../../src/client/errors.ts';
import { delay, systemClock } from '../../../src/base/clock.ts';
import { type BuildTask, type NewBuild, getBuildPhase } from '../../../src/contract/build.ts';
import type { Table } from '../../../src/contract/table.ts';
import { sandboxProfile } from '../../support/profile.ts';
import { useSandbox } from './sandboxFixture.ts';
import { createRealClient } from './realClient.ts';
import { expectDefined } from '../../support/expectations.ts';

const platform = useSandbox();

async function findModel(title: string) {
  const [model] = (await platform.client.datamodels.list({ title })).value;
  return expectDefined(model);
}

/** Returns a build task; `undefined` while a server that has just accepted the build still responds with 400. */
async function getTask(buildId: string): Promise<BuildTask | undefined> {
  try {
    return (await platform.client.builds.get({ buildId })).value;
  } catch (error) {
    if (sandboxProfile === 'contract' && error instanceof HttpError && error.status === 400) {
      return undefined;
    }
    throw error;
  }
}

/** Waits until a task has ended; the sandbox runs small builds within a second. */
async function waitForEnd(buildId: string): Promise<BuildTask> {
  for (let attempt = 0; attempt < 400; attempt += 1) {
    const task = await getTask(buildId);
    if (task !== undefined && getBuildPhase(task.status) !== 'running') {
      return task;
    }
    await delay(systemClock, 25);
  }
  throw new Error('The build did not end');
}

const build = async (request: NewBuild) =>
  waitForEnd((await platform.client.builds.start(request)).value.oid);

/** A datamodel with one CSV table of three rows and one custom table over it. */
async function createShop(title: string) {
  await mkdir(join(platform.sandbox.folder, 'files'), { recursive: true });
  await writeFile(
    join(platform.sandbox.folder, 'files', 'shops.csv'),
    'id,town\n1,Oslo\n2,Bergen\n3,Tromso\n',
  );
  const model = expectDefined((await platform.client.datamodels.create({ title })).value);
  const path = { datamodelId: model.oid };
  const connection = {
    provider: 'CSV',
    fileName: 'shops.csv',
    schema: 'shops.csv',
    parameters: { ApiVersion: 2, files: ['shops.csv'], delimiter: ',', hasHeader: 'true' },
  };
  const source = expectDefined(
    (await platform.client.datasets.create(path, { name: 'files', type: 'extract', connection })).value,
  );
  const custom = expectDefined(
    (await platform.client.datasets.create(path, { name: 'own', type: 'custom' })).value,
  );
  const columns = [
    { id: 'id', name: 'Id', type: 8 },
    { id: 'town', name: 'Town', type: 18 },
  ];
  const table = expectDefined(
    (await platform.client.tables.create({ ...path, datasetId: source.oid }, { id: 'shops.csv', columns }))
      .value,
  );
  return { path, source, custom, table, tablePath: { ...path, datasetId: source.oid, tableId: table.oid } };
}

const getColumn = (table: Table, index: number): string => String(table.columns?.[index]?.oid);

describe('datamodels, datasets, tables, and relations', () => {
  test('datamodels are created, listed and deleted, but cannot be changed [spec: datamodel.title] [spec: datamodel.type-default] [spec: limit.no-mixed] [spec: datamodel.no-edit]', () =>
    platform.expectSuccesses(
      ['datamodels.list', 'datamodels.get', 'datamodels.create', 'datamodels.delete'],
      async () => {
        const { oid } = expectDefined(
          (await platform.client.datamodels.create({ title: 'Short-lived' })).value,
        );
        expect((await platform.client.datamodels.get({ datamodelId: oid })).value).toMatchObject({
          type: 'extract',
        });
        const duplicate = await platform.expectFailure(
          platform.client.datamodels.create({ title: 'Short-lived' }),
        );
        expect(duplicate).toMatchObject({ status: 400, code: 'rejected' });
        expect(
          (await platform.expectFailure(platform.client.datamodels.create({ title: 'Both', type: 'mixed' })))
            .code,
        ).toBe('invalid-request');
        // A datamodel cannot be changed: the client has no such method and the sandbox no such route.
        expect('update' in platform.client.datamodels).toBe(false);
        expect(
          (await platform.client.datamodels.list({ title: 'Short-lived' })).value.map((each) => each.oid),
        ).toEqual([oid]);
        await platform.client.datamodels.delete({ datamodelId: oid });
        expect((await platform.client.datamodels.list({ title: 'Short-lived' })).value).toEqual([]);
        expect(
          (await platform.expectFailure(platform.client.datamodels.get({ datamodelId: oid }))).code,
        ).toBe('not-found');
      },
    ));

  test('datasets are created, changed in their connection only, and deleted with their tables [spec: dataset.types] [spec: dataset.connection-only] [spec: dataset.delete] [spec: datamodel.delete]', () =>
    platform.expectSuccesses(
      [
        'datasets.list',
        'datasets.get',
        'datasets.create',
        'datasets.update',
        'datasets.delete',
        'tables.list',
      ],
      async () => {
        const { path, source, table } = await createShop('Datasets');
        const datasetPath = { ...path, datasetId: source.oid };
        expect((await platform.client.datasets.list(path)).value.map(({ type }) => type)).toEqual([
          'extract',
          'custom',
        ]);
        const wrongCreation = platform.client.datasets.create(path, {
          name: 'x',
          type: 'live',
          connection: { provider: 'CSV' },
        });
        expect((await platform.expectFailure(wrongCreation)).code).toBe('rejected');
        // The whole document is passed; its read-only connection fields and its name are not sent.
        const { value } = await platform.client.datasets.get(datasetPath);
        const connection = { ...value.connection, timeout: 5 };
        await platform.client.datasets.update(datasetPath, { ...value, name: 'renamed', connection });
        const changed = (await platform.client.datasets.get(datasetPath)).value;
        expect(changed).toMatchObject({ name: 'files', connection: { timeout: 5, provider: 'CSV' } });
        await platform.client.datasets.delete(datasetPath);
        expect((await platform.client.datasets.list(path)).value.map(({ name }) => name)).toEqual(['own']);
        expect(
          (await platform.expectFailure(platform.client.tables.get({ ...datasetPath, tableId: table.oid })))
            .code,
        ).toBe('not-found');
        expect(
          (
            await platform.client.tables
              .list({ ...path, datasetId: changed.oid })
              .catch(() => ({ value: [] }))
          ).value,
        ).toEqual([]);
        const retail = await findModel('Retail');
        const [dataset] = (await platform.client.datasets.list({ datamodelId: retail.oid })).value;
        expect(
          (await platform.client.tables.list({ datamodelId: retail.oid, datasetId: String(dataset?.oid) }))
            .value,
        ).toHaveLength(3);
        await platform.client.datamodels.delete(path);
      },
    ));

  test('tables are created, changed with all their columns, and deleted [spec: table.name-default] [spec: table.file-id] [spec: table.custom-dataset] [spec: table.hidden] [spec: datamodel.columns-replace] [spec: table.patch-one]', () =>
    platform.expectSuccesses(['tables.get', 'tables.create', 'tables.update', 'tables.delete'], async () => {
      const { path, source, custom, tablePath } = await createShop('Tables');
      const { value: table } = await platform.client.tables.get(tablePath);
      expect(table).toMatchObject({ name: 'shops.csv', type: 'base' });
      const secondCreation = platform.client.tables.create(
        { ...path, datasetId: source.oid },
        { id: 'other.csv', columns: [] },
      );
      expect((await platform.expectFailure(secondCreation)).code).toBe('rejected');
      const misplacedCreation = platform.client.tables.create(
        { ...path, datasetId: source.oid },
        { type: 'custom', name: 'X', expression: 'SELECT 1' },
      );
      expect((await platform.expectFailure(misplacedCreation)).code).toBe('rejected');
      const [firstColumn] = table.columns ?? [];
      const columns = [
        { ...firstColumn, hidden: true },
        { id: 'town', name: 'City', type: 18 },
      ];
      await platform.client.tables.update(tablePath, { ...table, vTag: 'not-ours', columns });
      const after = (await platform.client.tables.get(tablePath)).value;
      expect(after.columns).toHaveLength(2);
      expect(after.columns?.[0]).toMatchObject({ oid: getColumn(table, 0), hidden: true });
      expect(getColumn(after, 1)).not.toBe(getColumn(table, 1));
      const creation = await platform.client.tables.create(
        { ...path, datasetId: custom.oid },
        { type: 'custom', name: 'Towns', expression: 'SELECT City FROM shops' },
      );
      const customPath = { ...path, datasetId: custom.oid, tableId: expectDefined(creation.value).oid };
      expect((await platform.client.tables.get(customPath)).value.expression).toMatchObject({
        expression: 'SELECT City FROM shops',
      });
      await platform.client.tables.delete(customPath);
      expect((await platform.expectFailure(platform.client.tables.get(customPath))).code).toBe('not-found');
      await platform.client.datamodels.delete(path);
    }));

  test('relations are created, changed and deleted, and stay when a table is deleted [spec: datamodel.relation-columns] [spec: relation.delete] [spec: datamodel.references-stay]', () =>
    platform.expectSuccesses(
      ['relations.list', 'relations.get', 'relations.create', 'relations.update', 'relations.delete'],
      async () => {
        const { path, source, table, tablePath } = await createShop('Relations');
        const secondTable = expectDefined(
          (
            await platform.client.tables.create(
              { ...path, datasetId: source.oid },
              { id: 'shops.csv', name: 'Again', columns: [{ id: 'id', name: 'Id', type: 8 }] },
            )
          ).value,
        );
        const createEnd = (endTable: Table, index: number) => ({
          dataset: source.oid,
          table: endTable.oid,
          column: getColumn(endTable, index),
        });
        const columns = [createEnd(table, 0), createEnd(secondTable, 0), createEnd(table, 1)];
        const { oid } = expectDefined((await platform.client.relations.create(path, { columns })).value);
        const relationPath = { ...path, relationId: oid };
        await platform.client.relations.update(relationPath, { columns: columns.slice(0, 2) });
        expect((await platform.client.relations.get(relationPath)).value.columns).toHaveLength(2);
        await platform.client.tables.delete(tablePath);
        expect((await platform.client.relations.list(path)).value.map((each) => each.oid)).toEqual([oid]);
        await platform.client.relations.delete(relationPath);
        expect((await platform.client.relations.list(path)).value).toEqual([]);
        await platform.client.datamodels.delete(path);
      },
    ));

  test('both dialects give the same responses where available, and the client remembers the right one', async () => {
    const retail = await findModel('Retail');
    const otherClient = createRealClient(platform.sandbox.url, platform.sandbox.adminToken, {
      deps: { dialect: 'schema' },
    });
    const path = { datamodelId: retail.oid };
    expect((await otherClient.client.datamodels.get(path)).value).toEqual(
      (await platform.client.datamodels.get(path)).value,
    );
    expect((await otherClient.client.relations.list(path)).text).toBe(
      (await platform.client.relations.list(path)).text,
    );
    expect([platform.client.dialect, otherClient.client.dialect]).toEqual([
      sandboxProfile === 'guide' ? 'plain' : 'schema',
      'schema',
    ]);
    otherClient.client.dispose();
  });
});

describe('builds', () => {
  test('run, are limited and listed, and fail with a message [spec: build.oid] [spec: build.types] [spec: build.row-limit] [spec: build.failure-in-task] [spec: datamodel.rename-keeps-id]', () =>
    platform.expectSuccesses(['builds.list', 'builds.start', 'builds.get'], async () => {
      const { path, custom, tablePath } = await createShop('Builds');
      const { datamodelId } = path;
      await platform.client.tables.create(
        { ...path, datasetId: custom.oid },
        { type: 'custom', name: 'Towns', expression: 'SELECT Town FROM [shops.csv]' },
      );
      for (const buildType of ['full', 'by_table', 'schema_changes'] as const) {
        expect((await build({ datamodelId, buildType, schemaOrigin: 'latest' })).status).toBe('done');
      }
      expect(
        (await build({ datamodelId, buildType: 'full', schemaOrigin: 'running', rowLimit: 2 })).status,
      ).toBe('done');
      for (const buildType of ['by_table', 'schema_changes'] as const) {
        expect(await build({ datamodelId, buildType, rowLimit: 3 })).toMatchObject({
          status: 'done',
          rowLimit: 3,
        });
      }
      expect(
        (await platform.expectFailure(platform.client.builds.start({ datamodelId, buildType: 'publish' })))
          .code,
      ).toBe('rejected');
      await platform.client.tables.update(tablePath, { name: 'Renamed' });
      expect((await platform.client.tables.get(tablePath)).value.id).toBe('shops.csv');
      const failed = await build({ datamodelId, buildType: 'full' });
      expect(failed.status).toBe('failed');
      // The tasks of the contract have no error text.
      expect(JSON.stringify(failed).includes('Towns')).toBe(sandboxProfile === 'guide');
      expect((await platform.client.builds.list({ datamodelId })).value).toHaveLength(7);
      expect(
        (await platform.client.builds.list({ datamodelId, status: 'failed' })).value.map(({ oid }) => oid),
      ).toEqual([failed.oid]);
      const live = await findModel('Support Desk');
      expect((await build({ datamodelId: live.oid, buildType: 'publish' })).status).toBe('done');
      await platform.client.datamodels.delete(path);
    }));

  test('are canceled one by one and all at once [spec: build.cancel] [spec: build.cancel-all]', () =>
    platform.expectSuccesses(['builds.cancel', 'builds.cancelAll'], async () => {
      const { path } = await createShop('Slow');
      await platform.sandbox.setFaults([{ kind: 'slowBuilds', ms: 60_000 }]);
      const start = async () =>
        (await platform.client.builds.start({ ...path, buildType: 'full' })).value.oid;
      const firstBuildId = await start();
      await platform.client.builds.cancel({ buildId: firstBuildId });
      const [secondBuildId, thirdBuildId] = [await start(), await start()];
      await platform.client.builds.cancelAll(path);
      const phases = await Promise.all(
        [firstBuildId, secondBuildId, thirdBuildId].map(async (oid) =>
          getBuildPhase((await waitForEnd(oid)).status),
        ),
      );
      expect(phases).toEqual(['cancelled', 'cancelled', 'cancelled']);
      await platform.sandbox.setFaults([]);
      await platform.client.datamodels.delete(path);
    }));
});
