import type { AppliedProject } from '../../changes/model/operation.ts';
import { type ItemKey, formatItemKey, getOwnerKeys, parseItemKey } from '../item.ts';

/**
 * Returns the keys of the items whose files a pull updates to match the instance once their apply is undone: what it has
 * renamed, with everything whose name contains that, and what it has deleted. Tables of which it has renamed or deleted
 * columns are among them. Of anything else, a pull keeps the changes in the files, because `restoreFormerLock` restores
 * its entry.
 */
export function findReplacedItems({
  formerItems = [],
  prunedKinds = [],
}: Pick<AppliedProject, 'formerItems' | 'prunedKinds'>): readonly ItemKey[] {
  const keys = formerItems.flatMap(({ key: text, newKey, lastSeen, parts, appliedParts }) => {
    const key = parseItemKey(newKey ?? text);
    const isColumnMissing = (all = {}, other = {}): boolean =>
      Object.keys(all).some((pointer) => pointer.startsWith('/columns/') && !Object.hasOwn(other, pointer));
    const isReplaced =
      newKey !== undefined ||
      (appliedParts === undefined && parts !== undefined) ||
      // Others have deleted it, and the apply has created it again.
      (lastSeen !== undefined && parts === undefined && appliedParts !== undefined) ||
      (key?.kind === 'table' &&
        parts !== undefined &&
        isColumnMissing(parts, appliedParts) &&
        (prunedKinds.includes('column') || isColumnMissing(appliedParts, parts)));
    return isReplaced && key !== undefined ? [key] : [];
  });
  const texts = new Set(keys.map(formatItemKey));
  return keys.filter((key) => !getContainers(key).some((owner) => texts.has(formatItemKey(owner))));
}

/** Returns the items that may stand for an item in a list: what it belongs to, and the tables in its name. */
const getContainers = (key: ItemKey): readonly ItemKey[] => [
  ...getOwnerKeys(key),
  ...(key.kind === 'rules' || key.kind === 'relation'
    ? (key.kind === 'rules' ? [key] : key.columns).map(
        ({ table }): ItemKey => ({ kind: 'table', datamodel: key.datamodel, table }),
      )
    : []),
];
