import type { Datamodel } from '../contract/datamodel.ts';
import { parseServerTime } from '../contract/serverTime.ts';
import { type Build, isRunning } from './build.ts';

/** Returns the build that ended last; of those that ended at the same time, the last one of the list. */
export const findLatestEnded = (builds: readonly Build[]): Build | undefined =>
  builds
    .filter((build) => !isRunning(build))
    .toSorted((a, b) => (a.ended ?? 0) - (b.ended ?? 0))
    .at(-1);

/**
 * Returns whether a later build of the same datamodel was successful, judging by the times of the datamodel, since the
 * task of that build may have been deleted (rest-api.md, "Build task"). A server may set the time of the last build
 * after a failed one, too, so no build may be later than the last successful one.
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
