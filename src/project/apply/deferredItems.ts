import { type ItemKey, formatItemKey } from '../item.ts';
import type { PreparedPlan } from './preparePlan.ts';

/** What a plan leaves for another apply, and the renames that it makes. */
interface DeferringPlan {
  readonly comparison: Pick<PreparedPlan['comparison'], 'renamer'>;
  readonly compiled: Pick<PreparedPlan['compiled'], 'deferred'>;
}

/** Returns a function that checks whether a plan leaves the deletion of an item, or of a part of it, for another apply. */
export function createDeferralCheck({ comparison, compiled }: DeferringPlan): (key: ItemKey) => boolean {
  const deferred = new Set(compiled.deferred.map(({ key }) => formatItemKey(key)));
  // The rules of a renamed column are deferred with the key in the project.
  return (key) =>
    [key, comparison.renamer.toProjectKey(key)].some((other) => deferred.has(formatItemKey(other)));
}
