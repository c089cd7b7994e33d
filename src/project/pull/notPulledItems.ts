import type { ConvertedInstance } from '../instance/convertInstance.ts';
import { type ItemKey, formatItemKey, parseItemKey } from '../item.ts';
import type { ReadScope } from '../source/readInstance.ts';
import type { Lock } from './lock.ts';

/**
 * Returns a function that checks whether an item is in the lock and still exists on the instance, but was
 * not pulled, because it has another name that is not managed, or can't be stored in a file. Such an item must not be
 * treated as deleted.
 * @param listedIds the identifiers of everything that the instance lists
 */
export function createNotPulledCheck(
  { entries }: Lock,
  { identities, notes }: Pick<ConvertedInstance, 'identities' | 'notes'>,
  listedIds: Iterable<string>,
): (key: ItemKey) => boolean {
  const existingIds = new Set([...listedIds, ...notes.flatMap(({ oids }) => oids)]);
  identities.forEach(({ oid }) => existingIds.delete(oid));
  const keys = new Set<string>();
  const datamodels = new Set<string>();
  for (const [text, { oid }] of entries) {
    const key = oid !== undefined && existingIds.has(oid) ? parseItemKey(text) : undefined;
    if (key?.kind === 'datamodel') {
      datamodels.add(key.datamodel);
    } else if (key !== undefined) {
      keys.add(text);
    }
  }
  return (key) =>
    ('datamodel' in key && datamodels.has(key.datamodel)) || (keys.size > 0 && keys.has(formatItemKey(key)));
}

/**
 * Returns a function that checks whether the content of an item can't be compared, because it has users or groups that
 * could not be read: a file would name them. What belongs to the item can be compared.
 */
export function createUnreadPartiesCheck(
  { keysWithParties = [] }: Pick<ConvertedInstance, 'keysWithParties'>,
  { unreadParts }: Pick<ReadScope, 'unreadParts'>,
): (key: ItemKey) => boolean {
  const keys = new Set(
    unreadParts.some(({ kind }) => kind === 'people') ? keysWithParties.map((key) => formatItemKey(key)) : [],
  );
  return (key) => keys.size > 0 && keys.has(formatItemKey(key));
}
