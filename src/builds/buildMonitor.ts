import type { Clock } from '../base/clock.ts';
import { type Disposable, DisposableStore } from '../base/disposable.ts';
import { Emitter } from '../base/event.ts';
import type { Log } from '../base/log.ts';
import type { BuildTask } from '../contract/build.ts';
import { type Build, type BuildRequest, isRunning } from './build.ts';
import { reconcile } from './buildList.ts';
import { type PollPace, pollDelay } from './pollDelay.ts';

/** What the monitor asks of the instances. */
export interface BuildSource {
  /**
   * All tasks that the connection's instance knows: one GET /builds. `undefined` while the instance does not run and
   * asking would start it, which is not for a look to do.
   */
  list(connectionId: string): Promise<readonly BuildTask[] | undefined>;
  /** Starts a build and answers the oid of its task. */
  start(request: BuildRequest): Promise<string>;
  cancel(connectionId: string, buildId: string): Promise<void>;
  cancelAll(connectionId: string, datamodelId: string): Promise<void>;
  /** How long the server asked to be left alone in this failure, in milliseconds. */
  retryAfterMs(error: unknown): number | undefined;
}

/** Remembers unfinished builds over a reload of the window. */
export interface BuildMemory {
  read(): readonly Build[];
  write(unfinished: readonly Build[]): void;
}

interface Poll {
  timer: Disposable | undefined;
  asking: boolean;
  askAgain: boolean;
  failures: number;
}

/** How many ended builds are kept for the views. */
const keptEnded = 50;

/**
 * Follows the builds of all connections: one GET /builds per connection per look, only while something runs there.
 * An end is told once. A failed look changes nothing that is known.
 */
export class BuildMonitor implements Disposable {
  readonly #source: BuildSource;
  readonly #memory: BuildMemory;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #random: () => number;
  readonly #pace: () => PollPace;
  readonly #store = new DisposableStore();
  readonly #polls = new Map<string, Poll>();
  readonly #onDidChange = this.#store.add(new Emitter<void>());
  readonly #onDidEnd = this.#store.add(new Emitter<Build>());
  /** Something about the builds changed. */
  readonly onDidChange = this.#onDidChange.event;
  /** A build that was seen running has ended, or is gone. Fires once for each. */
  readonly onDidEnd = this.#onDidEnd.event;
  #builds: readonly Build[];

  constructor(deps: {
    source: BuildSource;
    memory: BuildMemory;
    clock: Clock;
    log: Log;
    random: () => number;
    pace: () => PollPace;
  }) {
    this.#source = deps.source;
    this.#memory = deps.memory;
    this.#clock = deps.clock;
    this.#log = deps.log;
    this.#random = deps.random;
    this.#pace = deps.pace;
    this.#builds = deps.memory.read();
    for (const connectionId of new Set(this.#builds.map((build) => build.connectionId))) {
      this.#schedule(connectionId, 0);
    }
  }

  get builds(): readonly Build[] {
    return this.#builds;
  }

  get running(): readonly Build[] {
    return this.#builds.filter(isRunning);
  }

  find(connectionId: string, oid: string): Build | undefined {
    return this.#builds.find((build) => build.connectionId === connectionId && build.oid === oid);
  }

  /** Starts a build; it is followed from here on. Rejects with the client's error when it was not accepted. */
  async start(request: BuildRequest): Promise<Build> {
    const oid = await this.#source.start(request);
    const taken = this.find(request.connectionId, oid);
    if (taken !== undefined) {
      // A look that was under way was quicker than the answer, and may even have seen the end.
      const build = { ...taken, datamodelTitle: request.datamodelTitle, startedHere: true };
      this.#replace(this.#builds.map((known) => (known === taken ? build : known)));
      return build;
    }
    const build: Build = {
      connectionId: request.connectionId,
      oid,
      datamodelId: request.datamodelId,
      datamodelTitle: request.datamodelTitle,
      buildType: request.buildType,
      status: null,
      phase: 'running',
      firstSeen: this.#clock.now(),
      ended: undefined,
      startedHere: true,
      reason: undefined,
      failedTable: undefined,
    };
    this.#replace([...this.#builds, build]);
    this.look(request.connectionId);
    return build;
  }

  async cancel(build: Build): Promise<void> {
    await this.#source.cancel(build.connectionId, build.oid);
    this.look(build.connectionId);
  }

  /** Cancels all builds of one datamodel (spec, DELETE /builds). */
  async cancelAll(connectionId: string, datamodelId: string): Promise<void> {
    await this.#source.cancelAll(connectionId, datamodelId);
    this.look(connectionId);
  }

  /** Forgets the builds of connections that are gone: nobody can look at them any more. */
  keepConnections(isThere: (connectionId: string) => boolean): void {
    for (const [connectionId, poll] of this.#polls) {
      if (!isThere(connectionId)) {
        poll.timer?.dispose();
        this.#polls.delete(connectionId);
      }
    }
    if (this.#builds.some((build) => !isThere(build.connectionId))) {
      this.#replace(this.#builds.filter((build) => isThere(build.connectionId)));
    }
  }

  /** The instance has ended and its tasks with it: how they ended will never be known. */
  instanceEnded(connectionId: string): void {
    const now = this.#clock.now();
    this.#become(
      this.#builds.map((build) =>
        build.connectionId === connectionId && isRunning(build)
          ? { ...build, phase: 'gone' as const, ended: now }
          : build,
      ),
    );
  }

  /** An instance is in use: goes on with what was running there when it was last looked at. */
  instanceInUse(connectionId: string): void {
    if (this.running.some((build) => build.connectionId === connectionId)) {
      this.look(connectionId);
    }
  }

  /** Looks at a connection's builds now, whether or not one is known to run there. */
  look(connectionId: string): void {
    this.#schedule(connectionId, 0);
  }

  dispose(): void {
    for (const poll of this.#polls.values()) {
      poll.timer?.dispose();
    }
    this.#polls.clear();
    this.#store.dispose();
  }

  #schedule(connectionId: string, delayMs: number): void {
    if (this.#store.isDisposed) {
      return;
    }
    const poll = this.#pollOf(connectionId);
    if (poll.asking) {
      poll.askAgain = true;
      return;
    }
    poll.timer?.dispose();
    poll.timer = this.#clock.schedule(delayMs, () => void this.#ask(connectionId, poll));
  }

  #pollOf(connectionId: string): Poll {
    const known = this.#polls.get(connectionId);
    if (known !== undefined) {
      return known;
    }
    const poll: Poll = { timer: undefined, asking: false, askAgain: false, failures: 0 };
    this.#polls.set(connectionId, poll);
    return poll;
  }

  /** One look. It never rejects: a failure is logged and answered by a longer pause. */
  async #ask(connectionId: string, poll: Poll): Promise<void> {
    poll.asking = true;
    let retryAfterMs: number | undefined;
    let isAway = false;
    try {
      const tasks = await this.#source.list(connectionId);
      poll.failures = 0;
      if (tasks === undefined) {
        poll.askAgain = false;
        isAway = true;
      } else {
        this.#become(reconcile(this.#builds, tasks, connectionId, this.#clock.now()));
      }
    } catch (error) {
      poll.failures += 1;
      retryAfterMs = this.#source.retryAfterMs(error);
      this.#log.warn('builds', 'Looking at the builds failed', { connectionId, reason: String(error) });
    } finally {
      poll.asking = false;
    }
    const running = this.#builds.filter((build) => build.connectionId === connectionId && isRunning(build));
    const dropped = this.#polls.get(connectionId) !== poll;
    if (dropped || isAway || (running.length === 0 && !poll.askAgain)) {
      return;
    }
    const now = this.#clock.now();
    const youngestAgeMs = Math.min(...running.map((build) => now - build.firstSeen));
    const pause = pollDelay(
      { youngestAgeMs, failures: poll.failures, retryAfterMs, random: this.#random() },
      this.#pace(),
    );
    const atOnce = poll.askAgain && poll.failures === 0;
    poll.askAgain = false;
    this.#schedule(connectionId, atOnce ? 0 : pause);
  }

  /** Takes what is known now, and tells of those that are no longer running. */
  #become(after: readonly Build[]): void {
    const before = this.#builds;
    this.#replace(after);
    const wasRunning = before.filter(isRunning);
    for (const build of after) {
      if (!isRunning(build) && wasRunning.some((earlier) => isSame(earlier, build))) {
        this.#onDidEnd.fire(build);
      }
    }
  }

  #replace(builds: readonly Build[]): void {
    const ended = builds.filter((build) => !isRunning(build));
    const dropped = new Set(ended.slice(0, Math.max(0, ended.length - keptEnded)));
    this.#builds = builds.filter((build) => !dropped.has(build));
    this.#memory.write(this.running);
    this.#onDidChange.fire();
  }
}

const isSame = (a: Build, b: Build): boolean => a.connectionId === b.connectionId && a.oid === b.oid;
