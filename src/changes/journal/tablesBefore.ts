import type { JsonObject, JsonValue } from '../../base/json.ts';
import { getRefKey } from '../../catalog/resourceRef.ts';
import type { CurrentDocuments } from '../model/inverseWrites.ts';
import { asObject, getObjects } from '../model/jsonMembers.ts';
import { Documents } from '../model/snapshot.ts';
import type { HistoryEntry } from './entry.ts';

/**
 * Returns the tables as they were right before each PATCH of an entry, by the index of the write. An operation may
 * change a table twice: it adds columns before rules change, and deletes others after that. The undo of each PATCH
 * undoes only what that PATCH has changed. Otherwise, columns would be deleted before the rules on other columns are
 * restored.
 *
 * Members that an earlier PATCH has sent are as its response shows them, or as before the entry if there is no
 * response. Columns that the entry has added and that no longer exist are left out.
 */
export function getTablesBefore(
  { operation, before, writeStates: states }: Pick<HistoryEntry, 'operation' | 'before' | 'writeStates'>,
  currentDocuments: CurrentDocuments,
): ReadonlyMap<number, JsonObject> {
  const oldDocuments = new Documents(before.map(({ ref, document }) => ({ ref, document })));
  const current = new Documents(currentDocuments);
  const latest = new Map<string, JsonObject>();
  const result = new Map<number, JsonObject>();
  for (const [index, { endpoint, target, body }] of operation.writes.entries()) {
    if (endpoint !== 'tables.update' || target === undefined) {
      continue;
    }
    const oldTable = asObject(oldDocuments.get(target));
    const table = latest.get(getRefKey(target)) ?? oldTable;
    result.set(index, table);
    const state = states[index];
    const response = asObject(state?.state === 'done' ? state.answer : undefined);
    const sent = Object.keys(asObject(body)).flatMap((name) => {
      const value = response[name];
      return value === undefined
        ? []
        : [[name, name === 'columns' ? selectColumns(value, oldTable, current.get(target)) : value] as const];
    });
    latest.set(getRefKey(target), { ...table, ...Object.fromEntries(sent) });
  }
  return result;
}

/**
 * Returns the columns of a response that existed before or still exist, the former with all their members: a response
 * may have only some of these (rest-api.md, "What is not described").
 */
function selectColumns(columns: JsonValue, oldTable: JsonObject, current: JsonValue | undefined): JsonValue {
  const oldColumns = new Map(getObjects(oldTable['columns']).map((column) => [column['oid'], column]));
  const currentOids = new Set(getObjects(asObject(current)['columns']).map(({ oid }) => oid));
  return getObjects(columns)
    .filter(({ oid }) => oldColumns.has(oid) || currentOids.has(oid))
    .map((column) => ({ ...oldColumns.get(column['oid']), ...column }));
}
