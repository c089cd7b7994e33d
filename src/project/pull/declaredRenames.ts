import type { JsonValue } from '../../base/json.ts';
import { type ItemKey, formatItemKey, renamedFromMember } from '../item.ts';
import type { Lock } from './lock.ts';
import { mapRenamableObjects } from './formerNames.ts';
import type { InstanceColumnRename, ItemRename } from './mergeUnits.ts';

/** The renames on the pulled instance, and the locks of the other instances, which may still have the former names. */
export interface RenamesToDeclare {
  readonly renames: readonly ItemRename[];
  readonly columnRenames: readonly InstanceColumnRename[];
  readonly otherLocks: readonly Lock[];
}

/**
 * Declares renames on the instance in a file: adds `renamedFrom` to a table, its columns, or a viewpoint if another
 * environment still has the former name. Otherwise, a plan for that environment would create a second item. A former
 * name that the file already has is kept.
 */
export function declareRenames(
  key: ItemKey,
  content: JsonValue,
  { renames, columnRenames, otherLocks }: RenamesToDeclare,
): JsonValue {
  if (otherLocks.length === 0 || renames.length + columnRenames.length === 0) {
    return content;
  }
  const text = formatItemKey(key);
  const from = renames.find(({ to }) => formatItemKey(to) === text)?.from;
  const columns = columnRenames.filter(({ table }) => formatItemKey(table) === text);
  if (from === undefined && columns.length === 0) {
    return content;
  }
  const formerText = from === undefined ? text : formatItemKey(from);
  const isKnownElsewhere =
    // If only the datamodel was renamed, its items keep their own names.
    from !== undefined &&
    getName(from) !== getName(key) &&
    otherLocks.some(({ entries }) => entries.has(formerText) && !entries.has(text));
  const isColumnKnownElsewhere = (rename: InstanceColumnRename): boolean =>
    otherLocks.some(({ entries }) => {
      const lockColumns = (entries.get(formerText) ?? entries.get(text))?.columns ?? {};
      return Object.hasOwn(lockColumns, rename.from) && !Object.hasOwn(lockColumns, rename.to);
    });
  return mapRenamableObjects({ key, content }, (object, column) => {
    const formerName =
      column === undefined
        ? isKnownElsewhere
          ? getName(from)
          : undefined
        : columns.find((rename) => rename.to === column && isColumnKnownElsewhere(rename))?.from;
    return formerName === undefined || object[renamedFromMember] !== undefined
      ? object
      : { ...object, [renamedFromMember]: formerName };
  });
}

/** Returns whether a pull brings in a rename whose former name another environment may still have. */
export const hasDeclarableRenames = ({
  renames,
  columnRenames,
}: Pick<RenamesToDeclare, 'renames' | 'columnRenames'>): boolean =>
  columnRenames.length > 0 || renames.some(({ from, to }) => getName(from) !== getName(to));

const getName = (key: ItemKey): string | undefined =>
  key.kind === 'table' ? key.table : key.kind === 'viewpoint' ? key.viewpoint : undefined;
