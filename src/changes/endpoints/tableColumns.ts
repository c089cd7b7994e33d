import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json.ts';
import { isServerManagedField } from '../../contract/serverManagedFields.ts';
import { getExpressionText, type Table, tableSchema } from '../../contract/table.ts';
import { asObject, getObjects, getText } from '../model/readJson.ts';
import { loadKeptColumns } from './loadKeptColumns.ts';
import type { Write } from '../model/operation.ts';
import { matchesStored, getColumnNameOrId, everyField, isEmpty, sqlEquals } from './matching.ts';

/** Helpers for the effect of a PATCH of a table on its columns (rest-api.md, "Datamodel API" 2). */

/** Returns whether a PATCH deletes columns: a stored column is missing from its array. */
export function dropsColumns({ body }: Write, table: JsonValue | undefined): boolean {
  if (!isJsonObject(body) || !Array.isArray(body['columns'])) {
    return false;
  }
  const sent = new Set(getOids(body));
  return getOids(asObject(table)).some((oid) => !sent.has(oid));
}

const getOids = (table: JsonObject): readonly JsonValue[] =>
  getObjects(table['columns']).flatMap(({ oid }) => (oid ? [oid] : []));

/** Returns whether the current columns match the ones that were sent. New columns are matched by name. */
export function matchesColumns(
  sent: readonly JsonObject[],
  now: readonly JsonObject[],
  old: readonly JsonObject[],
): boolean {
  const known = new Set(old.map(({ oid }) => oid));
  const isKnown = ({ oid = null }: JsonObject): boolean => known.has(oid);
  const kept = now.filter(isKnown);
  const created = now.filter((column) => !isKnown(column));
  const sentKnown = sent.filter(isKnown);
  const sentNew = sent.filter((column) => !isKnown(column));
  return (
    kept.length === sentKnown.length &&
    created.length === sentNew.length &&
    sentKnown.every((column, index) => kept[index] !== undefined && matchesColumn(column, kept[index])) &&
    sentNew.every((column) =>
      created.some(
        (made) =>
          getColumnNameOrId(made) === getColumnNameOrId(column) &&
          matchesColumn({ ...column, oid: null }, made),
      ),
    )
  );
}

/** Compares the fields that were sent; the server keeps the other fields of a column. */
const matchesColumn = (sent: JsonObject, now: JsonObject): boolean =>
  everyField(sent, (name, value) => {
    if (isServerManagedField(name) || (name === 'oid' && isEmpty(value))) {
      return true;
    }
    return name === 'expression'
      ? sqlEquals(value, now[name])
      : matchesStored(value, now[name] ?? null, undefined);
  });

/**
 * Returns a table after a PATCH: a sent column with an oid is merged into the stored one, one without an oid is new.
 * Generated columns that the query no longer returns are removed.
 */
export async function applyTableChange(table: Table, sent: JsonObject, newId: string): Promise<Table> {
  const stored = new Map((table.columns ?? []).map((column) => [column.oid, column]));
  const columns = Array.isArray(sent['columns'])
    ? withNewIds(sent, newId).map((column) => ({ ...stored.get(getText(column['oid'])), ...column }))
    : table.columns;
  const stays =
    'expression' in sent
      ? await loadKeptColumns(getExpressionText(table.expression), sent['expression'])
      : () => true;
  return tableSchema.safeParse({ ...table, ...sent, columns: columns?.filter(stays) }).data ?? table;
}

/** Returns the columns of a request; new ones get a provisional oid. */
export const withNewIds = (sent: JsonObject, newId: string): readonly JsonObject[] =>
  getObjects(sent['columns']).map((column, index) =>
    column['oid'] ? column : { ...column, oid: `${newId}/${index}` },
  );
