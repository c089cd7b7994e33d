import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { HttpError } from '../../src/client/errors.ts';
import type { PlatformClient } from '../../src/client/platformClient.ts';
import { delay, systemClock } from '../../src/base/clock.ts';
import { getBuildPhase, type NewBuild } from '../../src/contract/build.ts';
import type { EndpointId } from '../../src/contract/endpoints.ts';
import { createClientCalls, defaultCallArguments } from '../support/clientCalls.ts';
import { expectDefined } from '../support/expectations.ts';

/**
 * Calls every method of a client on a demo sandbox, in the order in which a user builds a model and protects it.
 * Methods that this scenario doesn't need are called as in their examples, with the IDs of the created resources.
 * @param getUnusedEndpoints returns the endpoints that were not used so far
 */
export async function walkAllMethods(
  client: PlatformClient,
  folder: string,
  getUnusedEndpoints: () => readonly EndpointId[],
): Promise<void> {
  const salesGroupId = expectDefined((await client.groups.find('Sales')).value)._id;
  const [user] = (await client.users.list()).value;
  await client.users.list({ ids: [expectDefined(user)._id], fields: ['email', 'groups'] });
  await readModels(client);
  const extractModel = await buildModel(client, folder);
  await walkExtractRules(client, 'Walk', salesGroupId);
  const liveModelId = await publishModel(client);
  await walkLiveRules(client, 'Live Walk', salesGroupId);
  await walkCustomData(client);
  await walkViewpoints(client);
  const calls = createClientCalls(client, {
    ...defaultCallArguments,
    ...extractModel,
    elasticube: 'Walk',
    title: 'Live Walk',
  });
  for (const id of getUnusedEndpoints().filter((endpoint) => !finalEndpoints.includes(endpoint))) {
    await calls[id]();
  }
  await deleteAll(client, extractModel);
  await client.datamodels.delete({ datamodelId: liveModelId });
}

/** Reads every document of the demo. */
async function readModels(client: PlatformClient): Promise<void> {
  await client.datamodels.list({ title: 'Retail', fields: ['title'] });
  for (const { oid: datamodelId } of (await client.datamodels.list({ fields: ['title', 'type'] })).value) {
    await client.datamodels.get({ datamodelId });
    await client.relations.list({ datamodelId });
    for (const { oid: datasetId } of (await client.datasets.list({ datamodelId })).value) {
      await client.datasets.get({ datamodelId, datasetId });
      for (const { oid: tableId } of (await client.tables.list({ datamodelId, datasetId })).value) {
        await client.tables.get({ datamodelId, datasetId, tableId });
      }
    }
  }
}

interface WalkedModel {
  readonly datamodelId: string;
  readonly datasetId: string;
  readonly tableId: string;
  readonly relationId: string;
  readonly columnId: string;
}

async function buildModel(client: PlatformClient, folder: string): Promise<WalkedModel> {
  await mkdir(join(folder, 'files'), { recursive: true });
  await writeFile(join(folder, 'files', 'shops.csv'), 'id,town\n1,Oslo\n2,Bergen\n');
  const { oid: datamodelId } = expectDefined((await client.datamodels.create({ title: 'Walk' })).value);
  const connection = {
    provider: 'CSV',
    fileName: 'shops.csv',
    schema: 'shops.csv',
    parameters: { ApiVersion: 2, files: ['shops.csv'], delimiter: ',', hasHeader: 'true' },
  };
  const csvDataset = await client.datasets.create(
    { datamodelId },
    { name: 'files', type: 'extract', connection },
  );
  const datasetId = expectDefined(csvDataset.value).oid;
  await client.datasets.update({ datamodelId, datasetId }, { connection: { ...connection, timeout: 5 } });
  const customDataset = await client.datasets.create({ datamodelId }, { name: 'own', type: 'custom' });
  const shops = expectDefined(
    (
      await client.tables.create(
        { datamodelId, datasetId },
        {
          id: 'shops.csv',
          name: 'Shops',
          columns: [
            { id: 'id', name: 'Id', type: 8 },
            { id: 'town', name: 'Town', type: 18 },
          ],
        },
      )
    ).value,
  );
  const customTable = expectDefined(
    (
      await client.tables.create(
        { datamodelId, datasetId: expectDefined(customDataset.value).oid },
        { id: 'custom-1', name: 'Towns', type: 'custom', expression: 'SELECT [Town] FROM [Shops]' },
      )
    ).value,
  );
  const customPath = {
    datamodelId,
    datasetId: expectDefined(customDataset.value).oid,
    tableId: customTable.oid,
  };
  await client.tables.update(customPath, { expression: 'SELECT [Id], [Town] FROM [Shops]' });
  const tablePath = { datamodelId, datasetId, tableId: shops.oid };
  const customColumn = { id: 'Upper', name: 'Upper', type: 18, isCustom: true, expression: 'UPPER([Town])' };
  await client.tables.update(tablePath, { columns: [...expectDefined(shops.columns), customColumn] });
  // Send the table back exactly as it was read.
  await client.tables.update(tablePath, (await client.tables.get(tablePath)).value);
  const relationEnd = {
    dataset: datasetId,
    table: shops.oid,
    column: expectDefined(shops.columns?.[0]?.oid),
  };
  const relation = expectDefined(
    (await client.relations.create({ datamodelId }, { columns: [relationEnd, relationEnd] })).value,
  );
  const relationPath = { datamodelId, relationId: relation.oid };
  await client.relations.update(relationPath, (await client.relations.get(relationPath)).value);
  await client.relations.delete(relationPath);
  await build(client, { datamodelId, buildType: 'full', rowLimit: 1 });
  await build(client, { datamodelId, buildType: 'schema_changes' });
  const { oid: buildId } = (await client.builds.start({ datamodelId, buildType: 'by_table' })).value;
  // The build may have ended by now, and the server reports that as an error inside a success response.
  await ignoreRefusal(client.builds.cancel({ buildId }));
  await client.builds.cancelAll({ datamodelId });
  const newRelation = expectDefined(
    (await client.relations.create({ datamodelId }, { columns: [relationEnd, relationEnd] })).value,
  );
  return {
    datamodelId,
    datasetId,
    tableId: shops.oid,
    relationId: newRelation.oid,
    columnId: relationEnd.column,
  };
}

/** Builds and polls until the task has ended; a task that was just accepted may not be found yet. */
async function build(client: PlatformClient, request: NewBuild): Promise<void> {
  const { oid: buildId } = (await client.builds.start(request)).value;
  for (let pollIndex = 0; pollIndex < 2000; pollIndex += 1) {
    const task = await ignoreRefusal(client.builds.get({ buildId }));
    if (getBuildPhase(task?.value.status) !== 'running') {
      return;
    }
    await delay(systemClock, 10);
  }
  throw new Error('The build did not end');
}

/** Returns the response to a call, or `undefined` if the instance refuses it. */
async function ignoreRefusal<T>(call: Promise<T>): Promise<T | undefined> {
  try {
    return await call;
  } catch (error) {
    if (error instanceof HttpError) {
      return undefined;
    }
    throw error;
  }
}

const createRule = (members: readonly string[], share: object, column = 'Town') => ({
  table: 'Shops',
  column,
  datatype: 'text',
  members,
  allMembers: members.length === 0 ? true : null,
  shares: [share],
});

async function walkExtractRules(client: PlatformClient, elasticube: string, group: string): Promise<void> {
  const cube = { server: 'LocalHost', elasticube };
  const groupRule = createRule(['Oslo'], { party: group, type: 'group' });
  const defaultRule = createRule([], { type: 'default' });
  await client.extractRules.create(cube, [groupRule, defaultRule, { ...groupRule, column: 'Upper' }]);
  const exclusionaryRule = { ...groupRule, ...cube, members: ['Bergen'], exclusionary: true };
  await client.extractRules.createMany([exclusionaryRule]);
  await client.extractRules.listByColumn({ ...cube, table: 'Shops', column: 'Town' });
  await client.extractRules.listByUser({ ...cube, user: group });
  const [first] = (await client.extractRules.list(cube)).value;
  const ruleId = expectDefined(first?._id);
  await client.extractRules.update({ ruleId }, { ...expectDefined(first), members: ['Oslo', 'Bergen'] });
  await client.extractRules.delete({ ruleId });
  await client.extractRules.deleteByColumn(cube, { table: 'Shops', column: 'Town' });
}

async function publishModel(client: PlatformClient): Promise<string> {
  const { oid } = expectDefined((await client.datamodels.create({ title: 'Live Walk', type: 'live' })).value);
  const connection = {
    provider: 'PostgreSQL',
    schema: 'desk',
    parameters: { Server: 'tickets.sandbox.local' },
  };
  const dataset = await client.datasets.create(
    { datamodelId: oid },
    { name: 'desk', type: 'live', connection },
  );
  await client.tables.create(
    { datamodelId: oid, datasetId: expectDefined(dataset.value).oid },
    { id: 'shops', name: 'Shops', columns: [{ id: 'Town', name: 'Town', type: 18 }] },
  );
  await build(client, { datamodelId: oid, buildType: 'publish' });
  await client.datamodels.get({ datamodelId: oid });
  return oid;
}

async function walkLiveRules(client: PlatformClient, title: string, group: string): Promise<void> {
  const groupRule = createRule(['Oslo'], { partyId: group, type: 'group' });
  await client.liveRules.create({ title }, [groupRule]);
  await client.liveRules.create({ title }, [createRule([], { type: 'default' })]);
  // By now the client has learned from single rules whether the server takes one rule per request or a list.
  const upperRule = { ...groupRule, column: 'Upper', members: ['Oslo', 'Bergen'] };
  await client.liveRules.create({ title }, [
    upperRule,
    { ...createRule([], { type: 'default' }), column: 'Upper' },
  ]);
  const [first] = (await client.liveRules.list({ title })).value;
  await client.liveRules.delete({ ruleId: expectDefined(first?._id) });
  await client.liveRules.deleteByColumn({ title, table: 'Shops', column: 'Town' });
}

async function walkCustomData(client: PlatformClient): Promise<void> {
  await client.customData.create({ app: 'walk', n: 1 });
  await client.customData.list();
  await client.customData.query({ app: 'walk' });
  await client.customData.updateMatching({ queryForSearch: { app: 'walk' }, objectForUpdate: { n: 2 } });
  await client.customData.deleteMatching({ app: 'walk' });
}

async function walkViewpoints(client: PlatformClient): Promise<void> {
  const viewpoint = expectDefined((await client.viewpoints.create({ name: 'Walk', description: '' })).value);
  const path = { viewpointId: viewpoint.id };
  await client.viewpoints.list();
  await client.viewpoints.get(path);
  await client.viewpoints.update(path, { description: 'Changed' });
  await client.viewpoints.delete(path);
}

/** The endpoints that are called last, because they delete what the other calls need. */
const finalEndpoints: readonly EndpointId[] = ['tables.delete', 'datasets.delete', 'datamodels.delete'];

async function deleteAll(client: PlatformClient, model: WalkedModel): Promise<void> {
  const { datamodelId, datasetId, tableId, relationId } = model;
  await client.relations.delete({ datamodelId, relationId });
  await client.tables.delete({ datamodelId, datasetId, tableId });
  await client.datasets.delete({ datamodelId, datasetId });
  await client.datamodels.delete({ datamodelId });
}
