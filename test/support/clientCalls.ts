import type { Answer } from '../../src/client/answer.ts';
import type { PlatformClient } from '../../src/client/platformClient.ts';
import type { EndpointId } from '../../src/contract/endpoints.ts';

/** Names and documents for one call of every method; a test may take some of its own. */
export interface CallNames {
  readonly datamodelId: string;
  readonly datasetId: string;
  readonly tableId: string;
  readonly relationId: string;
  readonly columnId: string;
  readonly buildId: string;
  readonly ruleId: string;
  readonly viewpointId: string;
  readonly server: string;
  readonly elasticube: string;
  readonly title: string;
  readonly user: string;
}

export const someNames: CallNames = {
  datamodelId: 'model-1',
  datasetId: 'dataset-1',
  tableId: 'table-1',
  relationId: 'relation-1',
  columnId: 'column-1',
  buildId: 'build-1',
  ruleId: 'rule-1',
  viewpointId: 'viewpoint-1',
  server: 'LocalHost',
  elasticube: 'Retail',
  title: 'Support',
  user: 'user-1',
};

const rule = (party: object) => ({
  table: 'Stores',
  column: 'Region',
  datatype: 'text',
  members: ['North'],
  allMembers: null,
  shares: [{ ...party, type: 'user' }],
});

/** One call of every method, with a body that the payload makers accept. The compiler sees to completeness. */
export function everyCall(
  client: PlatformClient,
  names: CallNames = someNames,
): Readonly<Record<EndpointId, (signal?: AbortSignal) => Promise<Answer<unknown>>>> {
  const { datamodelId, datasetId, tableId, relationId, columnId, buildId, ruleId, viewpointId } = names;
  const { server, elasticube, title, user } = names;
  const end = { dataset: datasetId, table: tableId, column: columnId };
  const extractRule = rule({ party: user });
  const column = { table: 'Stores', column: 'Region' };
  return {
    'session.check': (signal) => client.session.check(signal),
    'groups.find': (signal) => client.groups.find('Sales', signal),
    'groups.list': (signal) => client.groups.list({ limit: 10 }, signal),
    'users.list': (signal) => client.users.list({ fields: ['groups'], limit: 10 }, signal),
    'extractRules.list': (signal) => client.extractRules.list({ server, elasticube }, signal),
    'extractRules.listByColumn': (signal) =>
      client.extractRules.listByColumn({ server, elasticube, ...column }, signal),
    'extractRules.listByUser': (signal) =>
      client.extractRules.listByUser({ server, elasticube, user }, signal),
    'extractRules.createMany': (signal) =>
      client.extractRules.createMany([{ ...extractRule, server, elasticube }], signal),
    'extractRules.create': (signal) =>
      client.extractRules.create({ server, elasticube }, [extractRule], signal),
    'extractRules.update': (signal) =>
      client.extractRules.update({ ruleId }, { ...extractRule, server, elasticube }, signal),
    'extractRules.deleteByColumn': (signal) =>
      client.extractRules.deleteByColumn({ server, elasticube }, column, signal),
    'extractRules.delete': (signal) => client.extractRules.delete({ ruleId }, signal),
    'liveRules.list': (signal) => client.liveRules.list({ title }, signal),
    'liveRules.create': (signal) => client.liveRules.create({ title }, [rule({ partyId: user })], signal),
    'liveRules.createMany': (signal) =>
      client.liveRules.createMany({ title }, [rule({ partyId: user })], signal),
    'liveRules.delete': (signal) => client.liveRules.delete({ ruleId }, signal),
    'liveRules.deleteByColumn': (signal) => client.liveRules.deleteByColumn({ title, ...column }, signal),
    'datamodels.list': (signal) => client.datamodels.list({}, signal),
    'datamodels.get': (signal) => client.datamodels.get({ datamodelId }, signal),
    'datamodels.create': (signal) => client.datamodels.create({ title: 'Fresh' }, signal),
    'datamodels.delete': (signal) => client.datamodels.delete({ datamodelId }, signal),
    'datasets.list': (signal) => client.datasets.list({ datamodelId }, signal),
    'datasets.get': (signal) => client.datasets.get({ datamodelId, datasetId }, signal),
    'datasets.create': (signal) =>
      client.datasets.create({ datamodelId }, { name: 'more', type: 'custom' }, {}, signal),
    'datasets.update': (signal) =>
      client.datasets.update(
        { datamodelId, datasetId },
        { connection: { provider: 'CSV', fileName: 'stores.csv', parameters: { files: ['stores.csv'] } } },
        {},
        signal,
      ),
    'datasets.delete': (signal) => client.datasets.delete({ datamodelId, datasetId }, signal),
    'tables.list': (signal) => client.tables.list({ datamodelId, datasetId }, signal),
    'tables.get': (signal) => client.tables.get({ datamodelId, datasetId, tableId }, signal),
    'tables.create': (signal) =>
      client.tables.create(
        { datamodelId, datasetId },
        { name: 'Counts', type: 'custom', expression: 'SELECT 1 AS one' },
        signal,
      ),
    'tables.update': (signal) =>
      client.tables.update({ datamodelId, datasetId, tableId }, { description: 'All stores' }, signal),
    'tables.delete': (signal) => client.tables.delete({ datamodelId, datasetId, tableId }, signal),
    'relations.list': (signal) => client.relations.list({ datamodelId }, signal),
    'relations.get': (signal) => client.relations.get({ datamodelId, relationId }, signal),
    'relations.create': (signal) => client.relations.create({ datamodelId }, { columns: [end, end] }, signal),
    'relations.update': (signal) =>
      client.relations.update({ datamodelId, relationId }, { columns: [end, end] }, signal),
    'relations.delete': (signal) => client.relations.delete({ datamodelId, relationId }, signal),
    'builds.list': (signal) => client.builds.list({}, signal),
    'builds.start': (signal) => client.builds.start({ datamodelId, buildType: 'full' }, signal),
    'builds.cancelAll': (signal) => client.builds.cancelAll({ datamodelId }, signal),
    'builds.get': (signal) => client.builds.get({ buildId }, signal),
    'builds.cancel': (signal) => client.builds.cancel({ buildId }, signal),
    'customData.list': (signal) => client.customData.list(signal),
    'customData.query': (signal) => client.customData.query({ app: 'notes' }, signal),
    'customData.create': (signal) => client.customData.create({ app: 'notes' }, signal),
    'customData.updateMatching': (signal) =>
      client.customData.updateMatching(
        { queryForSearch: { app: 'notes' }, objectForUpdate: { done: true } },
        signal,
      ),
    'customData.deleteMatching': (signal) => client.customData.deleteMatching({ app: 'notes' }, signal),
    'viewpoints.status': (signal) => client.viewpoints.status(signal),
    'viewpoints.list': (signal) => client.viewpoints.list({}, signal),
    'viewpoints.get': (signal) => client.viewpoints.get({ viewpointId }, signal),
    'viewpoints.create': (signal) => client.viewpoints.create({ name: 'Fresh', description: 'New' }, signal),
    'viewpoints.update': (signal) => client.viewpoints.update({ viewpointId }, { name: 'Renamed' }, signal),
    'viewpoints.delete': (signal) => client.viewpoints.delete({ viewpointId }, signal),
  };
}
