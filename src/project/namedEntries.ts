import { type JsonObject, type JsonValue, isJsonObject } from '../base/json.ts';

/**
 * Returns the entries of a list by their names, in the order of the list; `undefined` unless all of them are objects
 * with distinct names. Such entries, like the columns of a table, keep their identity when the list is reordered.
 */
export function getNamedEntries(list: readonly JsonValue[]): ReadonlyMap<string, JsonObject> | undefined {
  const entries = new Map<string, JsonObject>();
  for (const entry of list) {
    const name = isJsonObject(entry) && Object.hasOwn(entry, 'name') ? entry['name'] : undefined;
    if (!isJsonObject(entry) || typeof name !== 'string' || entries.has(name)) {
      return undefined;
    }
    entries.set(name, entry);
  }
  return entries;
}
