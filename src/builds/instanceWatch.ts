import type { Clock } from '../base/clock.ts';
import type { Log } from '../base/log.ts';
import type { BuildTask } from '../contract/build.ts';
import { type Build, hasEnded, isRunning } from './build.ts';
import {
  markGone,
  mergeBuilds,
  findMissingBuilds,
  reconcileBuilds,
  buildsEqual,
  withTask,
} from './buildList.ts';
import { type PollPace, maxRetryAfterMs, getPollDelay } from './pollDelay.ts';
import type { InstanceRecord } from './sharedRecords.ts';
import type { BuildSource } from './source.ts';

/** How many ended builds are kept for the views, and for how long. */
const keptEnded = 50;
const keptEndedMs = 7 * 24 * 3_600_000;
/** An ended build is kept at least this long, beyond the maximum number if need be: every window must read it. */
const keptAtLeastMs = 600_000;
/** How many missing tasks are requested individually per poll, to avoid flooding a server after its restart. */
const maxSinglePolls = 10;

interface WatchDeps {
  readonly source: BuildSource;
  readonly clock: Clock;
  readonly log: Log;
  readonly random: () => number;
  readonly pace: () => PollPace;
}

/** The leading window's poll failed; only that window knows why. */
class LeaderFailedError extends Error {
  override readonly name = 'UnheardError';

  constructor() {
    super('Another window had no answer');
  }
}

/** Tracks the builds of one instance, and computes when to poll it next. */
export class InstanceWatch {
  readonly connectionId: string;
  readonly instance: string;
  readonly #deps: WatchDeps;
  #builds: readonly Build[] = [];
  #askedAt = 0;
  #lastUpdateAt = 0;
  #notBefore = 0;
  #failures = 0;
  #failure: unknown;
  #spread: number;
  #isPolling = false;
  #adopted: InstanceRecord | undefined;
  #hasChanges = false;

  constructor(deps: WatchDeps, connectionId: string, instance: string) {
    this.#deps = deps;
    this.connectionId = connectionId;
    this.instance = instance;
    this.#spread = deps.random();
  }

  get builds(): readonly Build[] {
    return this.#builds;
  }

  get running(): readonly Build[] {
    return this.#builds.filter(isRunning);
  }

  /** Time of the last poll. */
  get askedAt(): number {
    return this.#askedAt;
  }

  get isPolling(): boolean {
    return this.#isPolling;
  }

  /** The time of the server's last response, and the error of a later poll that failed. */
  get lastUpdate(): { readonly at: number; readonly failure: unknown } {
    return { at: this.#lastUpdateAt, failure: this.#failure };
  }

  /** True if this window knows changes that the shared record lacks. */
  get hasChanges(): boolean {
    return this.#hasChanges;
  }

  /** Creates the record for the other windows, and resets {@link hasChanges}. */
  record(leader: string): InstanceRecord {
    this.#hasChanges = false;
    return {
      instance: this.instance,
      connectionId: this.connectionId,
      leader,
      askedAt: this.#askedAt,
      heardAt: this.#lastUpdateAt,
      notBefore: this.#notBefore,
      failures: this.#failures,
      builds: [...this.#builds],
    };
  }

  /** Merges the record of the leading window; results known only to this window are kept. */
  adopt(record: InstanceRecord): void {
    if (record === this.#adopted) {
      return;
    }
    this.#adopted = record;
    this.take(record.builds);
    this.#hasChanges = !buildsEqual(this.#builds, record.builds);
    if (record.askedAt > this.#askedAt) {
      this.#askedAt = record.askedAt;
      this.#notBefore = record.notBefore;
      this.#failures = record.failures;
      this.#failure = record.failures === 0 ? undefined : (this.#failure ?? new LeaderFailedError());
    }
    this.#lastUpdateAt = Math.max(this.#lastUpdateAt, record.heardAt);
  }

  /** Merges builds that this window has started or that another window knows. */
  take(builds: readonly Build[]): void {
    if (builds.length === 0) {
      return;
    }
    const merged = mergeBuilds(this.#builds, builds);
    this.#hasChanges ||= !buildsEqual(merged, this.#builds);
    this.#replace(merged);
  }

  /** Marks all running builds as gone, because their server has ended. */
  endAll(): void {
    const now = this.#deps.clock.now();
    this.#replace(this.#builds.map((build) => (isRunning(build) ? markGone(build, now) : build)));
    this.#hasChanges = true;
  }

  /** Returns the time of the next poll while builds run; respects a pause requested by the server. */
  dueAt(): number {
    const { clock, pace } = this.#deps;
    const now = clock.now();
    // A time in the future means that the system clock was set back.
    this.#askedAt = Math.min(this.#askedAt, now);
    this.#notBefore = Math.min(this.#notBefore, now + maxRetryAfterMs);
    const youngestAgeMs = Math.min(...this.running.map(({ firstSeen }) => Math.abs(now - firstSeen)));
    const pause = getPollDelay({ youngestAgeMs, failures: this.#failures, random: this.#spread }, pace());
    return Math.max(this.#askedAt + pause, this.soonest);
  }

  /** The server must not be polled before this time, because it asked for a pause. */
  get soonest(): number {
    return this.#notBefore;
  }

  /** Polls once and returns the builds that have ended. Never rejects: a failure leaves the known builds unchanged. */
  async poll(): Promise<readonly Build[]> {
    const { source, clock, log } = this.#deps;
    this.#isPolling = true;
    this.#hasChanges = true;
    this.#askedAt = clock.now();
    this.#spread = this.#deps.random();
    let before: readonly Build[] = [];
    try {
      const tasks = await source.list(this.connectionId);
      // Read after the response: builds may have started or ended while it was on its way.
      before = this.#builds;
      this.#replace(reconcileBuilds(this.#builds, tasks, this.connectionId, clock.now()));
      await this.#resolveMissing(tasks);
      this.#lastUpdateAt = clock.now();
      this.#failures = 0;
      this.#failure = undefined;
    } catch (error) {
      this.#failures += 1;
      this.#failure = error;
      const leaveMs = Math.min(source.failure(error).retryAfterMs ?? 0, maxRetryAfterMs);
      this.#notBefore = clock.now() + leaveMs;
      log.warn('builds', 'Looking at the builds failed', {
        connectionId: this.connectionId,
        reason: String(error),
      });
    } finally {
      this.#isPolling = false;
    }
    return getEndedSince(before, this.#builds);
  }

  /** Requests missing tasks individually, since a list may omit ended tasks; marks those that do not exist as gone. */
  async #resolveMissing(tasks: readonly BuildTask[]): Promise<void> {
    const { source, clock } = this.#deps;
    for (const build of findMissingBuilds(this.#builds, tasks, clock.now()).slice(0, maxSinglePolls)) {
      const task = await source.find(this.connectionId, build.oid);
      const now = clock.now();
      const settled = (known: Build): Build =>
        task !== undefined ? withTask(known, task, now) : isRunning(known) ? markGone(known, now) : known;
      this.#replace(this.#builds.map((known) => (known.oid === build.oid ? settled(known) : known)));
    }
  }

  #replace(builds: readonly Build[]): void {
    const now = this.#deps.clock.now();
    const age = ({ ended }: Build): number => now - (ended ?? now);
    const ended = builds
      .filter((build) => !isRunning(build))
      .toSorted((a, b) => (a.ended ?? 0) - (b.ended ?? 0));
    const tooMany = new Set(
      ended.slice(0, Math.max(0, ended.length - keptEnded)).filter((build) => age(build) >= keptAtLeastMs),
    );
    this.#builds = builds.filter(
      (build) => isRunning(build) || (!tooMany.has(build) && age(build) < keptEndedMs),
    );
  }
}

/** Returns the builds that were running before and no longer are. */
export function getEndedSince(before: readonly Build[], after: readonly Build[]): readonly Build[] {
  const ran = new Set(before.filter(isRunning).map(({ oid }) => oid));
  return after.filter((build) => !isRunning(build) && ran.has(build.oid));
}

/** Returns the builds that were gone before and whose actual result is now known. */
export function getReappearedSince(before: readonly Build[], after: readonly Build[]): readonly Build[] {
  const wereGone = new Set(before.filter(({ phase }) => phase === 'gone').map(({ oid }) => oid));
  return after.filter((build) => hasEnded(build) && wereGone.has(build.oid));
}
