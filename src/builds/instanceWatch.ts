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
/** However many end at once, each is kept for so long: first it has to be told of, in every window. */
const keptAtLeastMs = 600_000;
/** How many missing tasks are asked for one by one after one look: a server that began anew is not flooded. */
const maxSinglePolls = 10;

interface WatchDeps {
  readonly source: BuildSource;
  readonly clock: Clock;
  readonly log: Log;
  readonly random: () => number;
  readonly pace: () => PollPace;
}

/** The window that asks for all had no answer; only that one knows why. */
class LeaderFailedError extends Error {
  override readonly name = 'UnheardError';

  constructor() {
    super('Another window had no answer');
  }
}

/** What is known of the builds of one connection, and when to ask next. */
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

  /** When the server was last asked. */
  get askedAt(): number {
    return this.#askedAt;
  }

  get isPolling(): boolean {
    return this.#isPolling;
  }

  /** When the server last answered, and why it did not since. */
  get lastUpdate(): { readonly at: number; readonly failure: unknown } {
    return { at: this.#lastUpdateAt, failure: this.#failure };
  }

  /** True where something is known here that the record did not tell. */
  get hasChanges(): boolean {
    return this.#hasChanges;
  }

  /** What the other windows are to know from here on, with the window that leads here. */
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

  /** Takes over what the window that leads has found; ends that are known here hold. */
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

  /** Takes further builds in: those that were started here, or that another window knows. */
  take(builds: readonly Build[]): void {
    if (builds.length === 0) {
      return;
    }
    const merged = mergeBuilds(this.#builds, builds);
    this.#hasChanges ||= !buildsEqual(merged, this.#builds);
    this.#replace(merged);
  }

  /** The server has ended: what ran there is gone. */
  endAll(): void {
    const now = this.#deps.clock.now();
    this.#replace(this.#builds.map((build) => (isRunning(build) ? markGone(build, now) : build)));
    this.#hasChanges = true;
  }

  /** When to ask next while something runs; the server's wish to be left alone is kept. */
  dueAt(): number {
    const { clock, pace } = this.#deps;
    const now = clock.now();
    // Times to come are of before the clock was set back.
    this.#askedAt = Math.min(this.#askedAt, now);
    this.#notBefore = Math.min(this.#notBefore, now + maxRetryAfterMs);
    const youngestAgeMs = Math.min(...this.running.map(({ firstSeen }) => Math.abs(now - firstSeen)));
    const pause = getPollDelay({ youngestAgeMs, failures: this.#failures, random: this.#spread }, pace());
    return Math.max(this.#askedAt + pause, this.soonest);
  }

  /** The server is not asked before this time, however much somebody wants to know. */
  get soonest(): number {
    return this.#notBefore;
  }

  /** One look. It never rejects: a failure changes nothing that is known. Answers what has ended. */
  async poll(): Promise<readonly Build[]> {
    const { source, clock, log } = this.#deps;
    this.#isPolling = true;
    this.#hasChanges = true;
    this.#askedAt = clock.now();
    this.#spread = this.#deps.random();
    let before: readonly Build[] = [];
    try {
      const tasks = await source.list(this.connectionId);
      // Not sooner: builds may have been started, or have ended, while the answer was on its way.
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

  /** A list may leave out what has ended, so a missing task is asked for once before it is given up. */
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

/** The builds that ran before and do so no longer. */
export function getEndedSince(before: readonly Build[], after: readonly Build[]): readonly Build[] {
  const ran = new Set(before.filter(isRunning).map(({ oid }) => oid));
  return after.filter((build) => !isRunning(build) && ran.has(build.oid));
}

/** The builds that were gone before and whose true end is known now. */
export function getReappearedSince(before: readonly Build[], after: readonly Build[]): readonly Build[] {
  const wereGone = new Set(before.filter(({ phase }) => phase === 'gone').map(({ oid }) => oid));
  return after.filter((build) => hasEnded(build) && wereGone.has(build.oid));
}
