import { type Disposable, DisposableStore } from '../base/disposable.ts';
import { Emitter } from '../base/event.ts';
import { type Build, type StartBuildRequest, createStartedBuild } from './build.ts';
import { findBuildEnds, findEndedBuilds, findReappearedBuilds } from './buildEnds.ts';
import { areBuildsEqual } from './buildList.ts';
import type { BuildEndEvent, BuildWatchFailure } from './buildWatchEvents.ts';
import { InstanceWatch } from './instanceWatch.ts';
import { WindowCoordinator } from './windowCoordinator.ts';
import type { BuildWatchDeps } from './buildWatchDeps.ts';

/** The polling interval of connections without running builds, while a view of builds is visible. */
const idlePollMs = 60_000;
/** When the user returns to the window, instances polled within this time are not polled again. */
const freshResponseMs = 15_000;

/**
 * Watches the builds of all connections, with one GET /builds per poll. While builds run on an instance, only one
 * window on this machine polls it, its leader; the other windows read the leader's record, and one of them takes over
 * when it closes. While no builds run, each window with a visible view of builds polls; the shared record has the time
 * of the last poll, so that the windows together don't poll too often. The user is notified of each result once: by the
 * window that started the build if it is still open, otherwise by the leader.
 */
export class BuildWatch implements Disposable {
  readonly #deps: BuildWatchDeps;
  readonly #coordinator: WindowCoordinator;
  readonly #store = new DisposableStore();
  readonly #watches = new Map<string, InstanceWatch>();
  readonly #timers = new Map<string, Disposable>();
  /** The times of this window's pending poll requests, by instance. */
  readonly #requestedPolls = new Map<string, number>();
  /** The instances that the user has asked to poll since their last poll. */
  readonly #userRequests = new Set<string>();
  /** The instances for which {@link onDidFail} has fired since their last successful poll. */
  readonly #reportedFailures = new Set<string>();
  readonly #onDidChange = this.#store.add(new Emitter<void>());
  readonly #onDidEnd = this.#store.add(new Emitter<BuildEndEvent>());
  readonly #onDidFail = this.#store.add(new Emitter<BuildWatchFailure>());
  readonly onDidChange = this.#onDidChange.event;
  readonly onDidEnd = this.#onDidEnd.event;
  /** Fires when a poll that the user waits for has failed; not again until a poll of that connection has succeeded. */
  readonly onDidFail = this.#onDidFail.event;
  readonly #openedAt: number;
  #isVisible = false;
  /** The builds as of the last event, to detect changes no matter which window found them. */
  #lastFiredBuilds: readonly Build[] = [];
  /** The instances whose last poll had failed as of the last event, as JSON. */
  #lastFailingInstancesJson = '[]';
  /** The instances that have a leader, as JSON. */
  #watchedInstancesJson = '[]';

  constructor(deps: BuildWatchDeps) {
    this.#deps = deps;
    this.#openedAt = deps.clock.now();
    this.#store.add(deps.folder);
    this.#coordinator = this.#store.add(new WindowCoordinator(deps, () => this.startRound()));
  }

  get builds(): readonly Build[] {
    return [...this.#watches.values()].flatMap(({ builds }) => builds);
  }

  /** Returns the time of the instance's last response, and the error of a later poll that failed. */
  getLastUpdate(connectionId: string): { readonly time: number; readonly failure: unknown } | undefined {
    return this.#getWatch(connectionId)?.lastUpdate;
  }

  /** Returns whether some window can poll the builds of the connection now. */
  hasLeader(connectionId: string): boolean {
    const instance = this.#deps.buildApi.getInstanceId(connectionId);
    return instance !== undefined && this.#getLeader(instance) !== undefined;
  }

  /**
   * Returns whether this window notifies the user about a build: if it started the build, or if it is the leader and
   * the window that started the build is closed or unknown.
   */
  isReportedHere(build: Build): boolean {
    const { windowId } = this.#deps;
    if (build.startedBy !== undefined && this.#coordinator.isAlive(build.startedBy)) {
      return build.startedBy === windowId;
    }
    const instance = this.#deps.buildApi.getInstanceId(build.connectionId);
    return instance !== undefined && this.#getLeader(instance) === windowId;
  }

  /** Starts a build and watches it. Rejects with the client's error if the server did not accept it. */
  async start(request: StartBuildRequest): Promise<Build> {
    const { buildApi, clock, windowId } = this.#deps;
    const oid = await this.#refreshIfUncertain(request.connectionId, () => buildApi.start(request));
    const watch = this.#getWatch(request.connectionId);
    if (watch === undefined) {
      throw new Error('The connection was removed while the build was started');
    }
    watch.addBuilds([createStartedBuild(request, oid, clock.now(), windowId)]);
    this.#coordinator.join(watch.instanceId, watch.isBlocked);
    this.#fireChange();
    this.refresh(request.connectionId);
    // A concurrent poll may have updated the build meanwhile; it may even have ended.
    return watch.builds.find((build) => build.oid === oid) as Build;
  }

  async cancel(build: Pick<Build, 'connectionId' | 'oid'>): Promise<void> {
    await this.#refreshIfUncertain(build.connectionId, () =>
      this.#deps.buildApi.cancel(build.connectionId, build.oid),
    );
    this.refresh(build.connectionId);
  }

  async cancelAll(connectionId: string, datamodelId: string): Promise<void> {
    await this.#refreshIfUncertain(connectionId, () =>
      this.#deps.buildApi.cancelAll(connectionId, datamodelId),
    );
    this.refresh(connectionId);
  }

  /** Polls the builds if the response was lost, since the request may still have started or canceled builds. */
  async #refreshIfUncertain<T>(connectionId: string, request: () => Promise<T>): Promise<T> {
    try {
      return await request();
    } catch (error) {
      if (this.#deps.buildApi.classifyFailure(error).mayHaveTakenEffect) {
        this.refresh(connectionId);
      }
      throw error;
    }
  }

  /**
   * Polls a connection for the user, even if no build is known to run there.
   * @param options.shouldReport false if the user sees in another way that the instance can't be reached
   */
  refresh(connectionId: string, { shouldReport = true }: { readonly shouldReport?: boolean } = {}): void {
    const watch = this.#getWatch(connectionId);
    if (watch !== undefined) {
      if (shouldReport) {
        this.#userRequests.add(watch.instanceId);
      }
      watch.unblock();
      this.#requestPoll(watch);
    }
  }

  #requestPoll({ instanceId }: InstanceWatch): void {
    this.#requestedPolls.set(instanceId, this.#deps.clock.now());
    this.startRound();
  }

  /** Sets whether a view of builds is visible; while one is, connections without running builds are polled as well. */
  setVisible(isVisible: boolean): void {
    this.#isVisible = isVisible;
    this.startRound();
  }

  /** Polls outdated builds, including those of other users, because the user has returned to the window. */
  catchUp(): void {
    const { buildApi, clock } = this.#deps;
    const activeWatches = [...this.#watches.values()].filter(({ runningBuilds }) => runningBuilds.length > 0);
    for (const id of new Set([
      ...buildApi.getConnectionsInUse(),
      ...activeWatches.map(({ connectionId }) => connectionId),
    ])) {
      const watch = this.#getWatch(id);
      if (watch !== undefined && clock.now() - watch.lastPollAt >= freshResponseMs) {
        this.#requestPoll(watch);
      }
    }
  }

  /** Polls a connection whose last poll failed, because it is usable again, for example after a sign-in. */
  handleConnectionRestored(connectionId: string): void {
    const watch = this.#watches.get(this.#deps.buildApi.getInstanceId(connectionId) ?? '');
    watch?.unblock();
    if (watch !== undefined && !watch.isPolling && watch.lastUpdate.failure !== undefined) {
      this.#requestPoll(watch);
    }
  }

  /**
   * Marks the running builds of a connection as gone, because its instance and thus its build tasks have ended.
   * @param options.shouldNotify false if the user ended the instance
   */
  handleInstanceEnded(connectionId: string, { shouldNotify }: { readonly shouldNotify: boolean }): void {
    const watch = this.#getWatch(connectionId);
    if (watch === undefined || watch.runningBuilds.length === 0) {
      return;
    }
    const before = this.builds;
    watch.markAllGone();
    void this.#coordinator.publish(watch.createRecord(this.#deps.windowId));
    this.#fireChange(shouldNotify);
    void this.#deps.history.add(findEndedBuilds(before, this.builds));
    this.startRound();
  }

  /** Starts a round: reads the shared files and schedules polls. Calls during a round lead to one more round. */
  startRound(): void {
    void this.#coordinator.enqueueRound(() => this.#runRound());
  }

  /** Resolves when the builds of the other windows have been read. */
  async whenReady(): Promise<void> {
    await this.#coordinator.enqueueRound(() => this.#runRound());
  }

  dispose(): void {
    for (const timer of this.#timers.values()) {
      timer.dispose();
    }
    this.#timers.clear();
    this.#store.dispose();
  }

  async #runRound(): Promise<void> {
    const { buildApi, windowId } = this.#deps;
    this.#forgetRemovedConnections();
    if (this.#isVisible) {
      buildApi.getConnectionsInUse().forEach((connectionId) => this.#getWatch(connectionId));
    }
    for (const record of this.#coordinator.records) {
      this.#findInstanceWatch(record.instance, record.connectionId)?.adopt(record);
    }
    for (const watch of this.#watches.values()) {
      watch.addBuilds(this.#coordinator.getUnrecordedBuilds(watch.instanceId));
    }
    this.#fireChange();
    for (const watch of this.#watches.values()) {
      const { instanceId } = watch;
      if (buildApi.canPoll(watch.connectionId) && this.#needsLeader(watch)) {
        this.#coordinator.join(instanceId, watch.isBlocked);
      } else {
        this.#coordinator.leave(instanceId);
      }
      const isLeader = this.#getLeader(instanceId) === windowId;
      if (!isLeader && (this.#requestedPolls.get(instanceId) ?? Infinity) <= watch.lastPollAt) {
        // Another window has polled, as the user has asked: a later failure in this window is not reported.
        this.#requestedPolls.delete(instanceId);
        this.#userRequests.delete(instanceId);
      }
      this.#coordinator.setState(
        instanceId,
        watch.runningBuilds,
        isLeader ? undefined : this.#requestedPolls.get(instanceId),
      );
    }
    // Must precede the records: a window that reads this leader in a record must also find its heartbeat.
    await this.#coordinator.announce();
    this.#updateWatchedInstances();
    for (const watch of this.#watches.values()) {
      const { instanceId } = watch;
      const isLeader = this.#getLeader(instanceId) === windowId;
      if (isLeader && (watch.hasChanges || !this.#coordinator.isRecordedLeader(instanceId))) {
        await this.#coordinator.publish(watch.createRecord(windowId));
      }
      this.#schedulePoll(watch, isLeader);
    }
  }

  /**
   * Fires a change if the set of instances that can be polled has changed: the monitor omits builds that no window can
   * poll.
   */
  #updateWatchedInstances(): void {
    const key = JSON.stringify([...this.#watches.keys()].filter((id) => this.#getLeader(id) !== undefined));
    if (key !== this.#watchedInstancesJson) {
      this.#watchedInstancesJson = key;
      this.#onDidChange.fire();
    }
  }

  /** Schedules the next poll of an instance if this window has to make it. */
  #schedulePoll(watch: InstanceWatch, isLeader: boolean): void {
    const { instanceId } = watch;
    this.#timers.get(instanceId)?.dispose();
    this.#timers.delete(instanceId);
    const pollTime = isLeader ? this.#getNextPollTime(watch) : this.#getIdlePollTime(watch);
    if (pollTime !== undefined && !this.#store.isDisposed) {
      const { clock } = this.#deps;
      const timer = clock.schedule(Math.max(0, pollTime - clock.now()), () => void this.#poll(watch));
      this.#timers.set(instanceId, timer);
    }
  }

  #getNextPollTime(watch: InstanceWatch): number | undefined {
    const requestedAt = this.#coordinator.getPollRequestTime(watch.instanceId) ?? 0;
    if (this.#requestedPolls.has(watch.instanceId) || requestedAt > watch.lastPollAt) {
      return watch.earliestPollAt;
    }
    return watch.runningBuilds.length > 0 ? watch.getNextPollTime() : this.#getIdlePollTime(watch);
  }

  /**
   * Returns the time of the next poll if no build runs; `undefined` if one does, or if this window doesn't show the
   * builds of the connection.
   */
  #getIdlePollTime(watch: InstanceWatch): number | undefined {
    const isIdle = watch.runningBuilds.length === 0 && this.#isVisible;
    return isIdle && this.#deps.buildApi.getConnectionsInUse().includes(watch.connectionId)
      ? Math.max(watch.lastPollAt + idlePollMs, watch.earliestPollAt)
      : undefined;
  }

  async #poll(watch: InstanceWatch): Promise<void> {
    this.#timers.delete(watch.instanceId);
    const isCurrent = this.#watches.get(watch.instanceId) === watch;
    if (watch.isPolling || !isCurrent || !this.#deps.buildApi.canPoll(watch.connectionId)) {
      return;
    }
    this.#requestedPolls.delete(watch.instanceId);
    const wasRequested = this.#userRequests.delete(watch.instanceId);
    const before = watch.builds;
    const endedBuilds = await watch.poll();
    if (this.#watches.get(watch.instanceId) !== watch || this.#store.isDisposed) {
      return;
    }
    await this.#deps.history.add([...endedBuilds, ...findReappearedBuilds(before, watch.builds)]);
    // Publish now rather than in the next round: after the last build has ended, no window is the leader and would
    // publish it.
    await this.#coordinator.publish(watch.createRecord(this.#deps.windowId));
    this.#recordFailure(watch, wasRequested);
    this.#fireChange();
    this.startRound();
  }

  /** Fires the events for all changes since the last call. */
  #fireChange(shouldNotify = true): void {
    const before = this.#lastFiredBuilds;
    const after = this.builds;
    const failingInstances = JSON.stringify(
      [...this.#watches.values()]
        .filter(({ lastUpdate }) => lastUpdate.failure !== undefined)
        .map((watch) => watch.instanceId),
    );
    if (areBuildsEqual(before, after) && failingInstances === this.#lastFailingInstancesJson) {
      return;
    }
    this.#lastFiredBuilds = after;
    this.#lastFailingInstancesJson = failingInstances;
    this.#onDidChange.fire();
    for (const { build, isNotable } of findBuildEnds(before, after, this.#openedAt)) {
      this.#onDidEnd.fire({ build, shouldNotify: shouldNotify && isNotable && this.isReportedHere(build) });
    }
  }

  #recordFailure(watch: InstanceWatch, wasRequested: boolean): void {
    const { connectionId, instanceId, runningBuilds, isBlocked } = watch;
    const { failure } = watch.lastUpdate;
    const isAwaited =
      wasRequested || runningBuilds.some(({ startedBy }) => startedBy === this.#deps.windowId);
    if (failure === undefined) {
      this.#reportedFailures.delete(instanceId);
    } else if (isBlocked && isAwaited && !this.#reportedFailures.has(instanceId)) {
      this.#reportedFailures.add(instanceId);
      this.#onDidFail.fire({ connectionId, error: failure });
    }
  }

  #needsLeader(watch: InstanceWatch): boolean {
    return watch.runningBuilds.length > 0 || this.#requestedPolls.has(watch.instanceId);
  }

  #getLeader(instance: string): string | undefined {
    return this.#coordinator.getLeader(instance);
  }

  #getWatch(connectionId: string): InstanceWatch | undefined {
    const instance = this.#deps.buildApi.getInstanceId(connectionId);
    return instance === undefined ? undefined : this.#findInstanceWatch(instance, connectionId);
  }

  #findInstanceWatch(instance: string, connectionId: string): InstanceWatch | undefined {
    const existing = this.#watches.get(instance);
    if (existing !== undefined || this.#deps.buildApi.getInstanceId(connectionId) !== instance) {
      return existing;
    }
    const watch = new InstanceWatch(this.#deps, connectionId, instance);
    this.#watches.set(instance, watch);
    return watch;
  }

  /** Forgets the builds of connections that were removed or have another address now. */
  #forgetRemovedConnections(): void {
    for (const [instance, { connectionId }] of this.#watches) {
      if (this.#deps.buildApi.getInstanceId(connectionId) !== instance) {
        this.#timers.get(instance)?.dispose();
        this.#timers.delete(instance);
        this.#requestedPolls.delete(instance);
        this.#userRequests.delete(instance);
        this.#reportedFailures.delete(instance);
        this.#coordinator.leave(instance);
        this.#watches.delete(instance);
      }
    }
  }
}
