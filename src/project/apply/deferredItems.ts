import type { ItemChange } from '../compare/itemChange.ts';
import { formatItemKey } from '../item.ts';
import type { ProjectComparison } from '../plan/compareProject.ts';
import type { DeferredChange, StillHidden } from './problems.ts';

/** What a plan leaves for another apply, and the renames that it makes. */
interface DeferringPlan {
  readonly comparison: Pick<ProjectComparison, 'renamer'>;
  readonly compiled: { readonly deferred: readonly DeferredChange[] };
}

/**
 * Checks whether a plan leaves a change for another apply. For an update of a table, checks whether the deletion of its
 * columns waits. References to columns and the unhiding of what is hidden may wait, too, but they don't change which
 * tables and columns exist.
 */
export type DeferralCheck = (change: Pick<ItemChange, 'action' | 'key'>) => boolean;

/** Returns a function that checks what a plan leaves for another apply. */
export function createDeferralCheck({ comparison, compiled }: DeferringPlan): DeferralCheck {
  const deferred = new Set(
    compiled.deferred
      .filter(({ part }) => part === undefined || part === 'column-deletions')
      .map(({ key }) => formatItemKey(key)),
  );
  return ({ action, key }) =>
    deferred.has(formatItemKey(key)) ||
    // The rules of a renamed column are deferred with the key in the project.
    (action === 'delete' && deferred.has(formatItemKey(comparison.renamer.toProjectKey(key))));
}

/** Returns what a later apply has to show, by the keys of the tables. */
export const getStillHidden = (deferred: readonly DeferredChange[]): ReadonlyMap<string, StillHidden> =>
  new Map(
    deferred.flatMap(({ key, stillHidden }) =>
      stillHidden === undefined ? [] : [[formatItemKey(key), stillHidden] as const],
    ),
  );
