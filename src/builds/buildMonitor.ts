import { type Disposable, DisposableStore } from '../base/disposable.ts';
import { Emitter } from '../base/event.ts';
import type { Log } from '../base/log.ts';
import { type Build, type StartBuildRequest, isRunning } from './build.ts';
import type { BuildHistory } from './buildHistory.ts';
import type { BuildEndEvent, BuildWatchFailure, BuildWatch } from './buildWatch.ts';

/** The parts that are loaded when builds are monitored. */
export interface LoadedBuilds extends Disposable {
  readonly watch: BuildWatch;
  readonly history: BuildHistory;
}

/** The dependencies of the monitor before everything else is loaded. */
export interface BuildMonitorDeps {
  /** Loads the build watch: on first use, since most windows never build (decisions.md, "Activation and quality"). */
  readonly load: () => Promise<LoadedBuilds>;
  readonly log: Log;
}

/**
 * The builds of all connections, as the rest of the product sees them. It exists from the start and is small; the build
 * watch is loaded when the first build is started, found or requested.
 */
export class BuildMonitor implements Disposable {
  readonly #deps: BuildMonitorDeps;
  readonly #store = new DisposableStore();
  readonly #onDidChange = this.#store.add(new Emitter<void>());
  readonly #onDidEnd = this.#store.add(new Emitter<BuildEndEvent>());
  readonly #onDidFail = this.#store.add(new Emitter<BuildWatchFailure>());
  readonly onDidChange = this.#onDidChange.event;
  /** A build that was seen running has ended, or is gone. Fires once for each. */
  readonly onDidEnd = this.#onDidEnd.event;
  /** The builds of a connection cannot be watched; fires once until they can be. */
  readonly onDidFail = this.#onDidFail.event;
  readonly #onDidAcknowledge = this.#store.add(new Emitter<void>());
  /** The user has seen the results. */
  readonly onDidAcknowledge = this.#onDidAcknowledge.event;
  readonly #visibleViews = new Set<string>();
  #loading: Promise<LoadedBuilds> | undefined;
  #watch: BuildWatch | undefined;

  constructor(deps: BuildMonitorDeps) {
    this.#deps = deps;
  }

  get builds(): readonly Build[] {
    return this.#watch?.builds ?? [];
  }

  /** The running builds that this window or another can query: the state of the others is unknown. */
  get running(): readonly Build[] {
    return this.builds.filter((build) => isRunning(build) && this.isFollowed(build));
  }

  find(connectionId: string, oid: string): Build | undefined {
    return this.builds.find((build) => build.connectionId === connectionId && build.oid === oid);
  }

  /** False for a build whose instance no window polls now, such as a stopped sandbox. */
  isFollowed(build: Build): boolean {
    return this.#watch?.isFollowed(build.connectionId) ?? false;
  }

  /** True if this window is the one to show the progress of a build. */
  isStartedHere(build: Build): boolean {
    return this.#watch?.isStartedHere(build) ?? false;
  }

  /** Time of the last report by the instance of a connection, and why there has been none since. */
  getLastUpdate(connectionId: string): { readonly at: number; readonly failure: unknown } | undefined {
    return this.#watch?.getLastUpdate(connectionId);
  }

  /**
   * Starts monitoring builds; resolves when the builds of other windows, and of this one before a reload, are known.
   */
  async load(): Promise<LoadedBuilds> {
    const loading = this.#loading ?? this.#load();
    this.#loading = loading;
    try {
      return await loading;
    } catch (error) {
      // The next call tries again: the disk may no longer be full, for example.
      if (this.#loading === loading) {
        this.#loading = undefined;
      }
      throw error;
    }
  }

  /** Starts a build and monitors it from then on. Rejects with the client's error if it was not accepted. */
  async start(request: StartBuildRequest): Promise<Build> {
    return (await this.load()).watch.start(request);
  }

  async cancel(build: Pick<Build, 'connectionId' | 'oid'>): Promise<void> {
    await (await this.load()).watch.cancel(build);
  }

  /** Cancels all builds of one datamodel (rest-api.md, "Build API"). */
  async cancelAll(connectionId: string, datamodelId: string): Promise<void> {
    await (await this.load()).watch.cancelAll(connectionId, datamodelId);
  }

  /** Polls a connection's builds now, even if none is known to run there. */
  refresh(connectionId: string): void {
    this.#whenLoaded((watch) => watch.refresh(connectionId));
  }

  /** A part of the window starts or stops showing builds. While any does, idle connections are polled. */
  setVisible(looker: string, looks: boolean): void {
    if (looks === this.#visibleViews.has(looker)) {
      return;
    }
    if (looks) {
      this.#visibleViews.add(looker);
      this.#whenLoaded((watch) => watch.setVisible(this.#visibleViews.size > 0));
    } else {
      this.#visibleViews.delete(looker);
      this.#watch?.setVisible(this.#visibleViews.size > 0);
    }
  }

  /** The user has returned to the window: polls what is out of date, including builds of other users. */
  catchUp(): void {
    this.#whenLoaded((watch) => watch.catchUp());
  }

  /** The user has seen the results: they need not be shown any longer. */
  acknowledge(): void {
    this.#onDidAcknowledge.fire();
  }

  /** Starts monitoring builds, without waiting for it. */
  begin(): void {
    this.#whenLoaded(() => {});
  }

  /** The instance of a connection has ended and its tasks with it: their outcome will never be known. */
  instanceEnded(connectionId: string): void {
    this.#watch?.instanceEnded(connectionId);
  }

  /** A connection is usable again, for example after a sign-in. */
  connectionRestored(connectionId: string): void {
    this.#watch?.sync();
    this.#watch?.connectionRestored(connectionId);
  }

  /** The connections, or which of them can be polled, have changed. */
  connectionsChanged(): void {
    this.#watch?.sync();
  }

  dispose(): void {
    this.#store.dispose();
  }

  #whenLoaded(then: (watch: BuildWatch) => void): void {
    this.load().then(
      ({ watch }) => then(watch),
      (error: unknown) => {
        this.#deps.log.error('builds', 'Following builds failed', { reason: String(error) });
      },
    );
  }

  async #load(): Promise<LoadedBuilds> {
    const open = this.#store.add(await this.#deps.load());
    const { watch } = open;
    this.#watch = watch;
    this.#store.add(watch.onDidChange(() => this.#onDidChange.fire()));
    this.#store.add(watch.onDidEnd((end) => this.#onDidEnd.fire(end)));
    this.#store.add(watch.onDidFail((trouble) => this.#onDidFail.fire(trouble)));
    await watch.ready();
    return open;
  }
}
