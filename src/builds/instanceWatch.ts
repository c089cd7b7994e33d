import type { Clock } from '../base/clock.ts';
import type { Log } from '../base/log.ts';
import type { BuildTask } from '../contract/build.ts';
import { type Build, isRunning } from './build.ts';
import { findEndedBuilds, getFoundSince } from './buildEnds.ts';
import {
  type TaskListings,
  markGone,
  maxEndedBuilds,
  mergeBuilds,
  findMissingBuilds,
  mergeTasks,
  areBuildsEqual,
  updateFromTask,
} from './buildList.ts';
import { sortByEnd } from './latestBuild.ts';
import { type PollSettings, maxRetryAfterMs, getPollDelay } from './pollDelay.ts';
import type { InstanceRecord } from './sharedRecords.ts';
import type { BuildApi } from './buildApi.ts';

/** How long an ended build is kept for the views. */
const maxEndedAgeMs = 7 * 24 * 3_600_000;
/** An ended build is kept at least this long, even above the maximum number, so that every window can read it. */
const minRetentionMs = 600_000;
/** How many missing tasks are requested individually per poll, to avoid flooding a server after its restart. */
const maxIndividualRequests = 10;

interface InstanceWatchDeps {
  readonly buildApi: BuildApi;
  readonly clock: Clock;
  readonly log: Log;
  readonly random: () => number;
  readonly getPollSettings: () => PollSettings;
}

/** The leading window's poll failed; only that window knows why. */
class LeaderFailedError extends Error {
  override readonly name = 'LeaderFailedError';

  constructor() {
    super("The leading window's poll failed");
  }
}

/** Tracks the builds of one instance, and computes when to poll it next. */
export class InstanceWatch {
  readonly connectionId: string;
  readonly instanceId: string;
  readonly #deps: InstanceWatchDeps;
  #builds: readonly Build[] = [];
  #lastPollAt = 0;
  #lastUpdateAt = 0;
  #earliestPollAt = 0;
  #failureCount = 0;
  #lastError: unknown;
  #jitter: number;
  #isPolling = false;
  #isBlocked = false;
  #lastAdoptedRecord: InstanceRecord | undefined;
  /** What the responses have listed so far; `undefined` until any window has received a response. */
  #listing: TaskListings | undefined;
  #hasChanges = false;

  constructor(deps: InstanceWatchDeps, connectionId: string, instanceId: string) {
    this.#deps = deps;
    this.connectionId = connectionId;
    this.instanceId = instanceId;
    this.#jitter = deps.random();
  }

  get builds(): readonly Build[] {
    return this.#builds;
  }

  get runningBuilds(): readonly Build[] {
    return this.#builds.filter(isRunning);
  }

  /** Time of the last poll. */
  get lastPollAt(): number {
    return this.#lastPollAt;
  }

  get isPolling(): boolean {
    return this.#isPolling;
  }

  /** True if this window's last poll failed in a way that only the user can fix, for example by signing in. */
  get isBlocked(): boolean {
    return this.#isBlocked;
  }

  /** Assumes that the user has acted, so that the next poll may succeed. */
  unblock(): void {
    this.#isBlocked = false;
  }

  /** The time of the server's last response, and the error of a later poll that failed. */
  get lastUpdate(): { readonly time: number; readonly failure: unknown } {
    return { time: this.#lastUpdateAt, failure: this.#lastError };
  }

  /** True if this window knows changes that the shared record lacks. */
  get hasChanges(): boolean {
    return this.#hasChanges;
  }

  /** Creates the record for the other windows, and resets {@link hasChanges}. */
  createRecord(leader: string): InstanceRecord {
    this.#hasChanges = false;
    return {
      instance: this.instanceId,
      connectionId: this.connectionId,
      leader,
      askedAt: this.#lastPollAt,
      heardAt: this.#lastUpdateAt,
      notBefore: this.#earliestPollAt,
      failures: this.#failureCount,
      builds: [...this.#builds],
    };
  }

  /** Merges the record of the leading window; results known only to this window are kept. */
  adopt(record: InstanceRecord): void {
    if (record === this.#lastAdoptedRecord) {
      return;
    }
    this.#lastAdoptedRecord = record;
    this.addBuilds(record.builds);
    this.#hasChanges = !areBuildsEqual(this.#builds, record.builds);
    if (record.askedAt > this.#lastPollAt) {
      this.#lastPollAt = record.askedAt;
      this.#earliestPollAt = record.notBefore;
      this.#failureCount = record.failures;
      this.#lastError = record.failures === 0 ? undefined : (this.#lastError ?? new LeaderFailedError());
    }
    if (record.heardAt > this.#lastUpdateAt) {
      this.#lastUpdateAt = record.heardAt;
      this.#listing = { ids: this.#listing?.ids ?? new Set(), time: record.heardAt, isComplete: false };
    }
  }

  /** Merges builds that this window has started or that another window knows. */
  addBuilds(builds: readonly Build[]): void {
    if (builds.length === 0) {
      return;
    }
    const merged = mergeBuilds(this.#builds, builds);
    this.#hasChanges ||= !areBuildsEqual(merged, this.#builds);
    this.#replace(merged);
  }

  /** Marks all running builds as gone, because their server has ended. */
  markAllGone(): void {
    const now = this.#deps.clock.now();
    this.#replace(this.#builds.map((build) => (isRunning(build) ? markGone(build, now) : build)));
    this.#hasChanges = true;
  }

  /** Returns the time of the next poll while builds run; respects a pause requested by the server. */
  getNextPollTime(): number {
    const { clock, getPollSettings } = this.#deps;
    const now = clock.now();
    // A time in the future means that the system clock was set back.
    this.#lastPollAt = Math.min(this.#lastPollAt, now);
    this.#earliestPollAt = Math.min(this.#earliestPollAt, now + maxRetryAfterMs);
    const youngestAgeMs = Math.min(...this.runningBuilds.map(({ firstSeen }) => Math.abs(now - firstSeen)));
    const delayMs = getPollDelay(
      { youngestAgeMs, failures: this.#failureCount, random: this.#jitter },
      getPollSettings(),
    );
    return Math.max(this.#lastPollAt + delayMs, this.earliestPollAt);
  }

  /** The server must not be polled before this time, because it asked for a pause. */
  get earliestPollAt(): number {
    return this.#earliestPollAt;
  }

  /**
   * Polls once and returns the builds that have ended, including those whose start was never noticed. Never rejects: if
   * the list cannot be read, the known builds are kept.
   */
  async poll(): Promise<readonly Build[]> {
    const { buildApi: source, clock, log } = this.#deps;
    this.#isPolling = true;
    this.#hasChanges = true;
    this.#lastPollAt = clock.now();
    this.#jitter = this.#deps.random();
    let before: readonly Build[] = [];
    let found: readonly Build[] = [];
    try {
      const tasks = await source.list(this.connectionId);
      // Read after the response: builds may have started or ended while it was on its way.
      before = this.#builds;
      const { connectionId } = this;
      const [now, previous] = [clock.now(), this.#listing];
      this.#replace(mergeTasks(before, tasks, { connectionId, now, previous }));
      const ids = new Set([...(previous?.ids ?? []), ...tasks.map(({ oid }) => oid)]);
      this.#listing = { ids, time: now, isComplete: true };
      found = getFoundSince(before, this.#builds);
      await this.#resolveMissing(tasks);
      this.#lastUpdateAt = clock.now();
      this.#failureCount = 0;
      this.#lastError = undefined;
      this.#isBlocked = false;
    } catch (error) {
      this.#failureCount += 1;
      this.#lastError = error;
      const { retryAfterMs = 0, needsUserAction } = source.classifyFailure(error);
      this.#isBlocked = needsUserAction;
      this.#earliestPollAt = clock.now() + Math.min(retryAfterMs, maxRetryAfterMs);
      log.warn('builds', 'Polling the builds failed', {
        connectionId: this.connectionId,
        reason: String(error),
      });
    } finally {
      this.#isPolling = false;
    }
    return [...findEndedBuilds(before, this.#builds), ...found];
  }

  /** Requests missing tasks individually, since a list may omit ended tasks; marks those that do not exist as gone. */
  async #resolveMissing(tasks: readonly BuildTask[]): Promise<void> {
    const { buildApi: source, clock } = this.#deps;
    for (const build of findMissingBuilds(this.#builds, tasks, clock.now()).slice(0, maxIndividualRequests)) {
      const task = await source.find(this.connectionId, build.oid);
      const now = clock.now();
      const resolveBuild = (existing: Build): Build =>
        task !== undefined
          ? updateFromTask(existing, task, now)
          : isRunning(existing)
            ? markGone(existing, now)
            : existing;
      this.#replace(
        this.#builds.map((existing) => (existing.oid === build.oid ? resolveBuild(existing) : existing)),
      );
    }
  }

  /** Sets the builds, without ended ones that are too old or too many. */
  #replace(builds: readonly Build[]): void {
    const now = this.#deps.clock.now();
    const getAgeMs = ({ ended }: Build): number => now - (ended ?? now);
    const endedBuilds = sortByEnd(builds.filter((build) => !isRunning(build)));
    const excessBuilds = new Set(
      endedBuilds
        .slice(0, Math.max(0, endedBuilds.length - maxEndedBuilds))
        .filter((build) => getAgeMs(build) >= minRetentionMs),
    );
    this.#builds = builds.filter(
      (build) => isRunning(build) || (!excessBuilds.has(build) && getAgeMs(build) < maxEndedAgeMs),
    );
  }
}
