import type { JsonValue } from '../../base/json.ts';
import { getColumnsByName } from '../compare/normalizeContent.ts';
import { type PartHashes, hashParts } from '../compare/parts.ts';
import type { ConvertedInstance } from '../instance/convertInstance.ts';
import { type ProjectItem, formatItemKey, parseItemKey } from '../item.ts';
import type { Lock } from './lock.ts';
import { type Renamer, deriveRenamer } from './renames.ts';
import { createItemRenamer } from './renameItems.ts';

/** The project and the instance that a lock is compared with. */
export interface ProjectAndInstance {
  readonly project: { readonly items: readonly ProjectItem[] };
  readonly pulled: Pick<ConvertedInstance, 'items' | 'identities'>;
}

/**
 * Returns a lock with the new names of items that both the project and the instance have renamed, so that an item that
 * was seen under its former name, such as rules on a renamed table, still counts as seen. A part gets its hash with the
 * new names only if it's unchanged on the instance; otherwise, it counts as changed there. Items that only the instance
 * has renamed keep their former names, since that is how a pull recognizes the rename.
 */
export function renameLockEntries(lock: Lock, { project, pulled }: ProjectAndInstance): Lock {
  const wanted = new Map(project.items.map(({ key, content }) => [formatItemKey(key), content]));
  const renamer = findSharedRenames(lock, wanted, pulled);
  if (renamer.isEmpty) {
    return lock;
  }
  const current = new Set(pulled.items.map(({ key }) => formatItemKey(key)));
  const renameItem = createItemRenamer(renamer, pulled);
  const entries = new Map(lock.entries);
  for (const item of pulled.items) {
    const former = renameItem(item);
    const [text, formerText] = [formatItemKey(item.key), formatItemKey(former.key)];
    const entry = lock.entries.get(formerText);
    const canBeRenamed =
      text === formerText || !(lock.entries.has(text) || current.has(formerText) || wanted.has(formerText));
    if (entry !== undefined && canBeRenamed) {
      entries.delete(formerText);
      const rename = (parts: PartHashes): PartHashes => renameParts(parts, former.content, item.content);
      entries.set(text, {
        ...entry,
        parts: rename(entry.parts),
        unpulledParts: entry.unpulledParts && rename(entry.unpulledParts),
      });
    }
  }
  return { ...lock, entries };
}

/** Finds items whose names on the instance differ from those in the lock, and whose former names the project lacks. */
function findSharedRenames(
  lock: Lock,
  wanted: ReadonlyMap<string, JsonValue>,
  { items, identities }: ProjectAndInstance['pulled'],
): Renamer {
  const toKeys = (texts: Iterable<string>) =>
    [...texts].flatMap((text) => {
      const key = parseItemKey(text);
      return key === undefined ? [] : [{ key, text }];
    });
  return deriveRenamer({
    items: toKeys(lock.entries.keys()).map(({ key, text }) => ({
      key,
      content: {
        columns: Object.keys(lock.entries.get(text)?.columns ?? {}).map((name) => ({ name })),
      },
    })),
    lock,
    pulled: {
      items: [...items, ...toKeys(wanted.keys())],
      identities: identities.map((identity) => ({
        ...identity,
        columns: {
          ...Object.fromEntries(
            [...getColumnsByName(wanted.get(formatItemKey(identity.key))).keys()].map((name) => [name, '']),
          ),
          ...identity.columns,
        },
      })),
    },
  });
}

/**
 * Replaces the pointers and hashes of parts by those with the new names.
 * @param former the content on the instance, with the former names
 * @param current the same content with the new names
 */
function renameParts(parts: PartHashes, former: JsonValue, current: JsonValue): PartHashes {
  const currentParts = [...hashParts(current)];
  const formerParts = [...hashParts(former)];
  if (currentParts.length !== formerParts.length) {
    return parts;
  }
  const indexes = new Map(formerParts.map(([pointer], index) => [pointer, index]));
  return new Map(
    [...parts].map(([pointer, hash]) => {
      const index = indexes.get(pointer) ?? -1;
      const [currentPointer, currentHash] = currentParts[index] ?? [pointer, hash];
      return [currentPointer, formerParts[index]?.[1] === hash ? currentHash : hash];
    }),
  );
}
