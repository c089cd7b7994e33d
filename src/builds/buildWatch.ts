import { type Disposable, DisposableStore } from '../base/disposable.ts';
import { Emitter } from '../base/event.ts';
import { type Build, type StartBuildRequest, createUnknownBuild } from './build.ts';
import { buildsEqual } from './buildList.ts';
import { InstanceWatch, getEndedSince, getReappearedSince } from './instanceWatch.ts';
import { WindowBoard } from './windowBoard.ts';
import type { BuildWatchDeps } from './watchDeps.ts';

/** The event for a build that has ended or is gone. */
export interface BuildEndEvent {
  readonly build: Build;
  readonly shouldNotify: boolean;
}

/** The event for a connection whose builds cannot be watched until the user acts. */
export interface BuildWatchFailure {
  readonly connectionId: string;
  readonly error: unknown;
}

/** The polling interval of connections without running builds, while a view of builds is visible. */
const idlePollMs = 60_000;
/** When the user returns to the window, instances polled within this time are not polled again. */
const freshMs = 15_000;

/**
 * Watches the builds of all connections. Each instance is polled by only one window on this machine, its leader, with
 * one GET /builds per poll, and only while builds run there or a view is visible. The other windows read the leader's
 * record, and one of them takes over when it closes. The user is notified of each result once: by the window that
 * started the build if it is still open, otherwise by the leader.
 */
export class BuildWatch implements Disposable {
  readonly #deps: BuildWatchDeps;
  readonly #board: WindowBoard;
  readonly #store = new DisposableStore();
  readonly #watches = new Map<string, InstanceWatch>();
  readonly #timers = new Map<string, Disposable>();
  /** The times of this window's pending poll requests, by instance. */
  readonly #requestedPolls = new Map<string, number>();
  readonly #failed = new Set<string>();
  readonly #onDidChange = this.#store.add(new Emitter<void>());
  readonly #onDidEnd = this.#store.add(new Emitter<BuildEndEvent>());
  readonly #onDidFail = this.#store.add(new Emitter<BuildWatchFailure>());
  readonly onDidChange = this.#onDidChange.event;
  readonly onDidEnd = this.#onDidEnd.event;
  /** Does not fire again for a connection until its builds could be polled in between. */
  readonly onDidFail = this.#onDidFail.event;
  #isVisible = false;
  /** The builds as of the last event, to detect changes no matter which window found them. */
  #lastFired: readonly Build[] = [];
  /** The instances whose last poll had failed as of the last event, as JSON. */
  #lastSilent = '[]';
  /** The instances that have a leader, as JSON. */
  #followed = '[]';

  constructor(deps: BuildWatchDeps) {
    this.#deps = deps;
    this.#store.add(deps.folder);
    this.#board = this.#store.add(new WindowBoard(deps, () => this.sync()));
  }

  get builds(): readonly Build[] {
    return [...this.#watches.values()].flatMap(({ builds }) => builds);
  }

  /** Returns the time of the instance's last response, and the error of a later poll that failed. */
  getLastUpdate(connectionId: string): { readonly at: number; readonly failure: unknown } | undefined {
    return this.#getWatch(connectionId)?.lastUpdate;
  }

  /** Returns whether some window can poll the builds of the connection now. */
  isFollowed(connectionId: string): boolean {
    const instance = this.#deps.source.instance(connectionId);
    return instance !== undefined && this.#getLeader(instance) !== undefined;
  }

  /** Returns whether this window notifies the user about a build: it started it, or else it is the leader. */
  isStartedHere(build: Build): boolean {
    const { window } = this.#deps;
    if (build.startedBy !== undefined && this.#board.isAlive(build.startedBy)) {
      return build.startedBy === window;
    }
    const instance = this.#deps.source.instance(build.connectionId);
    return instance !== undefined && this.#getLeader(instance) === window;
  }

  /** Starts a build and watches it. Rejects with the client's error if the server did not accept it. */
  async start(request: StartBuildRequest): Promise<Build> {
    const { source, clock, window } = this.#deps;
    const oid = await this.#refreshIfUncertain(request.connectionId, () => source.start(request));
    const watch = this.#getWatch(request.connectionId);
    if (watch === undefined) {
      throw new Error('The connection was removed while the build was started');
    }
    watch.take([createStartedBuild(request, oid, clock.now(), window)]);
    this.#board.join(watch.instance);
    this.#fireChange();
    this.refresh(request.connectionId);
    // A concurrent poll may have updated the build meanwhile; it may even have ended.
    return watch.builds.find((build) => build.oid === oid) as Build;
  }

  async cancel(build: Pick<Build, 'connectionId' | 'oid'>): Promise<void> {
    await this.#refreshIfUncertain(build.connectionId, () =>
      this.#deps.source.cancel(build.connectionId, build.oid),
    );
    this.refresh(build.connectionId);
  }

  async cancelAll(connectionId: string, datamodelId: string): Promise<void> {
    await this.#refreshIfUncertain(connectionId, () =>
      this.#deps.source.cancelAll(connectionId, datamodelId),
    );
    this.refresh(connectionId);
  }

  /** Polls the builds if the response was lost, since the request may still have started or canceled builds. */
  async #refreshIfUncertain<T>(connectionId: string, request: () => Promise<T>): Promise<T> {
    try {
      return await request();
    } catch (error) {
      if (this.#deps.source.failure(error).mayHaveHappened) {
        this.refresh(connectionId);
      }
      throw error;
    }
  }

  /** Polls the builds of a connection now, even if none is known to run there. */
  refresh(connectionId: string): void {
    const watch = this.#getWatch(connectionId);
    if (watch !== undefined) {
      this.#requestedPolls.set(watch.instance, this.#deps.clock.now());
      this.sync();
    }
  }

  /** Sets whether a view of builds is visible; while one is, connections without running builds are polled as well. */
  setVisible(looks: boolean): void {
    this.#isVisible = looks;
    this.sync();
  }

  /** Polls outdated builds, including those of other users, because the user has returned to the window. */
  catchUp(): void {
    const { source, clock } = this.#deps;
    const followed = [...this.#watches.values()].filter(({ running }) => running.length > 0);
    for (const id of new Set([...source.inUse(), ...followed.map(({ connectionId }) => connectionId)])) {
      const watch = this.#getWatch(id);
      if (watch !== undefined && clock.now() - watch.askedAt >= freshMs) {
        this.refresh(id);
      }
    }
  }

  /** Polls a connection whose last poll failed, because it is usable again, for example after a sign-in. */
  connectionRestored(connectionId: string): void {
    const watch = this.#watches.get(this.#deps.source.instance(connectionId) ?? '');
    if (watch !== undefined && !watch.isPolling && watch.lastUpdate.failure !== undefined) {
      this.refresh(connectionId);
    }
  }

  /** Marks the running builds of a connection as gone, because its instance and thus its build tasks have ended. */
  instanceEnded(connectionId: string): void {
    const watch = this.#getWatch(connectionId);
    if (watch === undefined || watch.running.length === 0) {
      return;
    }
    const before = this.builds;
    watch.endAll();
    void this.#board.publish(watch.record(this.#deps.window));
    this.#fireChange();
    void this.#deps.history.add(getEndedSince(before, this.builds));
    this.sync();
  }

  /** Starts a round: reads the shared files and schedules polls. Calls during a round lead to one more round. */
  sync(): void {
    void this.#board.round(() => this.#round());
  }

  /** Resolves when the builds of the other windows have been read. */
  async ready(): Promise<void> {
    await this.#board.round(() => this.#round());
  }

  dispose(): void {
    for (const timer of this.#timers.values()) {
      timer.dispose();
    }
    this.#timers.clear();
    this.#store.dispose();
  }

  async #round(): Promise<void> {
    const { source, window } = this.#deps;
    this.#forgetRemoved();
    if (this.#isVisible) {
      source.inUse().forEach((connectionId) => this.#getWatch(connectionId));
    }
    for (const record of this.#board.records) {
      this.#findInstanceWatch(record.instance, record.connectionId)?.adopt(record);
    }
    for (const watch of this.#watches.values()) {
      watch.take(this.#board.getBuilds(watch.instance));
    }
    this.#fireChange();
    for (const watch of this.#watches.values()) {
      const { instance } = watch;
      if (source.canAsk(watch.connectionId) && this.#wantsLeader(watch)) {
        this.#board.join(instance);
      } else {
        this.#board.leave(instance);
      }
      const leads = this.#getLeader(instance) === window;
      if (!leads && (this.#requestedPolls.get(instance) ?? Infinity) <= watch.askedAt) {
        this.#requestedPolls.delete(instance);
      }
      this.#board.setState(
        instance,
        leads ? [] : watch.running,
        leads ? undefined : this.#requestedPolls.get(instance),
      );
    }
    // Must precede the records: a window that reads this leader in a record must also find its heartbeat.
    await this.#board.announce();
    this.#noteFollowed();
    for (const watch of this.#watches.values()) {
      const { instance } = watch;
      const leads = this.#getLeader(instance) === window;
      if (leads && (watch.hasChanges || !this.#board.isRecordedLeader(instance))) {
        await this.#board.publish(watch.record(window));
      }
      this.#arrange(watch, leads);
    }
  }

  /** Fires a change if other instances can be polled than before: only builds that can be polled count as running. */
  #noteFollowed(): void {
    const followed = [...this.#watches.keys()].filter((instance) => this.#getLeader(instance) !== undefined);
    const key = JSON.stringify(followed);
    if (key !== this.#followed) {
      this.#followed = key;
      this.#onDidChange.fire();
    }
  }

  /** Schedules the next poll of an instance if this window has to make it. */
  #arrange(watch: InstanceWatch, leads: boolean): void {
    const { clock, source } = this.#deps;
    const { instance } = watch;
    this.#timers.get(instance)?.dispose();
    this.#timers.delete(instance);
    if (watch.isPolling || !source.canAsk(watch.connectionId)) {
      return;
    }
    const due = leads ? this.#dueAt(watch) : this.#idleAt(watch);
    if (due !== undefined && !this.#store.isDisposed) {
      const timer = clock.schedule(Math.max(0, due - clock.now()), () => void this.#poll(watch));
      this.#timers.set(instance, timer);
    }
  }

  #dueAt(watch: InstanceWatch): number | undefined {
    const others = this.#board.getRequestedPoll(watch.instance) ?? 0;
    if (this.#requestedPolls.has(watch.instance) || others > watch.askedAt) {
      return watch.soonest;
    }
    return watch.running.length > 0 ? watch.dueAt() : this.#idleAt(watch);
  }

  /** Returns the time of the next poll if no build runs; `undefined` if this window shows no builds. */
  #idleAt(watch: InstanceWatch): number | undefined {
    const isIdle = watch.running.length === 0 && this.#isVisible;
    return isIdle && this.#deps.source.inUse().includes(watch.connectionId)
      ? Math.max(watch.askedAt + idlePollMs, watch.soonest)
      : undefined;
  }

  async #poll(watch: InstanceWatch): Promise<void> {
    this.#timers.delete(watch.instance);
    const isThere = this.#watches.get(watch.instance) === watch;
    if (watch.isPolling || !isThere || !this.#deps.source.canAsk(watch.connectionId)) {
      return;
    }
    this.#requestedPolls.delete(watch.instance);
    const before = watch.builds;
    const over = await watch.poll();
    if (this.#watches.get(watch.instance) !== watch || this.#store.isDisposed) {
      return;
    }
    await this.#deps.history.add([...over, ...getReappearedSince(before, watch.builds)]);
    // Not left to the next round: when the last build has ended, the instance no longer has a leader.
    await this.#board.publish(watch.record(this.#deps.window));
    this.#recordFailure(watch);
    this.#fireChange();
    this.sync();
  }

  /** Fires the events for all changes since the last call. */
  #fireChange(): void {
    const before = this.#lastFired;
    const after = this.builds;
    const unheard = JSON.stringify(
      [...this.#watches.values()]
        .filter(({ lastUpdate }) => lastUpdate.failure !== undefined)
        .map((each) => each.instance),
    );
    if (buildsEqual(before, after) && unheard === this.#lastSilent) {
      return;
    }
    this.#lastFired = after;
    this.#lastSilent = unheard;
    this.#onDidChange.fire();
    for (const build of getEndedSince(before, after)) {
      this.#onDidEnd.fire({ build, shouldNotify: this.isStartedHere(build) });
    }
  }

  #recordFailure({ connectionId, instance, lastUpdate: { failure } }: InstanceWatch): void {
    if (failure === undefined) {
      this.#failed.delete(instance);
    } else if (this.#deps.source.failure(failure).needsPerson && !this.#failed.has(instance)) {
      this.#failed.add(instance);
      this.#onDidFail.fire({ connectionId, error: failure });
    }
  }

  #wantsLeader(watch: InstanceWatch): boolean {
    return watch.running.length > 0 || this.#requestedPolls.has(watch.instance);
  }

  #getLeader(instance: string): string | undefined {
    return this.#board.getLeader(instance);
  }

  #getWatch(connectionId: string): InstanceWatch | undefined {
    return this.#findInstanceWatch(this.#deps.source.instance(connectionId), connectionId);
  }

  #findInstanceWatch(
    instance: string | undefined,
    connectionId: string | undefined,
  ): InstanceWatch | undefined {
    if (instance === undefined || connectionId === undefined) {
      return undefined;
    }
    const known = this.#watches.get(instance);
    if (known !== undefined || this.#deps.source.instance(connectionId) !== instance) {
      return known;
    }
    const watch = new InstanceWatch(this.#deps, connectionId, instance);
    this.#watches.set(instance, watch);
    return watch;
  }

  /** Forgets the builds of connections that were removed or have another address now. */
  #forgetRemoved(): void {
    for (const [instance, { connectionId }] of this.#watches) {
      if (this.#deps.source.instance(connectionId) !== instance) {
        this.#timers.get(instance)?.dispose();
        this.#timers.delete(instance);
        this.#requestedPolls.delete(instance);
        this.#board.leave(instance);
        this.#watches.delete(instance);
      }
    }
  }
}

const createStartedBuild = (request: StartBuildRequest, oid: string, now: number, window: string): Build => ({
  ...createUnknownBuild(request.connectionId, oid, now),
  datamodelId: request.datamodelId,
  datamodelTitle: request.datamodelTitle,
  buildType: request.buildType,
  schemaOrigin: request.schemaOrigin,
  rowLimit: request.rowLimit,
  startedBy: window,
});
