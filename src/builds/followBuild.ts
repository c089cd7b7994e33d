import { delay } from '../base/clock.ts';
import { type Build, isRunning } from './build.ts';
import { InstanceWatch } from './instanceWatch.ts';
import type { BuildWatchDeps } from './buildWatchDeps.ts';

/** How long polls may fail in a row before following a build ends: about as long as a server takes to restart. */
export const maxSilenceMs = 600_000;

export type FollowBuildDeps = Omit<BuildWatchDeps, 'folder' | 'history' | 'windowId'>;

/**
 * The end of following a build: the build has ended or is gone; the signal was aborted while it was running; or its
 * state can't be read, so its result is unknown.
 */
export type FollowResult =
  | { readonly kind: 'ended' | 'aborted'; readonly build: Build }
  | { readonly kind: 'unreadable'; readonly build: Build; readonly error: unknown };

/**
 * Follows one build until it has ended or is gone, for a process that shares nothing with others: like the build watch,
 * with one GET /builds per poll. It gives up if polling is pointless until the user acts, as with an expired token, and
 * if the server hasn't responded for {@link maxSilenceMs}.
 * @param options.onPoll called after each poll with the build and the error of the poll, if it failed
 */
export async function followBuild(
  build: Build,
  deps: FollowBuildDeps,
  options: {
    readonly signal: AbortSignal;
    readonly onPoll: (build: Build, failure: unknown) => void;
  },
): Promise<FollowResult> {
  const { clock, buildApi } = deps;
  const { signal, onPoll } = options;
  const { connectionId } = build;
  const watch = new InstanceWatch(deps, connectionId, buildApi.getInstanceId(connectionId) ?? connectionId);
  watch.addBuilds([build]);
  const getBuild = (): Build => watch.builds.find(({ oid }) => oid === build.oid) ?? build;
  const followedSince = clock.now();
  for (;;) {
    const canContinue = await completeUnlessAborted(async () => {
      await delay(clock, Math.max(0, watch.getNextPollTime() - clock.now()), signal);
      await watch.poll();
    }, signal);
    if (!canContinue) {
      return { kind: 'aborted', build: getBuild() };
    }
    const { failure, time } = watch.lastUpdate;
    onPoll(getBuild(), failure);
    if (!isRunning(getBuild())) {
      return { kind: 'ended', build: getBuild() };
    }
    const silenceMs = clock.now() - Math.max(time, followedSince);
    if (watch.isBlocked || silenceMs >= maxSilenceMs) {
      return { kind: 'unreadable', build: getBuild(), error: failure };
    }
  }
}

/** Waits for the steps; false as soon as the signal aborts, without waiting for a poll in progress. */
async function completeUnlessAborted(steps: () => Promise<void>, signal: AbortSignal): Promise<boolean> {
  const { promise: aborted, resolve } = Promise.withResolvers<boolean>();
  const onAbort = (): void => resolve(false);
  signal.addEventListener('abort', onAbort);
  try {
    return await Promise.race([aborted, steps().then(() => true)]);
  } catch (error) {
    // The delay rejects if the signal was aborted before.
    if (signal.aborted) {
      return false;
    }
    throw error;
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}
