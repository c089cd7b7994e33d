import { type ItemKey, formatItemKey } from '../item.ts';
import type { PullConflict } from './decideUnit.ts';
import type { LeftOutItem } from './leftOutItem.ts';
import type { PullPlan } from './planPull.ts';

/** What a pull that should resolve conflicts in favor of a side doesn't resolve. */
export interface UnresolvedConflicts {
  /** The conflicts that the side can't win. */
  readonly unwinnable: readonly PullConflict[];
  /**
   * The items that are left out because rules that may protect them would be missing: those of the conflicts, or of a
   * datamodel that is restored as a whole.
   */
  readonly leftOutItems: readonly LeftOutItem[];
  /**
   * The conflicts that stay as they are, because their items are left out, have a file with unsaved changes or one that
   * can't be read, or have another name since the conflicts were found.
   */
  readonly skipped: readonly PullConflict[];
  /** The skipped conflicts with a file that has unsaved changes or can't be read. */
  readonly blocked: readonly PullConflict[];
  /** The skipped conflicts whose item has another name since they were found, such as by another `renamedFrom`. */
  readonly renamed: readonly PullConflict[];
}

/**
 * Returns what a pull doesn't resolve, although it doesn't report all of it as conflicts; `undefined` if it resolves
 * everything.
 * @param attempted the conflicts that the pull is limited to
 */
export function findUnresolvedConflicts(
  {
    conflicts,
    leftOutItems,
    skippedItems,
    comparedKeys,
  }: Pick<PullPlan, 'conflicts' | 'leftOutItems' | 'skippedItems' | 'comparedKeys'>,
  attempted: readonly PullConflict[],
): UnresolvedConflicts | undefined {
  const skippedKeys = new Set(skippedItems.map(formatItemKey));
  const leftOutKeys = new Set(leftOutItems.map(({ key }) => formatItemKey(key)));
  const comparedTexts = new Set(comparedKeys.map(formatItemKey));
  // The pull compares all items, except those that only the project has. So if the item of a conflict isn't among them,
  // it has another name now.
  const isRenamed = ({ unitKey }: PullConflict): boolean => !comparedTexts.has(formatItemKey(unitKey));
  const skipped = attempted.filter(
    (conflict) => isRenamed(conflict) || skippedKeys.has(formatItemKey(conflict.unitKey)),
  );
  return skipped.length + conflicts.length + leftOutItems.length === 0
    ? undefined
    : {
        unwinnable: conflicts,
        leftOutItems,
        skipped,
        blocked: skipped.filter(
          (conflict) =>
            !isRenamed(conflict) &&
            !withDatamodel(conflict.unitKey).some((key) => leftOutKeys.has(formatItemKey(key))),
        ),
        renamed: skipped.filter(isRenamed),
      };
}

/** Returns a key and the key of its datamodel: if the datamodel is left out, so is everything in it. */
const withDatamodel = (key: ItemKey): readonly ItemKey[] =>
  'datamodel' in key ? [key, { kind: 'datamodel', datamodel: key.datamodel }] : [key];
