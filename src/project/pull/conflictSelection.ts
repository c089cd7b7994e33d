import type { Project } from '../files/project.ts';
import { type ItemKey, formatItemKey } from '../item.ts';
import { getUnitOwnerKey } from './mergeUnits.ts';

/**
 * Returns a function that returns whether an item belongs to conflicts that are being resolved. A datamodel that the
 * project no longer has is resolved as a whole.
 * @param keys the items in conflict
 */
export function createConflictSelection(
  keys: readonly ItemKey[],
  project: Project,
): (key: ItemKey) => boolean {
  const titles = new Set(
    project.items.flatMap(({ key }) => (key.kind === 'datamodel' ? [key.datamodel] : [])),
  );
  const findDeletedDatamodel = (key: ItemKey): ItemKey | undefined =>
    'datamodel' in key && !titles.has(key.datamodel)
      ? { kind: 'datamodel', datamodel: key.datamodel }
      : undefined;
  const selected = new Set(
    keys.map((key) => formatItemKey(findDeletedDatamodel(key) ?? getUnitOwnerKey(key))),
  );
  return (key) =>
    [getUnitOwnerKey(key), findDeletedDatamodel(key)].some(
      (owner) => owner !== undefined && selected.has(formatItemKey(owner)),
    );
}
