import { type JsonObject, type JsonValue, isJsonObject } from '../../base/json.ts';
import { tableCreation, tableDeletion, type TableIds, tableUpdate } from '../model/tableWrites.ts';
import type { Operation, OperationCause } from '../model/operation.ts';
import type { DatasetIds } from '../model/datasetWrites.ts';
import { type Place, operationAt } from '../model/place.ts';

/** A column as it is asked for: a name, and a type code of platform-facts 2.3. */
export interface NewColumn {
  readonly name: string;
  readonly type: number;
}

/** A table as the server tells it, without loss. A PATCH that carries columns is made from all of it. */
export type TableDocument = JsonObject;

/**
 * A table of a source. `id` is the source's own name for it; for a file connector that is the file's name (spec,
 * "Table"). A column's `id` is that of the source, so it is taken to be the name until somebody changes it.
 */
export const createBaseTable = (
  place: Place,
  ids: DatasetIds,
  input: { readonly id: string; readonly name: string; readonly columns: readonly NewColumn[] },
): Operation =>
  createTable(place, ids, input.name, {
    id: input.id,
    name: input.name,
    type: 'base',
    columns: input.columns.map(({ name, type }) => ({ id: name, name, type })),
    buildBehavior: buildBehaviour('replace'),
  });

/** A table whose columns are generated from its expression; it lives in a custom dataset (spec, "Table"). */
export const createCustomTable = (
  place: Place,
  ids: DatasetIds,
  { name, expression }: { readonly name: string; readonly expression: string },
): Operation => createTable(place, ids, name, { name, type: 'custom', expression });

/** A copy under another name: everything that is not the identity of the table or of its columns. */
export function duplicateTable(place: Place, ids: DatasetIds, table: TableDocument, name: string): Operation {
  const { oid: _oid, ...rest } = table;
  const { expression, columns, type } = rest;
  const isCustom = typeof type === 'string' && type.toLowerCase() === 'custom';
  return createTable(
    place,
    ids,
    name,
    {
      ...only(rest, ['type', 'description', 'buildBehavior', 'configOptions', 'hidden', 'tags']),
      // That of a base table is what its source calls it, that of a custom table is its own.
      ...(isCustom ? {} : only(rest, ['id'])),
      name,
      ...(isJsonObject(expression) || typeof expression === 'string' ? { expression: sql(expression) } : {}),
      ...(Array.isArray(columns) && !isCustom
        ? { columns: columns.map((column) => withoutOid(column as JsonValue)) }
        : {}),
    },
    'duplicate',
  );
}

/** Deletes the table; references to it are left to the caller (spec, rule 4). */
export const deleteTable = (place: Place, ids: TableIds, name: string): Operation =>
  operationAt(place, 'delete', name, [tableDeletion(ids)]);

/** Hides or shows a table. A hidden one cannot be queried directly (spec, "Table"). */
export const hideTable = (place: Place, ids: TableIds, name: string, hidden: boolean): Operation =>
  changeTable(place, ids, name, { hidden }, hidden ? 'hide' : 'unhide');

/** Hides or shows columns; all columns go along, each with its oid, since the array replaces the stored one (rule 2). */
export const hideColumns = (
  place: Place,
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
      columns: columnsOf(table).map((column) =>
        columnIds.some((id) => id === column['oid']) ? { ...column, hidden } : column,
      ),
    },
    hidden ? 'hide' : 'unhide',
  );

/** Deletes columns by leaving them out of the array that replaces the stored one (spec, rule 2). */
export const deleteColumns = (
  place: Place,
  ids: TableIds,
  table: TableDocument,
  columnIds: readonly string[],
): Operation =>
  changeColumns(
    place,
    ids,
    { table, columnIds },
    { columns: columnsOf(table).filter((column) => !columnIds.some((id) => id === column['oid'])) },
    'delete',
  );

/** Adds a calculated column behind the others (spec, "Column"; the fields of a sample: platform-facts 2.2). */
export const createCustomColumn = (
  place: Place,
  ids: TableIds,
  table: TableDocument,
  { name, expression, type }: NewColumn & { readonly expression: string },
): Operation =>
  changeTable(
    { ...place, within: [...place.within, nameOf(table)] },
    ids,
    name,
    { columns: [...columnsOf(table), { id: name, name, type, isCustom: true, hidden: false, expression }] },
    'create',
  );

/** How a table of an extract model is built, in the words of the platform's own pages (platform-facts 2.4). */
export type BuildPreset = 'replace' | 'replace-changed' | 'append' | 'incremental';

export interface AccumulationInput {
  /** The column by whose last stored value new rows are told. */
  readonly columnId: string;
  /** Days to read again; `null` for none. */
  readonly lastDays: number | null;
  /** Rows older than this many days are dropped; `null` keeps all. */
  readonly keepOnlyDays: number | null;
}

/** The `buildBehavior` of a preset (platform-facts 2.4). `accumulation` is of the incremental one. */
export function buildBehaviour(preset: BuildPreset, accumulation?: AccumulationInput): JsonObject {
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

/** The preset that a table has now; `undefined` for one that nobody has published. */
export function presetOf(buildBehavior: JsonValue | undefined): BuildPreset | undefined {
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

export const setBuildBehaviour = (
  place: Place,
  ids: TableIds,
  name: string,
  behaviour: JsonObject,
): Operation => changeTable(place, ids, name, { buildBehavior: behaviour }, 'build-behaviour');

function createTable(
  place: Place,
  ids: DatasetIds,
  name: string,
  body: JsonObject,
  cause: OperationCause = 'create',
): Operation {
  return operationAt(place, cause, name, [tableCreation(ids, body)]);
}

const changeTable = (
  place: Place,
  ids: TableIds,
  name: string,
  body: JsonObject,
  cause: OperationCause,
): Operation => operationAt(place, cause, name, [tableUpdate(ids, body)]);

/** More are not told by their names. */
const mostNames = 3;

/** A change of some columns is told by their names: what is deleted is not the table. */
function changeColumns(
  place: Place,
  ids: TableIds,
  { table, columnIds }: { readonly table: TableDocument; readonly columnIds: readonly string[] },
  body: JsonObject,
  cause: OperationCause,
): Operation {
  const names = columnsOf(table)
    .filter((column) => columnIds.some((id) => id === column['oid']))
    .map(nameOf);
  const shown = names.length > mostNames ? [...names.slice(0, mostNames), '…'] : names;
  return changeTable(
    { ...place, within: [...place.within, nameOf(table)] },
    ids,
    shown.join(', '),
    body,
    cause,
  );
}

const columnsOf = (table: TableDocument): readonly JsonObject[] => {
  const { columns } = table;
  return Array.isArray(columns) ? (columns as readonly JsonValue[]).filter(isJsonObject) : [];
};

const nameOf = (table: TableDocument): string =>
  [table['name'], table['id'], table['oid']].find((name): name is string => typeof name === 'string') ?? '';

const sql = (expression: JsonValue): JsonValue =>
  isJsonObject(expression) ? (expression['expression'] ?? '') : expression;

function withoutOid(column: JsonValue): JsonValue {
  if (!isJsonObject(column)) {
    return column;
  }
  const { oid: _oid, ...rest } = column;
  return rest;
}

const only = (document: JsonObject, names: readonly string[]): JsonObject =>
  Object.fromEntries(Object.entries(document).filter(([name]) => names.includes(name)));
