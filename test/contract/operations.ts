import type * as z from 'zod';
import type { EndpointId } from '../../src/contract/endpoints.ts';
import { anyObject, flag, flagOrNull, hexId, list, shape, text, uuid, whole, word } from './shapes.ts';

/** What the vendor's published contract says of an operation: facts in our own words, of what the product uses. */
export interface Operation {
  /** The file of the contract and the path in it. */
  readonly source: string;
  /** The statuses of success that it promises. */
  readonly statuses: readonly number[];
  /** Query parameters without which it is not to be asked. */
  readonly query?: readonly string[];
  readonly request?: z.ZodType;
  /** Shape of the body with a status of success, but for 204; absent where the contract gives none. */
  readonly answer?: z.ZodType;
}

const connection = shape(
  { provider: text, parameters: anyObject },
  {
    schema: text,
    fileName: text,
    timeout: whole,
    refreshRate: whole,
    resultLimit: whole,
    uiParams: anyObject,
    globalTableConfigOptions: anyObject,
  },
);
const datasetType = word('live', 'extract', 'custom');
const datasetOutput = shape({}, { oid: uuid, name: text, type: datasetType, connection });

const columnFields = {
  name: text,
  type: whole,
  size: whole,
  precision: whole,
  scale: whole,
  hidden: flag,
  indexed: flag,
  description: text,
  import: flag,
  isCustom: flag,
};
const expressionOutput = shape({}, { oid: uuid, expression: text, lastUpdated: text });
const buildBehavior = shape(
  { type: word('sync', 'accumulativeSync', 'ignoreIfExists') },
  {
    accumulativeConfig: shape(
      { column: text, type: word('lastStored', 'lastDays') },
      { lastDays: whole, keepOnlyDays: whole },
    ),
  },
);
const tableFields = {
  name: text,
  hidden: flag,
  buildBehavior,
  configOptions: anyObject,
  description: text,
  tags: list(text),
  type: word('base', 'custom'),
};
const tableInput = shape(
  { id: text, columns: list(shape({ id: text }, { ...columnFields, expression: text })) },
  { ...tableFields, expression: text },
);
const tableOutput = shape(
  {},
  {
    ...tableFields,
    id: text,
    oid: uuid,
    columns: list(shape({}, { ...columnFields, id: text, oid: uuid, expression: expressionOutput })),
    expression: expressionOutput,
    lastUpdated: text,
    createdAt: text,
  },
);

const relationColumns = list(shape({ dataset: uuid, table: uuid, column: uuid }));
const relationInput = shape({ columns: relationColumns });
const relationOutput = shape({ columns: relationColumns }, { oid: uuid });

const party = shape({}, { oid: uuid, type: word('user', 'group') });
const datamodelOutput = shape(
  {},
  {
    oid: uuid,
    title: text,
    server: text,
    serverId: uuid,
    shares: list(party),
    lastUpdated: text,
    lastBuildTime: text,
    lastSuccessfulBuildTime: text,
    lastPublishTime: text,
    type: word('extract', 'custom'),
    creator: party,
    datasets: list(datasetOutput),
    relations: list(relationOutput),
    relationType: word('direct', 'regular'),
  },
);

/** What a v2 DELETE answers. */
const removed = shape({ status: whole, title: text }, { detail: text, logref: text, sub: whole, type: text });

const buildFields = {
  oid: uuid,
  datamodelId: uuid,
  buildType: word('schema-changes', 'by-table', 'full', 'publish'),
  status: word('pending', 'building', 'done', 'cancelled', 'failed'),
  datamodelTitle: text,
  datamodelType: word('extract', 'live'),
  indexSize: word('short', 'long'),
  instanceId: text,
  schemaLastUpdate: text,
  created: text,
  started: text,
  completed: text,
  rowLimit: whole,
  source: word('rest', 'nextecm', 'scheduler', 'cli'),
};
const buildOutput = shape({}, buildFields);

const extractRuleFields = {
  allMembers: flag,
  column: text,
  datatype: text,
  exclusionary: flag,
  members: list(text),
  shares: list(shape({}, { party: text, type: text })),
  table: text,
};
const cube = { server: text, elasticube: text };
const liveRuleFields = {
  allMembers: flagOrNull,
  members: list(text),
  shares: list(shape({ type: word('user', 'group', 'default') }, { partyId: hexId })),
  datatype: word('text', 'numeric'),
  table: text,
  column: text,
  live: flag,
  fullname: text,
};
const liveRuleInput = shape(liveRuleFields, { exclusionary: flag });
const liveRuleOutput = shape({ ...liveRuleFields, _id: hexId, dataSourceId: hexId }, { exclusionary: flag });

/** One operation: a look for one group is a list with a name. */
const groups: Operation = {
  source: 'v1.0 GET /groups',
  statuses: [200],
  answer: list(shape({}, { _id: text, name: text, language: text, mail: text, ad: flag, defaultRole: text })),
};

const model = '/datamodels/{datamodelId}';
const datasets = `${model}/schema/datasets`;
const tables = `${datasets}/{datasetId}/tables`;
const relations = `${model}/schema/relations`;
const cubeRules = '/elasticubes/{server}/{elasticube}/datasecurity';
const liveRules = '/elasticubes/live/{title}/datasecurity';

/** Every endpoint of the product; `undefined` where the contract has no such operation. */
export const operations: Readonly<Record<EndpointId, Operation | undefined>> = {
  'session.check': {
    source: 'v0.9 GET /auth/isauth',
    statuses: [200],
    answer: shape({}, { isAuthenticated: flag }),
  },
  'groups.find': groups,
  'groups.list': groups,
  'users.list': {
    source: 'v1.0 GET /users',
    statuses: [200],
    answer: list(
      shape(
        {},
        {
          _id: hexId,
          email: text,
          userName: text,
          firstName: text,
          lastName: text,
          roleId: text,
          active: flag,
          groups: list(hexId),
          adgroups: list(text),
          lastLogin: text,
        },
      ),
    ),
  },

  'extractRules.list': { source: `v0.9 GET ${cubeRules}`, statuses: [200] },
  'extractRules.listByColumn': { source: `v0.9 GET ${cubeRules}/{table}/{column}`, statuses: [200] },
  'extractRules.listByUser': {
    source: 'v0.9 GET /elasticubes/{server}/{cube}/{user}/datasecurity',
    statuses: [200],
  },
  'extractRules.createMany': {
    source: 'v0.9 POST /elasticubes/datasecurity',
    statuses: [200],
    request: list(shape({}, { ...extractRuleFields, ...cube })),
  },
  'extractRules.create': {
    source: `v0.9 POST ${cubeRules}`,
    statuses: [200],
    request: list(shape({}, extractRuleFields)),
  },
  'extractRules.update': {
    source: 'v0.9 PUT /elasticubes/datasecurity/{id}',
    statuses: [200],
    // Its words require both, its schema does not name them.
    request: shape(cube, extractRuleFields),
  },
  'extractRules.deleteByColumn': {
    source: `v0.9 DELETE ${cubeRules}`,
    statuses: [200],
    query: ['table', 'column'],
  },
  'extractRules.delete': undefined,

  'liveRules.list': { source: `v1.0 GET ${liveRules}`, statuses: [200], answer: list(liveRuleOutput) },
  'liveRules.create': {
    source: `v1.0 POST ${liveRules}`,
    statuses: [201],
    request: liveRuleInput,
    answer: liveRuleOutput,
  },
  'liveRules.createMany': undefined,
  'liveRules.delete': {
    source: 'v1.0 DELETE /elasticubes/live/datasecurity/{dataSecurityId}',
    statuses: [204],
  },
  'liveRules.deleteByColumn': { source: `v1.0 DELETE ${liveRules}/{table}/{column}`, statuses: [204] },

  'datamodels.list': { source: 'v2.0 GET /datamodels/schema', statuses: [200] },
  'datamodels.get': { source: `v2.0 GET ${model}/schema`, statuses: [200], answer: datamodelOutput },
  'datamodels.create': {
    source: 'v2.0 POST /datamodels',
    statuses: [201],
    request: shape({ title: text }, { server: text, type: word('live', 'extract') }),
    answer: datamodelOutput,
  },
  'datamodels.delete': { source: `v2.0 DELETE ${model}`, statuses: [200], answer: removed },

  'datasets.list': { source: `v2.0 GET ${datasets}`, statuses: [200], answer: list(datasetOutput) },
  'datasets.get': { source: `v2.0 GET ${datasets}/{datasetId}`, statuses: [200], answer: datasetOutput },
  'datasets.create': {
    source: `v2.0 POST ${datasets}`,
    statuses: [201],
    request: shape({ name: text, type: datasetType }, { connection }),
    answer: datasetOutput,
  },
  'datasets.update': {
    source: `v2.0 PATCH ${datasets}/{datasetId}`,
    statuses: [200],
    request: shape({}, { name: text, type: datasetType, connection }),
    answer: datasetOutput,
  },
  'datasets.delete': { source: `v2.0 DELETE ${datasets}/{datasetId}`, statuses: [200], answer: removed },

  'tables.list': { source: `v2.0 GET ${tables}`, statuses: [200], answer: list(tableOutput) },
  'tables.get': { source: `v2.0 GET ${tables}/{tableId}`, statuses: [200], answer: tableOutput },
  'tables.create': {
    source: `v2.0 POST ${tables}`,
    statuses: [201],
    request: tableInput,
    answer: tableOutput,
  },
  'tables.update': {
    source: `v2.0 PATCH ${tables}/{tableId}`,
    statuses: [200],
    request: tableOutput,
    answer: tableOutput,
  },
  'tables.delete': { source: `v2.0 DELETE ${tables}/{tableId}`, statuses: [200], answer: removed },

  'relations.list': { source: `v2.0 GET ${relations}`, statuses: [200], answer: list(relationOutput) },
  'relations.get': {
    source: `v2.0 GET ${relations}/{relationId}`,
    statuses: [200],
    answer: relationOutput,
  },
  'relations.create': {
    source: `v2.0 POST ${relations}`,
    statuses: [201],
    request: relationInput,
    answer: relationOutput,
  },
  'relations.update': {
    source: `v2.0 PATCH ${relations}/{relationId}`,
    statuses: [200],
    request: relationInput,
    answer: relationOutput,
  },
  'relations.delete': { source: `v2.0 DELETE ${relations}/{relationId}`, statuses: [200], answer: removed },

  'builds.list': { source: 'v2.0 GET /builds', statuses: [200], answer: list(buildOutput) },
  'builds.start': {
    source: 'v2.0 POST /builds',
    statuses: [201],
    request: shape(
      { datamodelId: uuid, buildType: word('schema_changes', 'by_table', 'full', 'publish') },
      { rowLimit: whole },
    ),
    answer: buildOutput,
  },
  'builds.cancelAll': { source: 'v2.0 DELETE /builds', statuses: [204], query: ['datamodelId'] },
  'builds.get': {
    source: 'v2.0 GET /builds/{buildId}',
    statuses: [200],
    // Its schema is that of a list with `builds` inside, none of it required; every client reads one task.
    answer: shape({}, { ...buildFields, builds: list(buildOutput) }),
  },
  'builds.cancel': {
    source: 'v2.0 DELETE /builds/{buildId}',
    statuses: [200, 204],
    answer: shape({}, { error: text, status: text, statusCode: whole }),
  },

  'customData.list': { source: 'v1.0 GET /custom_data', statuses: [200], answer: list(anyObject) },
  'customData.query': {
    source: 'v1.0 GET /custom_data/query',
    statuses: [200],
    query: ['query'],
    answer: anyObject,
  },
  'customData.create': {
    source: 'v1.0 POST /custom_data',
    statuses: [201],
    request: anyObject,
    answer: anyObject,
  },
  'customData.updateMatching': {
    source: 'v1.0 PATCH /custom_data/query',
    statuses: [200],
    request: shape({ queryForSearch: anyObject, objectForUpdate: anyObject }),
    answer: anyObject,
  },
  'customData.deleteMatching': {
    source: 'v1.0 DELETE /custom_data/query',
    statuses: [200],
    request: anyObject,
    answer: anyObject,
  },

  'viewpoints.status': undefined,
  'viewpoints.list': undefined,
  'viewpoints.get': undefined,
  'viewpoints.create': undefined,
  'viewpoints.update': undefined,
  'viewpoints.delete': undefined,
};
