import type { Datamodel } from '../contract/datamodel.ts';
import { parseServerTime } from '../contract/serverTime.ts';
import { type Build, getBuiltDatamodelKey, isRunning } from './build.ts';

/** Sorts builds by when they ended; those that ended at the same time keep their order. */
export const sortByEnd = (builds: readonly Build[]): readonly Build[] =>
  builds.toSorted((a, b) => (a.ended ?? 0) - (b.ended ?? 0));

/** Returns the build that ended last; of those that ended at the same time, the last one of the list. */
export const findLatestEnded = (builds: readonly Build[]): Build | undefined =>
  sortByEnd(builds.filter((build) => !isRunning(build))).at(-1);

/**
 * Returns the builds of the same datamodel that ended after a build of the list, in the order in which they ended; of
 * those that ended at the same time, those after it in the list.
 */
export function findLaterEnds(build: Build, builds: readonly Build[]): readonly Build[] {
  const key = getBuiltDatamodelKey(build);
  const ends = sortByEnd(builds.filter((other) => !isRunning(other) && getBuiltDatamodelKey(other) === key));
  return ends.slice(ends.findIndex(({ oid }) => oid === build.oid) + 1);
}

/**
 * Returns whether a later build of the same datamodel was successful, judging by the times of the datamodel, since the
 * task of that build may have been deleted (rest-api.md, "Build task"). Some servers also set `lastBuildTime` after a
 * failed build, so it must not be later than the last success.
 */
export function hasSucceededSince(
  { ended }: Pick<Build, 'ended'>,
  {
    lastBuildTime,
    lastSuccessfulBuildTime,
    lastPublishTime,
  }: Pick<Datamodel, 'lastBuildTime' | 'lastSuccessfulBuildTime' | 'lastPublishTime'>,
): boolean {
  const lastSuccess = Math.max(parseTime(lastSuccessfulBuildTime), parseTime(lastPublishTime));
  return ended !== undefined && lastSuccess > ended && parseTime(lastBuildTime) <= lastSuccess;
}

/** Returns a time in milliseconds since the epoch; 0 for one that is absent or not a time. */
const parseTime = (time: string | null | undefined): number => parseServerTime(time) || 0;
