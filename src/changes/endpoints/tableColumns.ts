import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json.ts';
import { jsonEquals } from '../../base/canonicalJson.ts';
import { isServerManagedField } from '../../contract/serverManagedFields.ts';
import { getExpressionText, type Table, tableSchema } from '../../contract/table.ts';
import { asObject, getObjects, getText, isEmpty } from '../model/jsonMembers.ts';
import { loadKeptColumnPredicate } from './loadKeptColumnPredicate.ts';
import type { Write } from '../model/operation.ts';
import { matchesStored, getColumnNameOrId, everyField, isSameSql } from './matchesStored.ts';

/** Helpers for the effect of a PATCH of a table on its columns (rest-api.md, "Datamodel API" 2). */

/** Returns whether a PATCH deletes columns: a stored column is missing from its array. */
export function deletesColumns({ body }: Write, table: JsonValue | undefined): boolean {
  if (!isJsonObject(body) || !Array.isArray(body['columns'])) {
    return false;
  }
  const sentOids = new Set(getOids(body));
  return getOids(asObject(table)).some((oid) => !sentOids.has(oid));
}

const getOids = (table: JsonObject): readonly JsonValue[] =>
  getObjects(table['columns']).flatMap(({ oid }) => (oid ? [oid] : []));

/** Returns whether the current columns match the ones that were sent. New columns are matched by name. */
export function matchesColumns(
  sentColumns: readonly JsonObject[],
  currentColumns: readonly JsonObject[],
  previousColumns: readonly JsonObject[],
): boolean {
  const previousOids = new Set(previousColumns.map(({ oid }) => oid));
  const existedBefore = ({ oid = null }: JsonObject): boolean => previousOids.has(oid);
  const currentOldColumns = currentColumns.filter(existedBefore);
  const currentNewColumns = currentColumns.filter((column) => !existedBefore(column));
  const sentOldColumns = sentColumns.filter(existedBefore);
  const sentNewColumns = sentColumns.filter((column) => !existedBefore(column));
  return (
    currentOldColumns.length === sentOldColumns.length &&
    currentNewColumns.length === sentNewColumns.length &&
    sentOldColumns.every(
      (column, index) =>
        currentOldColumns[index] !== undefined && matchesColumn(column, currentOldColumns[index]),
    ) &&
    matchesSettings(sentColumns, currentColumns, previousColumns) &&
    sentNewColumns.every((column) =>
      currentNewColumns.some(
        (createdColumn) =>
          getColumnNameOrId(createdColumn) === getColumnNameOrId(column) &&
          matchesColumn({ ...column, oid: null }, createdColumn),
      ),
    )
  );
}

/**
 * Returns whether the current columns of a custom table match the ones that were sent together with its SQL. Its custom
 * columns are compared completely. Its other columns are generated from the SQL (rest-api.md, "Table"), so only their
 * settings are compared.
 */
export const matchesGeneratedColumns: typeof matchesColumns = (sent, current, previous) =>
  matchesSettings(sent, current, previous) &&
  matchesColumns(
    sent.filter(isCustomColumn),
    current.filter(isCustomColumn),
    previous.filter(isCustomColumn),
  );

export const isCustomColumn = ({ isCustom }: JsonObject): boolean => isCustom === true;

/**
 * Returns whether columns have the settings that were sent, and are as before in the settings that weren't sent.
 * Compares only columns that existed before and still exist, since a change of its SQL can add and remove columns of a
 * custom table.
 */
function matchesSettings(
  sentColumns: readonly JsonObject[],
  currentColumns: readonly JsonObject[],
  previousColumns: readonly JsonObject[],
): boolean {
  const [current, previous] = [currentColumns, previousColumns].map(
    (columns) => new Map(columns.map((column) => [getText(column['oid']), column])),
  );
  return sentColumns.every((sent) => {
    const oid = getText(sent['oid']);
    const [now, before] = oid === '' ? [] : [current?.get(oid), previous?.get(oid)];
    return (
      now === undefined ||
      before === undefined ||
      jsonEquals(getColumnSettings({ ...before, ...sent }), getColumnSettings(now))
    );
  });
}

/** Returns the settings of a column that users can change even if the column is generated from SQL. */
export const getColumnSettings = (column: JsonObject): JsonObject => ({
  oid: column['oid'] ?? null,
  name: getColumnNameOrId(column),
  hidden: column['hidden'] === true,
  description: getText(column['description']),
});

/** Compares the fields that were sent; the server keeps the other fields of a column. */
const matchesColumn = (sentColumn: JsonObject, currentColumn: JsonObject): boolean =>
  everyField(sentColumn, (name, value) => {
    if (isServerManagedField(name) || (name === 'oid' && isEmpty(value))) {
      return true;
    }
    return name === 'expression'
      ? isSameSql(value, currentColumn[name])
      : matchesStored(value, currentColumn[name] ?? null, undefined);
  });

/**
 * Returns a table after a PATCH: a sent column with an oid is merged into the stored one, one without an oid is new.
 * Generated columns that the query no longer returns are removed.
 */
export async function applyTableChange(table: Table, body: JsonObject, newId: string): Promise<Table> {
  const stored = new Map((table.columns ?? []).map((column) => [column.oid, column]));
  const columns = Array.isArray(body['columns'])
    ? withNewIds(body, newId).map((column) => ({ ...stored.get(getText(column['oid'])), ...column }))
    : table.columns;
  const keepsColumn =
    'expression' in body
      ? await loadKeptColumnPredicate(getExpressionText(table.expression), body['expression'])
      : () => true;
  return tableSchema.safeParse({ ...table, ...body, columns: columns?.filter(keepsColumn) }).data ?? table;
}

/** Returns the columns of a request; new ones get a provisional oid. */
export const withNewIds = (body: JsonObject, newId: string): readonly JsonObject[] =>
  getObjects(body['columns']).map((column, index) =>
    column['oid'] ? column : { ...column, oid: `${newId}/${index}` },
  );
