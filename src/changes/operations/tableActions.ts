import { type JsonObject, type JsonValue, isJsonObject } from '../../base/json.ts';
import {
  createTableCreationWrite,
  createTableDeletionWrite,
  type TableIds,
  createTableUpdateWrite,
} from '../model/tableWrites.ts';
import type { Operation, OperationCause, Write } from '../model/operation.ts';
import type { DatasetIds } from '../model/datasetWrites.ts';
import { getObjects } from '../model/jsonMembers.ts';
import { type OperationLocation, createOperation } from '../model/operationLocation.ts';

/** A new column. `type` is a type code (platform-facts.md, 2.3). */
export interface ColumnInput {
  readonly name: string;
  readonly type: number;
}

/** The server's document of a table, without loss, since a PATCH of the columns must contain all of their fields. */
export type TableDocument = JsonObject;

/**
 * Creates the operation that creates a base table. `id` is the name of the table in the data source, or the file name
 * for a file connector (rest-api.md, "Table"). The `id` of a column is also its name in the source.
 */
export const createBaseTableCreationOperation = (
  location: OperationLocation,
  ids: DatasetIds,
  input: { readonly id: string; readonly name: string; readonly columns: readonly ColumnInput[] },
): Operation =>
  createTableCreationOperation(location, ids, input.name, {
    id: input.id,
    name: input.name,
    type: 'base',
    columns: input.columns.map(({ name, type }) => ({ id: name, name, type })),
    buildBehavior: createBuildBehavior('replace'),
  });

/**
 * Creates the operation that creates a custom table in a custom dataset; its columns are generated from its expression
 * (rest-api.md, "Table").
 */
export const createCustomTableCreationOperation = (
  location: OperationLocation,
  ids: DatasetIds,
  { name, expression }: { readonly name: string; readonly expression: string },
): Operation => createTableCreationOperation(location, ids, name, { name, type: 'custom', expression });

/**
 * Creates the operation that copies a table under another name, without the oids of the table and its columns. An
 * incremental build refers to a column by its oid (platform-facts.md, 2.4), so a second write sets it to the new
 * column.
 */
export function createTableDuplicationOperation(
  location: OperationLocation,
  ids: DatasetIds,
  table: TableDocument,
  name: string,
): Operation {
  const { oid: _oid, ...content } = table;
  const { expression, columns, type, buildBehavior } = content;
  const isCustom = typeof type === 'string' && type.toLowerCase() === 'custom';
  const accumulationColumn = getColumns(table).find((column) => isAccumulationColumn(column, buildBehavior));
  const hasAccumulation = getBuildPreset(buildBehavior) === 'incremental';
  const creation = createTableCreationWrite(ids, {
    ...pickMembers(content, ['type', 'description', 'configOptions', 'hidden', 'tags']),
    ...(hasAccumulation ? {} : pickMembers(content, ['buildBehavior'])),
    // The ID of a base table is its name in the source; that of a custom table is its own.
    ...(isCustom ? {} : pickMembers(content, ['id'])),
    name,
    ...(isJsonObject(expression) || typeof expression === 'string'
      ? { expression: toSqlText(expression) }
      : {}),
    ...(Array.isArray(columns) && !isCustom
      ? { columns: columns.map((column) => omitOid(column as JsonValue)) }
      : {}),
  });
  // Only a build creates the columns of a custom table (rest-api.md, "Table"), so its copy is built in full each time.
  return createOperation(
    location,
    'duplicate',
    name,
    accumulationColumn === undefined || isCustom
      ? [creation]
      : [creation, createNewAccumulationWrite(ids, buildBehavior ?? null, accumulationColumn)],
  );
}

const isAccumulationColumn = ({ oid }: JsonObject, buildBehavior: JsonValue | undefined): boolean => {
  const config = isJsonObject(buildBehavior) ? buildBehavior['accumulativeConfig'] : undefined;
  return isJsonObject(config) && typeof oid === 'string' && config['column'] === oid;
};

/** Creates the write that sets the build behavior of a table which the write before creates. */
const createNewAccumulationWrite = (
  { datamodelId, datasetId }: DatasetIds,
  buildBehavior: JsonValue,
  column: JsonObject,
): Write => ({
  endpoint: 'tables.update',
  params: { datamodelId, datasetId, tableId: '' },
  body: { buildBehavior },
  outputRefs: [
    { into: ['params', 'tableId'], write: 0, from: ['oid'] },
    {
      into: ['body', 'buildBehavior', 'accumulativeConfig', 'column'],
      write: 0,
      from: ['columns', getTableOrColumnName(column), 'oid'],
    },
  ],
});

/** Creates the operation that deletes a table. The caller handles references to it (rest-api.md, "Datamodel API" 4). */
export const createTableDeletionOperation = (
  location: OperationLocation,
  ids: TableIds,
  name: string,
): Operation => createOperation(location, 'delete', name, [createTableDeletionWrite(ids)]);

/**
 * Creates the operation that hides or shows a table. A hidden table cannot be queried directly (rest-api.md, "Table").
 */
export const createTableHidingOperation = (
  location: OperationLocation,
  ids: TableIds,
  name: string,
  isHidden: boolean,
): Operation =>
  createTableUpdateOperation(location, ids, name, { hidden: isHidden }, isHidden ? 'hide' : 'unhide');

/** Creates the operation that sets the description of a table. */
export const createTableDescriptionOperation = (
  location: OperationLocation,
  ids: TableIds,
  name: string,
  description: string,
): Operation => createTableUpdateOperation(location, ids, name, { description }, 'describe');

/**
 * Creates the operation that sets the description of a column. Sends all columns with their oids, since the array
 * replaces the stored one (rest-api.md, "Datamodel API" 2).
 */
export const createColumnDescriptionOperation = (
  location: OperationLocation,
  ids: TableIds,
  table: TableDocument,
  columnId: string,
  description: string,
): Operation =>
  createColumnUpdateOperation(
    location,
    ids,
    { table, columnIds: [columnId] },
    {
      columns: getColumns(table).map((column) =>
        column['oid'] === columnId ? { ...column, description } : column,
      ),
    },
    'describe',
  );

/**
 * Creates the operation that hides or shows columns. Sends all columns with their oids, since the array replaces the
 * stored one (rest-api.md, "Datamodel API" 2).
 */
export const createColumnHidingOperation = (
  location: OperationLocation,
  ids: TableIds,
  table: TableDocument,
  columnIds: readonly string[],
  isHidden: boolean,
): Operation =>
  createColumnUpdateOperation(
    location,
    ids,
    { table, columnIds },
    {
      columns: getColumns(table).map((column) =>
        columnIds.some((id) => id === column['oid']) ? { ...column, hidden: isHidden } : column,
      ),
    },
    isHidden ? 'hide' : 'unhide',
  );

/**
 * Creates the operation that deletes columns: they are omitted from the array, which replaces the stored one
 * (rest-api.md, "Datamodel API" 2).
 */
export const createColumnDeletionOperation = (
  location: OperationLocation,
  ids: TableIds,
  table: TableDocument,
  columnIds: readonly string[],
): Operation =>
  createColumnUpdateOperation(
    location,
    ids,
    { table, columnIds },
    { columns: getColumns(table).filter((column) => !columnIds.some((id) => id === column['oid'])) },
    'delete',
  );

/**
 * Creates the operation that adds a custom column after the others (rest-api.md, "Column"; its fields:
 * platform-facts.md, 2.2).
 */
export const createCustomColumnCreationOperation = (
  location: OperationLocation,
  ids: TableIds,
  table: TableDocument,
  { name, expression, type }: ColumnInput & { readonly expression: string },
): Operation =>
  createTableUpdateOperation(
    { ...location, within: [...location.within, getTableOrColumnName(table)] },
    ids,
    name,
    { columns: [...getColumns(table), { id: name, name, type, isCustom: true, hidden: false, expression }] },
    'create',
  );

/** The build modes of a table in an extract datamodel, as in the platform's own UI (platform-facts.md, 2.4). */
export type BuildPreset = 'replace' | 'replace-changed' | 'append' | 'incremental';

/** The settings of an incremental build. */
export interface AccumulationInput {
  /** The oid of the column whose last stored value identifies new rows. */
  readonly columnId: string;
  /** The number of last days to import again; `null` for none. */
  readonly lastDays: number | null;
  /** Rows older than this many days are dropped; `null` keeps all. */
  readonly keepOnlyDays: number | null;
}

/** Creates the `buildBehavior` of a preset (platform-facts.md, 2.4). `accumulation` applies only to `incremental`. */
export function createBuildBehavior(preset: BuildPreset, accumulation?: AccumulationInput): JsonObject {
  switch (preset) {
    case 'replace':
      return { type: 'sync', accumulativeConfig: null };
    case 'replace-changed':
      return { type: 'ignoreIfExists', accumulativeConfig: null };
    case 'append':
      return { type: 'accumulativeSync', accumulativeConfig: null };
    case 'incremental':
      return {
        type: 'accumulativeSync',
        accumulativeConfig:
          accumulation === undefined
            ? null
            : {
                column: accumulation.columnId,
                type: 'lastStored',
                lastDays: accumulation.lastDays,
                keepOnlyDays: accumulation.keepOnlyDays,
              },
      };
  }
}

/** Returns the preset of a `buildBehavior`; `undefined` for an undocumented one. */
export function getBuildPreset(buildBehavior: unknown): BuildPreset | undefined {
  const { type, accumulativeConfig } = isJsonObject(buildBehavior) ? buildBehavior : {};
  if (type === 'sync') {
    return 'replace';
  }
  if (type === 'ignoreIfExists') {
    return 'replace-changed';
  }
  if (type !== 'accumulativeSync') {
    return undefined;
  }
  return isJsonObject(accumulativeConfig) ? 'incremental' : 'append';
}

/** Creates the operation that sets the `buildBehavior` of a table. */
export const createBuildBehaviorOperation = (
  location: OperationLocation,
  ids: TableIds,
  name: string,
  behavior: JsonObject,
): Operation =>
  createTableUpdateOperation(location, ids, name, { buildBehavior: behavior }, 'build-behaviour');

function createTableCreationOperation(
  location: OperationLocation,
  ids: DatasetIds,
  name: string,
  body: JsonObject,
): Operation {
  return createOperation(location, 'create', name, [createTableCreationWrite(ids, body)]);
}

const createTableUpdateOperation = (
  location: OperationLocation,
  ids: TableIds,
  name: string,
  body: JsonObject,
  cause: OperationCause,
): Operation => createOperation(location, cause, name, [createTableUpdateWrite(ids, body)]);

/** The maximum number of columns that are listed by name. */
const maxNames = 3;

/** Creates an operation on columns. Its subject names the columns, so that it is not mistaken for one on the table. */
function createColumnUpdateOperation(
  location: OperationLocation,
  ids: TableIds,
  { table, columnIds }: { readonly table: TableDocument; readonly columnIds: readonly string[] },
  body: JsonObject,
  cause: OperationCause,
): Operation {
  const names = getColumns(table)
    .filter((column) => columnIds.some((id) => id === column['oid']))
    .map(getTableOrColumnName);
  const listedNames = names.length > maxNames ? [...names.slice(0, maxNames), '…'] : names;
  return createTableUpdateOperation(
    { ...location, within: [...location.within, getTableOrColumnName(table)] },
    ids,
    listedNames.join(', '),
    body,
    cause,
  );
}

const getColumns = ({ columns }: TableDocument): readonly JsonObject[] => getObjects(columns);

const getTableOrColumnName = (tableOrColumn: TableDocument): string =>
  [tableOrColumn['name'], tableOrColumn['id'], tableOrColumn['oid']].find(
    (name): name is string => typeof name === 'string',
  ) ?? '';

const toSqlText = (expression: JsonValue): JsonValue =>
  isJsonObject(expression) ? (expression['expression'] ?? '') : expression;

function omitOid(column: JsonValue): JsonValue {
  if (!isJsonObject(column)) {
    return column;
  }
  const { oid: _oid, ...content } = column;
  return content;
}

const pickMembers = (document: JsonObject, names: readonly string[]): JsonObject =>
  Object.fromEntries(Object.entries(document).filter(([name]) => names.includes(name)));
