import { type ItemKey, formatItemKey } from '../item.ts';
import type { PullConflict } from './decideUnit.ts';
import type { LeftOutItem } from './leftOutItem.ts';
import type { PullPlan } from './planPull.ts';

/** What a pull that should resolve conflicts in favor of a side doesn't resolve. */
export interface UnresolvedConflicts {
  /** The conflicts that the side can't win. */
  readonly conflicts: readonly PullConflict[];
  /** What is left out: of these conflicts, or of a datamodel that is restored as a whole. */
  readonly leftOut: readonly LeftOutItem[];
  /** The conflicts that stay as they are, because they are left out or a file can't be read or written. */
  readonly untouched: readonly PullConflict[];
  /** Those of them that aren't left out. */
  readonly inaccessible: readonly PullConflict[];
}

/**
 * Returns what a pull doesn't resolve, although it doesn't report all of it as conflicts; `undefined` if it resolves
 * everything.
 * @param attempted the conflicts that the pull is limited to
 */
export function findUnresolvedConflicts(
  { conflicts, leftOut, unknown }: Pick<PullPlan, 'conflicts' | 'leftOut' | 'unknown'>,
  attempted: readonly PullConflict[],
): UnresolvedConflicts | undefined {
  const unknownKeys = new Set(unknown.map(formatItemKey));
  const leftOutKeys = new Set(leftOut.map(({ key }) => formatItemKey(key)));
  const untouched = attempted.filter(({ unitKey }) => unknownKeys.has(formatItemKey(unitKey)));
  return untouched.length + conflicts.length + leftOut.length === 0
    ? undefined
    : {
        conflicts,
        leftOut,
        untouched,
        inaccessible: untouched.filter(
          ({ unitKey }) => !withDatamodel(unitKey).some((key) => leftOutKeys.has(formatItemKey(key))),
        ),
      };
}

/** Returns a key and that of its datamodel, which stands for everything in it if it's left out. */
const withDatamodel = (key: ItemKey): readonly ItemKey[] =>
  'datamodel' in key ? [key, { kind: 'datamodel', datamodel: key.datamodel }] : [key];
