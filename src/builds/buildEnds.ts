import { type Build, getBuildKey, isFailedOrGone, isResultKnown, isRunning } from './build.ts';
import { findLaterEnds, sortByEnd } from './latestBuild.ts';

/** A build that has ended or is gone. */
export interface BuildEnd {
  readonly build: Build;
  /**
   * False if the user need not be notified: the build was never seen running, or it was started elsewhere and failed
   * before a successful one.
   */
  readonly isNotable: boolean;
}

/**
 * Returns the builds that have ended between two states of the known builds, in the order in which they ended.
 * @param openedAt when this window was opened. Builds that ended earlier and that it never saw running are left out:
 * the views list them, but the user need not be notified of them
 */
export function findBuildEnds(
  before: readonly Build[],
  after: readonly Build[],
  openedAt: number,
): readonly BuildEnd[] {
  const endedBuilds = new Set(findEndedBuilds(before, after));
  const foundBuilds = getFoundSince(before, after).filter(({ ended }) => (ended ?? 0) >= openedAt);
  return sortByEnd([...endedBuilds, ...foundBuilds]).map((build) => ({
    build,
    isNotable: endedBuilds.has(build) && !isSuperseded(build, after),
  }));
}

/**
 * Returns whether a build that was started elsewhere has failed or is gone, and the latest one of its datamodel is
 * done.
 */
const isSuperseded = (build: Build, builds: readonly Build[]): boolean =>
  build.startedBy === undefined &&
  isFailedOrGone(build) &&
  findLaterEnds(build, builds).at(-1)?.phase === 'done';

/** Returns the builds that were running before and no longer are. */
export function findEndedBuilds(before: readonly Build[], after: readonly Build[]): readonly Build[] {
  const runningBefore = new Set(before.filter(isRunning).map(getBuildKey));
  return after.filter((build) => !isRunning(build) && runningBefore.has(getBuildKey(build)));
}

/** Returns the builds that have ended and were unknown before. */
export function getFoundSince(before: readonly Build[], after: readonly Build[]): readonly Build[] {
  const knownBefore = new Set(before.map(getBuildKey));
  return after.filter((build) => !isRunning(build) && !knownBefore.has(getBuildKey(build)));
}

/** Returns the builds that were gone before and whose actual result is now known. */
export function findReappearedBuilds(before: readonly Build[], after: readonly Build[]): readonly Build[] {
  const goneBefore = new Set(before.filter(({ phase }) => phase === 'gone').map(getBuildKey));
  return after.filter((build) => isResultKnown(build) && goneBefore.has(getBuildKey(build)));
}
