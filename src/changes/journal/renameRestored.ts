import { getMember, isJsonObject, type JsonValue } from '../../base/json.ts';
import { getText } from '../model/jsonMembers.ts';
import type { HistoryEntry } from './entry.ts';

/**
 * Returns an entry whose undo restores items under new names.
 * @param names the new names, by the former IDs of the items
 */
export const renameRestoredItems = (
  entry: HistoryEntry,
  names: ReadonlyMap<string, string>,
): HistoryEntry => ({
  ...entry,
  before: entry.before.map(({ ref, document, ...others }) => ({
    ...others,
    ref,
    ...(document === undefined ? {} : { document: renameItems(document, names) }),
    // The recorded rules of a datamodel refer to the title that it had.
    ...(ref.kind === 'datamodel' && names.has(ref.datamodelId)
      ? { formerTitle: getText(getMember(document ?? null, 'title')) }
      : {}),
  })),
});

function renameItems(value: JsonValue, names: ReadonlyMap<string, string>): JsonValue {
  if (Array.isArray(value)) {
    return (value as readonly JsonValue[]).map((item) => renameItems(item, names));
  }
  if (!isJsonObject(value)) {
    return value;
  }
  const id = value['oid'] ?? value['id'];
  const newName = typeof id === 'string' ? names.get(id) : undefined;
  const renamed = Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, renameItems(member, names)]),
  );
  return newName === undefined ? renamed : { ...renamed, ['title' in value ? 'title' : 'name']: newName };
}
