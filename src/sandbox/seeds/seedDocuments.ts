import type { JsonObject } from '../../base/json.ts';
import { builtInUsers } from './seed.ts';
import { createSeedObjectId, createSeedOid } from './seedIds.ts';

/** The time of creation and of the last change in all documents of a seed. */
export const seededAt = '2026-01-05T08:00:00.000Z';

const typeCodes = {
  bigInt: 0,
  boolean: 2,
  timestamp: 4,
  decimal: 5,
  integer: 8,
  text: 18,
  date: 31,
  double: 40,
} as const;
export type TypeName = keyof typeof typeCodes;

export interface ColumnSpec {
  readonly name: string;
  readonly type: TypeName;
  readonly hidden?: boolean;
  readonly description?: string;
  /** The SQL of a custom column. */
  readonly expression?: string;
}

export interface TableSpec {
  readonly name: string;
  readonly columns: readonly ColumnSpec[];
  /** The id of the source table; for a file connector the file name (rest-api.md, "Table"). */
  readonly id?: string;
  /** The SQL of a custom table. */
  readonly expression?: string;
  readonly description?: string;
  readonly hidden?: boolean;
  readonly buildBehavior?: 'ignoreIfExists' | 'accumulativeSync';
  /** Name of the column by which the table accumulates in builds by table. */
  readonly accumulateBy?: string;
  readonly keepOnlyDays?: number;
}

export interface DatasetSpec {
  readonly name: string;
  readonly type: 'extract' | 'live' | 'custom';
  readonly tables: readonly TableSpec[];
  readonly connection?: JsonObject;
}

interface ModelSpec {
  readonly title: string;
  readonly type: 'extract' | 'live';
  readonly datasets: readonly DatasetSpec[];
  /** Each relation is a list of columns, as `Table.Column`. Table names must not contain dots. */
  readonly relations: readonly (readonly string[])[];
}

const columnSizes: Readonly<Record<TypeName, readonly [size: number, precision: number, scale: number]>> = {
  bigInt: [19, 0, 0],
  boolean: [1, 0, 0],
  timestamp: [8, 0, 0],
  decimal: [18, 18, 2],
  integer: [10, 0, 0],
  text: [200, 0, 0],
  date: [8, 0, 0],
  double: [15, 15, 0],
};

function createColumn(path: string, spec: ColumnSpec): JsonObject {
  const [size, precision, scale] = columnSizes[spec.type];
  const columnOid = createSeedOid(`${path}/${spec.name}`);
  return {
    oid: columnOid,
    id: spec.name,
    name: spec.name,
    displayName: null,
    type: typeCodes[spec.type],
    size,
    precision,
    scale,
    hidden: spec.hidden ?? false,
    indexed: spec.type === 'text',
    isUpsertBy: false,
    import: null,
    isCustom: spec.expression === undefined ? null : true,
    expression: spec.expression ?? null,
    description: spec.description ?? null,
    lastUpdated: seededAt,
    semanticIndex: null,
    aiGeneratedDescription: null,
  };
}

/** Creates a `buildBehavior` in the form of platform-facts.md, 2.4. */
function createBuildBehavior(path: string, spec: TableSpec): JsonObject {
  if (spec.accumulateBy === undefined) {
    return { type: spec.buildBehavior ?? 'sync', accumulativeConfig: null };
  }
  return {
    type: 'accumulativeSync',
    accumulativeConfig: {
      column: createSeedOid(`${path}/${spec.accumulateBy}`),
      type: 'lastStored',
      lastDays: null,
      keepOnlyDays: spec.keepOnlyDays ?? null,
    },
  };
}

function createTable(model: string, spec: TableSpec): JsonObject {
  const path = `${model}/${spec.name}`;
  const isBase = spec.expression === undefined;
  return {
    oid: createSeedOid(path),
    id: spec.id ?? spec.name,
    name: spec.name,
    displayName: null,
    type: isBase ? 'base' : 'custom',
    expression: isBase
      ? null
      : { oid: createSeedOid(`${path}/expression`), expression: spec.expression ?? '' },
    columns: spec.columns.map((column) => createColumn(path, column)),
    buildBehavior: createBuildBehavior(path, spec),
    configOptions: isBase && spec.id !== undefined ? { Table: spec.id } : null,
    hidden: spec.hidden ?? false,
    vTag: createSeedOid(`${path}/vTag`),
    description: spec.description ?? null,
    tags: null,
    createdAt: seededAt,
    lastUpdated: seededAt,
    aiGeneratedDescription: null,
    isMaterialized: false,
    schemaName: null,
  };
}

/** Creates the connection of a dataset of CSV files (platform-facts.md, 2.5). */
export function createCsvConnection(
  name: string,
  files: readonly string[],
  parameters: JsonObject = {},
): JsonObject {
  return {
    id: null,
    oid: createSeedOid(`connection/${name}`),
    provider: 'CSV',
    name,
    description: '',
    schema: files[0] ?? null,
    fileName: files[0] ?? null,
    parameters: {
      ApiVersion: 2,
      files,
      culture: 'en-US',
      delimiter: ',',
      hasHeader: 'true',
      ignoreFirstRows: '0',
      ignoreLastRows: '0',
      stringQuote: '"',
      unionAll: false,
      ...parameters,
    },
    owner: builtInUsers.administrator._id,
    autoRefresh: false,
    protectedParameters: null,
    uiParams: null,
    globalTableConfigOptions: null,
    enabled: true,
    created: seededAt,
    lastModified: seededAt,
    supportedModelTypes: ['EXTRACT'],
    timeout: 60_000,
    refreshRate: 30_000,
    resultLimit: 5000,
  };
}

function createDataset(model: string, spec: DatasetSpec): JsonObject {
  const datasetOid = createSeedOid(`${model}/dataset/${spec.name}`);
  return {
    oid: datasetOid,
    type: spec.type,
    name: spec.name,
    fullname: spec.type === 'custom' ? `custom-${datasetOid}` : `${spec.name}:${datasetOid}`,
    database: 'null',
    schemaName: 'null',
    lastUpdated: seededAt,
    modelingTransformations: [],
    connection: spec.connection ?? null,
    schema: { tables: spec.tables.map((table) => createTable(model, table)) },
    shares: [],
    liveQuerySettings: null,
    schedule: {
      type: null,
      lastExecution: null,
      day: null,
      days: null,
      hour: null,
      minute: null,
      second: null,
    },
  };
}

function createRelation(spec: ModelSpec, columnPaths: readonly string[]): JsonObject {
  return {
    oid: createSeedOid(`${spec.title}/relation/${columnPaths.join('=')}`),
    type: null,
    columns: columnPaths.map((columnPath) => {
      const dot = columnPath.indexOf('.');
      const [table, column] = [columnPath.slice(0, dot), columnPath.slice(dot + 1)];
      const dataset = spec.datasets.find((candidate) => candidate.tables.some(({ name }) => name === table));
      return {
        dataset: createSeedOid(`${spec.title}/dataset/${dataset?.name ?? ''}`),
        table: createSeedOid(`${spec.title}/${table}`),
        column: createSeedOid(`${spec.title}/${table}/${column}`),
        isDropped: null,
      };
    }),
  };
}

function createCreator(): JsonObject {
  const { _id, userName, email, firstName, lastName } = builtInUsers.administrator;
  return {
    id: _id,
    userName,
    email,
    firstName,
    lastName,
    roleId: createSeedObjectId('role/administrator'),
    active: true,
    created: seededAt,
    lastLogin: seededAt,
  };
}

/** Creates a complete datamodel document as GET returns it (platform-facts.md, 2.2), with no builds yet. */
export function createSeedModel(spec: ModelSpec): JsonObject {
  return {
    oid: createSeedOid(spec.title),
    title: spec.title,
    server: 'LocalHost',
    serverId: createSeedOid('server'),
    type: spec.type,
    relationType: 'direct',
    revision: null,
    lastBuildTime: null,
    lastSuccessfulBuildTime: null,
    lastBuildTimeFromNextECM: null,
    lastPublishTime: null,
    lastUpdated: seededAt,
    shares: [{ partyId: builtInUsers.administrator._id, type: 'user', permission: 'w' }],
    datasets: spec.datasets.map((dataset) => createDataset(spec.title, dataset)),
    relations: spec.relations.map((columnPaths) => createRelation(spec, columnPaths)),
    modelingTransformations: [],
    schedule: null,
    creator: createCreator(),
    tenant: { _id: createSeedObjectId('tenant'), name: 'system', default: true, systemManagement: true },
    relationsTables: [],
  };
}
