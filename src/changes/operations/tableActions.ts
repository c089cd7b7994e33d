import { type JsonObject, type JsonValue, isJsonObject } from '../../base/json.ts';
import { tableCreation, tableDeletion, type TableIds, tableUpdate } from '../model/tableWrites.ts';
import type { Operation, OperationCause } from '../model/operation.ts';
import type { DatasetIds } from '../model/datasetWrites.ts';
import { type OperationLocation, createOperation } from '../model/operationLocation.ts';

/** A requested column: a name, and a type code of platform-facts.md, 2.3. */
export interface ColumnInput {
  readonly name: string;
  readonly type: number;
}

/** A table as the server returns it, without loss. A PATCH with columns is built from all of it. */
export type TableDocument = JsonObject;

/**
 * Creates a table of a source. `id` is the source's own name for it; for a file connector, the file's name
 * (rest-api.md, "Table"). A column's `id` is that of the source, so it defaults to the name until someone changes it.
 */
export const createBaseTable = (
  place: OperationLocation,
  ids: DatasetIds,
  input: { readonly id: string; readonly name: string; readonly columns: readonly ColumnInput[] },
): Operation =>
  createTable(place, ids, input.name, {
    id: input.id,
    name: input.name,
    type: 'base',
    columns: input.columns.map(({ name, type }) => ({ id: name, name, type })),
    buildBehavior: createBuildBehavior('replace'),
  });

/**
 * Creates a table whose columns are generated from its expression; it belongs to a custom dataset
 * (rest-api.md, "Table").
 */
export const createCustomTable = (
  place: OperationLocation,
  ids: DatasetIds,
  { name, expression }: { readonly name: string; readonly expression: string },
): Operation => createTable(place, ids, name, { name, type: 'custom', expression });

/** Copies a table under another name: everything except the identity of the table and its columns. */
export function duplicateTable(
  place: OperationLocation,
  ids: DatasetIds,
  table: TableDocument,
  name: string,
): Operation {
  const { oid: _oid, ...rest } = table;
  const { expression, columns, type } = rest;
  const isCustom = typeof type === 'string' && type.toLowerCase() === 'custom';
  return createTable(
    place,
    ids,
    name,
    {
      ...pickMembers(rest, ['type', 'description', 'buildBehavior', 'configOptions', 'hidden', 'tags']),
      // The ID of a base table is its name in the source; that of a custom table is its own.
      ...(isCustom ? {} : pickMembers(rest, ['id'])),
      name,
      ...(isJsonObject(expression) || typeof expression === 'string'
        ? { expression: toSqlText(expression) }
        : {}),
      ...(Array.isArray(columns) && !isCustom
        ? { columns: columns.map((column) => omitOid(column as JsonValue)) }
        : {}),
    },
    'duplicate',
  );
}

/** Deletes the table; references to it are left to the caller (rest-api.md, "Datamodel API" 4). */
export const deleteTable = (place: OperationLocation, ids: TableIds, name: string): Operation =>
  createOperation(place, 'delete', name, [tableDeletion(ids)]);

/** Hides or shows a table. A hidden one cannot be queried directly (rest-api.md, "Table"). */
export const hideTable = (
  place: OperationLocation,
  ids: TableIds,
  name: string,
  hidden: boolean,
): Operation => changeTable(place, ids, name, { hidden }, hidden ? 'hide' : 'unhide');

/**
 * Hides or shows columns; all columns are sent, each with its oid, since the array replaces the stored one (rule 2).
 */
export const hideColumns = (
  place: OperationLocation,
  ids: TableIds,
  table: TableDocument,
  columnIds: readonly string[],
  hidden: boolean,
): Operation =>
  changeColumns(
    place,
    ids,
    { table, columnIds },
    {
      columns: getColumns(table).map((column) =>
        columnIds.some((id) => id === column['oid']) ? { ...column, hidden } : column,
      ),
    },
    hidden ? 'hide' : 'unhide',
  );

/** Deletes columns by leaving them out of the array that replaces the stored one (rest-api.md, "Datamodel API" 2). */
export const deleteColumns = (
  place: OperationLocation,
  ids: TableIds,
  table: TableDocument,
  columnIds: readonly string[],
): Operation =>
  changeColumns(
    place,
    ids,
    { table, columnIds },
    { columns: getColumns(table).filter((column) => !columnIds.some((id) => id === column['oid'])) },
    'delete',
  );

/**
 * Adds a calculated column after the others (rest-api.md, "Column"; the fields of a sample: platform-facts.md, 2.2).
 */
export const createCustomColumn = (
  place: OperationLocation,
  ids: TableIds,
  table: TableDocument,
  { name, expression, type }: ColumnInput & { readonly expression: string },
): Operation =>
  changeTable(
    { ...place, within: [...place.within, getTableName(table)] },
    ids,
    name,
    { columns: [...getColumns(table), { id: name, name, type, isCustom: true, hidden: false, expression }] },
    'create',
  );

/** The build modes of a table of an extract model, as named on the platform's own pages (platform-facts.md, 2.4). */
export type BuildPreset = 'replace' | 'replace-changed' | 'append' | 'incremental';

export interface AccumulationInput {
  /** The column whose last stored value identifies new rows. */
  readonly columnId: string;
  /** Days to read again; `null` for none. */
  readonly lastDays: number | null;
  /** Rows older than this many days are dropped; `null` keeps all. */
  readonly keepOnlyDays: number | null;
}

/** Creates the `buildBehavior` of a preset (platform-facts.md, 2.4). `accumulation` applies to the incremental one. */
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

/** Returns the current preset of a table; `undefined` for one that isn't documented. */
export function getBuildPreset(buildBehavior: JsonValue | undefined): BuildPreset | undefined {
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

export const setBuildBehavior = (
  place: OperationLocation,
  ids: TableIds,
  name: string,
  behavior: JsonObject,
): Operation => changeTable(place, ids, name, { buildBehavior: behavior }, 'build-behaviour');

function createTable(
  place: OperationLocation,
  ids: DatasetIds,
  name: string,
  body: JsonObject,
  cause: OperationCause = 'create',
): Operation {
  return createOperation(place, cause, name, [tableCreation(ids, body)]);
}

const changeTable = (
  place: OperationLocation,
  ids: TableIds,
  name: string,
  body: JsonObject,
  cause: OperationCause,
): Operation => createOperation(place, cause, name, [tableUpdate(ids, body)]);

/** More columns are not listed by name. */
const maxNames = 3;

/** Names the changed columns in the subject: it is not the table that is deleted. */
function changeColumns(
  place: OperationLocation,
  ids: TableIds,
  { table, columnIds }: { readonly table: TableDocument; readonly columnIds: readonly string[] },
  body: JsonObject,
  cause: OperationCause,
): Operation {
  const names = getColumns(table)
    .filter((column) => columnIds.some((id) => id === column['oid']))
    .map(getTableName);
  const shown = names.length > maxNames ? [...names.slice(0, maxNames), '…'] : names;
  return changeTable(
    { ...place, within: [...place.within, getTableName(table)] },
    ids,
    shown.join(', '),
    body,
    cause,
  );
}

const getColumns = (table: TableDocument): readonly JsonObject[] => {
  const { columns } = table;
  return Array.isArray(columns) ? (columns as readonly JsonValue[]).filter(isJsonObject) : [];
};

const getTableName = (table: TableDocument): string =>
  [table['name'], table['id'], table['oid']].find((name): name is string => typeof name === 'string') ?? '';

const toSqlText = (expression: JsonValue): JsonValue =>
  isJsonObject(expression) ? (expression['expression'] ?? '') : expression;

function omitOid(column: JsonValue): JsonValue {
  if (!isJsonObject(column)) {
    return column;
  }
  const { oid: _oid, ...rest } = column;
  return rest;
}

const pickMembers = (document: JsonObject, names: readonly string[]): JsonObject =>
  Object.fromEntries(Object.entries(document).filter(([name]) => names.includes(name)));
