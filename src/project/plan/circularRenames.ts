import { findCircularColumns, findCircularNames } from '../circularNames.ts';
import { type ItemKey, type ProjectItem, formatItemKey } from '../item.ts';
import { getFormerKey } from '../pull/renames.ts';

/** An item or column in a circle of renames: each gets the former name of another one. */
export interface CircularRename {
  readonly key: ItemKey;
  /** The name in the project. */
  readonly name: string;
}

/**
 * Finds renames in a circle, such as of two columns that exchange their names. No request can do that, because the
 * platform changes one name at a time. If such renames were ignored, all of the names would seem to be unchanged.
 */
export function findCircularRenames(items: readonly ProjectItem[]): readonly CircularRename[] {
  const formerKeys = new Map<string, string>();
  for (const { key, content } of items) {
    const former = getFormerKey(key, content);
    if (former !== undefined) {
      formerKeys.set(formatItemKey(key), formatItemKey(former));
    }
  }
  const circularItems = findCircularNames(formerKeys);
  return items.flatMap(({ key, content }) => [
    ...(circularItems.has(formatItemKey(key))
      ? [{ key, name: key.kind === 'table' ? key.table : key.kind === 'viewpoint' ? key.viewpoint : '' }]
      : []),
    ...(key.kind === 'table'
      ? [...findCircularColumns(content).values()].map((name) => ({ key, name }))
      : []),
  ]);
}
