import { type ItemKey, formatItemKey } from '../item.ts';
import type { PullConflict } from './decideUnit.ts';
import type { LeftOutItem } from './leftOutItem.ts';
import type { PullPlan } from './planPull.ts';

/** What a pull that should resolve conflicts in favor of a side doesn't resolve. */
export interface UnresolvedConflicts {
  /** The conflicts that the side can't win. */
  readonly unwinnable: readonly PullConflict[];
  /** What is left out: of these conflicts, or of a datamodel that is restored as a whole. */
  readonly leftOutItems: readonly LeftOutItem[];
  /**
   * The conflicts that stay as they are, because they are left out, a file can't be read or written, or the project has
   * changed their name.
   */
  readonly skipped: readonly PullConflict[];
  /** Those of them with a file that can't be read or written. */
  readonly inaccessible: readonly PullConflict[];
  /** Those of them whose item has another name since the conflicts were found, such as by another `renamedFrom`. */
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
    unknownItems,
    decidedKeys,
  }: Pick<PullPlan, 'conflicts' | 'leftOutItems' | 'unknownItems' | 'decidedKeys'>,
  attempted: readonly PullConflict[],
): UnresolvedConflicts | undefined {
  const unknownKeys = new Set(unknownItems.map(formatItemKey));
  const leftOutKeys = new Set(leftOutItems.map(({ key }) => formatItemKey(key)));
  const unitKeys = new Set(decidedKeys.map(formatItemKey));
  const isRenamed = ({ unitKey }: PullConflict): boolean => !unitKeys.has(formatItemKey(unitKey));
  const untouched = attempted.filter(
    (conflict) => isRenamed(conflict) || unknownKeys.has(formatItemKey(conflict.unitKey)),
  );
  return untouched.length + conflicts.length + leftOutItems.length === 0
    ? undefined
    : {
        unwinnable: conflicts,
        leftOutItems,
        skipped: untouched,
        inaccessible: untouched.filter(
          (conflict) =>
            !isRenamed(conflict) &&
            !withDatamodel(conflict.unitKey).some((key) => leftOutKeys.has(formatItemKey(key))),
        ),
        renamed: untouched.filter(isRenamed),
      };
}

/** Returns a key and that of its datamodel, which stands for everything in it if it's left out. */
const withDatamodel = (key: ItemKey): readonly ItemKey[] =>
  'datamodel' in key ? [key, { kind: 'datamodel', datamodel: key.datamodel }] : [key];
