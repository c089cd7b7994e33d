import { type Build, getBuiltDatamodelKey, isFailedOrGone, isRunning } from './build.ts';
import type { BuildEndEvent } from './buildWatchEvents.ts';

/**
 * The results that the user has not seen yet. Of each datamodel only the newest counts: an older failure no longer
 * matters after a success.
 */
export class UnacknowledgedResults {
  /** By {@link getBuiltDatamodelKey}, oldest first. */
  readonly #results = new Map<string, Build>();
  /** When the newest result of each datamodel ended, whether it was shown or not. */
  readonly #newestEnds = new Map<string, number>();
  #latestResult: Build | undefined;

  /**
   * The results that stay until the user has seen them, oldest first: successful builds that were started on this
   * machine, failed builds, and builds that are gone. Only those that this window notifies the user of, and those that
   * replace such a failure.
   */
  get results(): readonly Build[] {
    return [...this.#results.values()];
  }

  /** The latest result, except failures that this window notifies the user of. It is shown for a while. */
  get latestResult(): Build | undefined {
    return this.#latestResult;
  }

  add({ build, shouldNotify }: BuildEndEvent): void {
    const key = getBuiltDatamodelKey(build);
    const ended = build.ended ?? 0;
    if ((this.#newestEnds.get(key) ?? 0) > ended) {
      return;
    }
    this.#newestEnds.set(key, ended);
    const replacedResult = this.#results.get(key);
    this.#results.delete(key);
    const isOwnSuccess = build.startedBy !== undefined && build.phase === 'done';
    const needsAttention = isFailedOrGone(build);
    const isStillFailing = needsAttention && replacedResult !== undefined && isFailedOrGone(replacedResult);
    if (isStillFailing || (shouldNotify && (needsAttention || isOwnSuccess))) {
      this.#results.set(key, build);
    }
    if (!shouldNotify || !needsAttention) {
      this.#latestResult = build;
    }
  }

  /**
   * Updates the results to what is known now: a task that was gone may be listed again, and the builds of a removed
   * connection are no longer known.
   * @param find returns the build as it is known now
   */
  update(find: (connectionId: string, oid: string) => Build | undefined): void {
    for (const [key, { connectionId, oid }] of this.#results) {
      const build = find(connectionId, oid);
      if (build === undefined || isRunning(build)) {
        this.#results.delete(key);
      } else {
        this.#results.set(key, build);
      }
    }
  }

  /** Removes the latest result after it was shown long enough. */
  clearLatestResult(): void {
    this.#latestResult = undefined;
  }

  /** Removes all results because the user has seen them. */
  acknowledge(): void {
    this.#results.clear();
    this.#latestResult = undefined;
  }
}
