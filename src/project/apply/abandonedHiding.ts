import { type JsonObject, type JsonValue, isJsonObject } from '../../base/json.ts';
import { getObjects, omitMembers } from '../../changes/model/jsonMembers.ts';
import type { HiddenName } from '../../changes/journal/hiddenAfterStop.ts';
import { type PartHashes, appendToken, hashParts } from '../compare/parts.ts';
import type { ConvertedInstance } from '../instance/convertInstance.ts';
import { formatItemKey } from '../item.ts';
import type { LockEntry } from '../pull/lock.ts';

/**
 * Returns the entries of a lock in which tables and columns count as seen that an abandoned apply has hidden: without
 * this, the next plan would report them as changed by others. They count as seen only if the lock had seen everything
 * else of them, since others may have changed them, too.
 */
export function recordHiding(
  entries: ReadonlyMap<string, LockEntry>,
  {
    pulled,
    hidden,
  }: {
    readonly pulled: Pick<ConvertedInstance, 'items' | 'identities'>;
    readonly hidden: readonly HiddenName[];
  },
): readonly (readonly [string, LockEntry])[] {
  const contents = new Map(pulled.items.map(({ key, content }) => [formatItemKey(key), content]));
  return [...Map.groupBy(hidden, ({ tableId }) => tableId)].flatMap(([tableId, names]) => {
    const identity = pulled.identities.find(({ key, oid }) => key.kind === 'table' && oid === tableId);
    const text = identity === undefined ? '' : formatItemKey(identity.key);
    const [entry, content] = [entries.get(text), contents.get(text)];
    if (entry === undefined || !isJsonObject(content)) {
      return [];
    }
    const current = hashParts(content);
    const former = listFormerHashes(content);
    const seen = names.flatMap(({ column }): readonly (readonly [string, string])[] => {
      const pointer = column === undefined ? '/hidden' : appendToken('/columns', column);
      const hash = current.get(pointer);
      const wasSeen = former.some((hashes) => hashes.get(pointer) === entry.parts.get(pointer));
      return hash !== undefined && wasSeen ? [[pointer, hash]] : [];
    });
    return [[text, { ...entry, parts: new Map([...entry.parts, ...seen]) }] as const];
  });
}

/** Returns the hashes of a table as they were before it and its columns were hidden. */
const listFormerHashes = (content: JsonObject): readonly PartHashes[] =>
  [
    (object: JsonObject) => omitMembers(object, 'hidden'),
    (object: JsonObject) => ({ ...object, hidden: false }),
  ].map((show: (object: JsonObject) => JsonObject): PartHashes => {
    const columns: JsonValue = getObjects(content['columns']).map(show);
    return hashParts({ ...show(content), columns });
  });
