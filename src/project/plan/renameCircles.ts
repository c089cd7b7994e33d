import { findCircularColumns, findCircularNames } from '../circularNames.ts';
import { type ItemKey, type ProjectItem, formatItemKey } from '../item.ts';
import { getFormerKey } from '../pull/renames.ts';

/** An item or column that is to get the former name of another one, which is renamed as well, and so on in a circle. */
export interface CircularRename {
  readonly key: ItemKey;
  /** The name in the project. */
  readonly name: string;
}

/**
 * Finds the names that are exchanged, such as those of two columns that are each called like the other before. The
 * platform takes one name after the other, so there is no request for that; and without knowing what was exchanged, all
 * of them would seem to have kept their names.
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
