import { jsonEquals } from '../../base/canonicalJson.ts';
import type { JsonObject, JsonValue } from '../../base/json.ts';
import { getRefKey } from '../../catalog/resourceRef.ts';
import type { CurrentDocuments } from '../model/inverseWrites.ts';
import { asObject, getDocumentName, getObjects, getText } from '../model/jsonMembers.ts';
import type { Write } from '../model/operation.ts';
import { Documents } from '../model/snapshot.ts';
import type { HistoryEntry } from './entry.ts';

/**
 * Returns the tables as they were right before each PATCH of an entry, and before the deletion of a table that it has
 * hidden, by the index of the write. An operation may change a table twice: it adds columns before rules change, hides
 * what it will delete, and deletes or shows columns after that. The undo of each PATCH undoes only what that PATCH has
 * changed. Otherwise, columns would be deleted before the rules on other columns are restored.
 *
 * Members that an earlier PATCH has sent are as its response shows them. If there is no response, they are as before
 * the entry, except that what the PATCH has hidden is hidden. Columns that the entry has added and that no longer exist
 * are left out.
 */
export function getTablesBefore(
  { operation, before, writeStates: states }: Pick<HistoryEntry, 'operation' | 'before' | 'writeStates'>,
  currentDocuments: CurrentDocuments,
): ReadonlyMap<number, JsonObject> {
  const oldDocuments = new Documents(before.map(({ ref, document }) => ({ ref, document })));
  const current = new Documents(currentDocuments);
  const latest = new Map<string, JsonObject>();
  const result = new Map<number, JsonObject>();
  const hiddenTables = new Set<string>();
  for (const [index, write] of operation.writes.entries()) {
    const { endpoint, target, body } = write;
    if (target === undefined) {
      continue;
    }
    const changed = latest.get(getRefKey(target));
    if (endpoint === 'tables.delete' && hiddenTables.has(getRefKey(target))) {
      result.set(index, { ...asObject(oldDocuments.get(target)), hidden: true });
    }
    if (endpoint !== 'tables.update') {
      continue;
    }
    const oldTable = asObject(oldDocuments.get(target));
    const table = changed ?? oldTable;
    result.set(index, table);
    const state = states[index];
    const response = asObject(state?.state === 'done' ? state.answer : undefined);
    const sent = Object.keys(asObject(body)).flatMap((name) => {
      const value = response[name];
      return value === undefined
        ? []
        : [[name, name === 'columns' ? selectColumns(value, oldTable, current.get(target)) : value] as const];
    });
    if (hidesTable(write) && state?.state === 'done') {
      hiddenTables.add(getRefKey(target));
    }
    const next = { ...table, ...Object.fromEntries(sent) };
    latest.set(getRefKey(target), state?.state === 'done' ? hideSent(next, asObject(body)) : next);
  }
  return result;
}

/**
 * Returns the columns of a response that existed before or still exist. Columns that existed before keep the members
 * that the response lacks, since it may contain only some of them (rest-api.md, "What is not described").
 */
function selectColumns(columns: JsonValue, oldTable: JsonObject, current: JsonValue | undefined): JsonValue {
  const oldColumns = new Map(getObjects(oldTable['columns']).map((column) => [column['oid'], column]));
  const currentOids = new Set(getObjects(asObject(current)['columns']).map(({ oid }) => oid));
  return getObjects(columns)
    .filter(({ oid }) => oldColumns.has(oid) || currentOids.has(oid))
    .map((column) => ({ ...oldColumns.get(column['oid']), ...column }));
}

/** Returns whether a write only hides a table, such as one that is deleted later. */
export const hidesTable = ({ endpoint, body }: Write): boolean =>
  endpoint === 'tables.update' && jsonEquals(body, { hidden: true });

/** Returns a table with what a PATCH has hidden; a response may not show it. New columns are found by their names. */
function hideSent(table: JsonObject, body: JsonObject): JsonObject {
  const hidden = new Set(
    getObjects(body['columns']).flatMap((column) =>
      column['hidden'] === true ? [getText(column['oid']) || getDocumentName(column)] : [],
    ),
  );
  return {
    ...table,
    ...(body['hidden'] === true ? { hidden: true } : {}),
    ...(hidden.size === 0
      ? {}
      : {
          columns: getObjects(table['columns']).map((column) =>
            hidden.has(getText(column['oid'])) || hidden.has(getDocumentName(column))
              ? { ...column, hidden: true }
              : column,
          ),
        }),
  };
}
