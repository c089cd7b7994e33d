import { formatItemKey, parseItemKey } from '../item.ts';
import type { Lock } from '../pull/lock.ts';
import { equalsBase } from '../pull/mergeItem.ts';
import type { ServerContents } from './compareStatus.ts';

/**
 * Returns whether a lock file that has changed describes another state of the instance than the one that was read: a
 * pull or an apply elsewhere has probably seen a newer one. A changed entry that now matches what was read doesn't
 * count, such as the entry of a resolved conflict.
 * @param before the lock before; equal entries are the same objects in both locks
 */
export function isNewerLock(
  before: Lock,
  after: Lock,
  { instance, isUnknownOnInstance }: ServerContents,
): boolean {
  const changedKeys = [...new Set([...before.entries.keys(), ...after.entries.keys()])].filter(
    (key) => before.entries.get(key) !== after.entries.get(key),
  );
  if (changedKeys.length === 0) {
    return false;
  }
  const items = new Map(instance.items.map((item) => [formatItemKey(item.key), item]));
  return changedKeys.some((text) => {
    const key = parseItemKey(text);
    const [entry, item] = [after.entries.get(text), items.get(text)];
    return (
      key !== undefined &&
      !isUnknownOnInstance(key) &&
      (entry === undefined || item === undefined
        ? entry !== undefined || item !== undefined
        : !equalsBase(key, item.content, entry.parts))
    );
  });
}
