import { type Disposable, DisposableStore } from '../base/disposable.ts';
import { Emitter } from '../base/event.ts';
import type { Log } from '../base/log.ts';
import { type Build, type StartBuildRequest, isRunning } from './build.ts';
import type { BuildHistory } from './buildHistory.ts';
import type { BuildWatch } from './buildWatch.ts';
import type { BuildEndEvent, BuildWatchFailure } from './buildWatchEvents.ts';

/** The build watch and the history, once they are loaded. */
export interface BuildWatchAndHistory extends Disposable {
  readonly watch: BuildWatch;
  readonly history: BuildHistory;
}

/** The dependencies of the build monitor. */
export interface BuildMonitorDeps {
  /** Loads the build watch on first use: most windows never build (decisions.md, "Activation and quality"). */
  readonly load: () => Promise<BuildWatchAndHistory>;
  readonly log: Log;
}

/**
 * The entry point to the builds of all connections. It is small and exists from activation on; the build watch is
 * loaded on first use.
 */
export class BuildMonitor implements Disposable {
  readonly #deps: BuildMonitorDeps;
  readonly #store = new DisposableStore();
  readonly #onDidChange = this.#store.add(new Emitter<void>());
  readonly #onDidEnd = this.#store.add(new Emitter<BuildEndEvent>());
  readonly #onDidFail = this.#store.add(new Emitter<BuildWatchFailure>());
  readonly onDidChange = this.#onDidChange.event;
  /**
   * Fires once for each build that has ended or disappeared while this window was open, even if its start wasn't seen.
   */
  readonly onDidEnd = this.#onDidEnd.event;
  /**
   * Fires when the builds of a connection can't be watched; not again until a poll of that connection has succeeded.
   */
  readonly onDidFail = this.#onDidFail.event;
  readonly #onDidAcknowledge = this.#store.add(new Emitter<void>());
  /** Fires when the user has seen the results. */
  readonly onDidAcknowledge = this.#onDidAcknowledge.event;
  readonly #visibleViews = new Set<string>();
  #loading: Promise<BuildWatchAndHistory> | undefined;
  #watch: BuildWatch | undefined;

  constructor(deps: BuildMonitorDeps) {
    this.#deps = deps;
  }

  get builds(): readonly Build[] {
    return this.#watch?.builds ?? [];
  }

  /** The running builds whose instance some window polls; whether others are still running is unknown. */
  get runningBuilds(): readonly Build[] {
    return this.builds.filter((build) => isRunning(build) && this.isMonitored(build));
  }

  find(connectionId: string, oid: string): Build | undefined {
    return this.builds.find((build) => build.connectionId === connectionId && build.oid === oid);
  }

  /** Returns whether some window polls the instance of the build; false for a stopped sandbox, for example. */
  isMonitored(build: Build): boolean {
    return this.#watch?.hasLeader(build.connectionId) ?? false;
  }

  /**
   * Returns whether this window shows the progress and the result of the build: if it started the build, or if it is
   * the leader and the window that started the build is closed or unknown.
   */
  isReportedHere(build: Build): boolean {
    return this.#watch?.isReportedHere(build) ?? false;
  }

  /** Returns the time of the instance's last response, and the error of a later poll that failed. */
  getLastUpdate(connectionId: string): { readonly time: number; readonly failure: unknown } | undefined {
    return this.#watch?.getLastUpdate(connectionId);
  }

  /**
   * Starts monitoring builds. Resolves when the builds of other windows, and those from before a reload, are known.
   */
  loadBuildWatch(): Promise<BuildWatchAndHistory> {
    this.#loading ??= this.#load().catch((error: unknown) => {
      // The next call tries again: the error may be temporary, such as a full disk.
      this.#loading = undefined;
      throw error;
    });
    return this.#loading;
  }

  /** Starts a build and monitors it. Rejects with the client's error if the server did not accept it. */
  async start(request: StartBuildRequest): Promise<Build> {
    return (await this.loadBuildWatch()).watch.start(request);
  }

  async cancel(build: Pick<Build, 'connectionId' | 'oid'>): Promise<void> {
    await (await this.loadBuildWatch()).watch.cancel(build);
  }

  /** Cancels all builds of one datamodel (rest-api.md, "Build API"). */
  async cancelAll(connectionId: string, datamodelId: string): Promise<void> {
    await (await this.loadBuildWatch()).watch.cancelAll(connectionId, datamodelId);
  }

  /** Polls a connection's builds now, even if none is known to run there; see {@link BuildWatch.refresh}. */
  refresh(connectionId: string, options?: { readonly shouldReport?: boolean }): void {
    this.#runWhenLoaded((watch) => watch.refresh(connectionId, options));
  }

  /** Sets whether a view shows builds. While any view does, connections without running builds are polled as well. */
  setViewVisible(viewId: string, isVisible: boolean): void {
    if (isVisible === this.#visibleViews.has(viewId)) {
      return;
    }
    if (isVisible) {
      this.#visibleViews.add(viewId);
      this.#runWhenLoaded((watch) => watch.setVisible(this.#visibleViews.size > 0));
    } else {
      this.#visibleViews.delete(viewId);
      this.#watch?.setVisible(this.#visibleViews.size > 0);
    }
  }

  /** Polls outdated builds, including those of other users, because the user has returned to the window. */
  catchUp(): void {
    this.#runWhenLoaded((watch) => watch.catchUp());
  }

  /** Records that the user has seen the results, so that they are no longer shown. */
  acknowledge(): void {
    this.#onDidAcknowledge.fire();
  }

  /** Starts monitoring builds without waiting until they are known. */
  startMonitoring(): void {
    this.#runWhenLoaded(() => {});
  }

  /**
   * Marks the running builds of a connection as gone, because its instance and thus its build tasks have ended.
   * @param options.shouldNotify false if the user ended the instance
   */
  handleInstanceEnded(connectionId: string, { shouldNotify }: { readonly shouldNotify: boolean }): void {
    this.#watch?.handleInstanceEnded(connectionId, { shouldNotify });
  }

  /** Polls a connection whose last poll failed, because it is usable again, for example after a sign-in. */
  handleConnectionRestored(connectionId: string): void {
    this.#watch?.startRound();
    this.#watch?.handleConnectionRestored(connectionId);
  }

  /** Updates the monitor after connections were added, removed or changed, or can no longer be polled. */
  handleConnectionsChanged(): void {
    this.#watch?.startRound();
  }

  dispose(): void {
    this.#store.dispose();
  }

  #runWhenLoaded(action: (watch: BuildWatch) => void): void {
    this.loadBuildWatch().then(
      ({ watch }) => action(watch),
      (error: unknown) => {
        this.#deps.log.error('builds', 'Loading the build watch failed', { reason: String(error) });
      },
    );
  }

  async #load(): Promise<BuildWatchAndHistory> {
    const loaded = this.#store.add(await this.#deps.load());
    const { watch } = loaded;
    this.#watch = watch;
    this.#store.add(watch.onDidChange(() => this.#onDidChange.fire()));
    this.#store.add(watch.onDidEnd((event) => this.#onDidEnd.fire(event)));
    this.#store.add(watch.onDidFail((failure) => this.#onDidFail.fire(failure)));
    await watch.whenReady();
    return loaded;
  }
}
