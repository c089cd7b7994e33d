import { isJsonObject, type JsonValue } from '../../base/json.ts';
import type { HistoryEntry } from './entry.ts';

/**
 * Returns an entry whose undo restores items under new names.
 * @param names the new names, by the former IDs of the items
 */
export const renameRestored = (entry: HistoryEntry, names: ReadonlyMap<string, string>): HistoryEntry =>
  names.size === 0
    ? entry
    : {
        ...entry,
        before: entry.before.map(({ ref, document }) => ({
          ref,
          ...(document === undefined ? {} : { document: renameItems(document, names) }),
        })),
      };

function renameItems(value: JsonValue, names: ReadonlyMap<string, string>): JsonValue {
  if (Array.isArray(value)) {
    return (value as readonly JsonValue[]).map((item) => renameItems(item, names));
  }
  if (!isJsonObject(value)) {
    return value;
  }
  const id = value['oid'] ?? value['id'];
  const newName = typeof id === 'string' ? names.get(id) : undefined;
  const members = Object.entries(value).map(
    ([name, member]) =>
      [name, isJsonObject(member) || Array.isArray(member) ? renameItems(member, names) : member] as const,
  );
  const renamed = Object.fromEntries(members);
  return newName === undefined ? renamed : { ...renamed, ['title' in value ? 'title' : 'name']: newName };
}
