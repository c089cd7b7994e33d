import { type ItemKey, formatItemKey } from '../item.ts';
import type { ProjectComparison } from '../plan/compareProject.ts';
import type { DeferredChange } from './problems.ts';

/** What a plan leaves for another apply, and the renames that it makes. */
interface DeferringPlan {
  readonly comparison: Pick<ProjectComparison, 'renamer'>;
  readonly compiled: { readonly deferred: readonly DeferredChange[] };
}

/**
 * Returns a function that checks whether a plan leaves an item, or the deletion of it or of a part of it, for another
 * apply.
 */
export function createDeferralCheck({ comparison, compiled }: DeferringPlan): (key: ItemKey) => boolean {
  const deferred = new Set(compiled.deferred.map(({ key }) => formatItemKey(key)));
  // The rules of a renamed column are deferred with the key in the project.
  return (key) =>
    [key, comparison.renamer.toProjectKey(key)].some((other) => deferred.has(formatItemKey(other)));
}
