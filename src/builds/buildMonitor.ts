import { type Disposable, DisposableStore } from '../base/disposable.ts';
import { Emitter } from '../base/event.ts';
import type { Log } from '../base/log.ts';
import { type Build, type StartBuildRequest, isRunning } from './build.ts';
import type { BuildHistory } from './buildHistory.ts';
import type { BuildEndEvent, BuildWatchFailure, BuildWatch } from './buildWatch.ts';

/** What is loaded when builds are followed. */
export interface LoadedBuilds extends Disposable {
  readonly watch: BuildWatch;
  readonly history: BuildHistory;
}

/** What the monitor needs before it needs all the rest. */
export interface BuildMonitorDeps {
  /** Loads what follows builds: on first use, since most windows never build (design.md, section 12). */
  readonly load: () => Promise<LoadedBuilds>;
  readonly log: Log;
}

/**
 * The builds of all connections, as the rest of the product sees them. It is there from the start and small; what
 * follows the builds is loaded when the first build is started, found or looked for.
 */
export class BuildMonitor implements Disposable {
  readonly #deps: BuildMonitorDeps;
  readonly #store = new DisposableStore();
  readonly #onDidChange = this.#store.add(new Emitter<void>());
  readonly #onDidEnd = this.#store.add(new Emitter<BuildEndEvent>());
  readonly #onDidFail = this.#store.add(new Emitter<BuildWatchFailure>());
  /** Something about the builds changed. */
  readonly onDidChange = this.#onDidChange.event;
  /** A build that was seen running has ended, or is gone. Fires once for each. */
  readonly onDidEnd = this.#onDidEnd.event;
  /** The builds of a connection cannot be watched; fires once until they can be. */
  readonly onDidFail = this.#onDidFail.event;
  readonly #onDidAcknowledge = this.#store.add(new Emitter<void>());
  /** A person has looked at what has ended. */
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

  /** Those that run and that this window or another can ask for: of the others nobody knows. */
  get running(): readonly Build[] {
    return this.builds.filter((build) => isRunning(build) && this.isFollowed(build));
  }

  find(connectionId: string, oid: string): Build | undefined {
    return this.builds.find((build) => build.connectionId === connectionId && build.oid === oid);
  }

  /** False for a build whose instance nobody asks now, such as a sandbox that is stopped. */
  isFollowed(build: Build): boolean {
    return this.#watch?.isFollowed(build.connectionId) ?? false;
  }

  /** True where this window is the one to show what becomes of a build. */
  isStartedHere(build: Build): boolean {
    return this.#watch?.isStartedHere(build) ?? false;
  }

  /** When the instance of a connection last told of its builds, and why it did not since. */
  getLastUpdate(connectionId: string): { readonly at: number; readonly failure: unknown } | undefined {
    return this.#watch?.getLastUpdate(connectionId);
  }

  /** Begins to follow builds; resolves when those of other windows, and of this one before a reload, are known. */
  async load(): Promise<LoadedBuilds> {
    const loading = this.#loading ?? this.#load();
    this.#loading = loading;
    try {
      return await loading;
    } catch (error) {
      // The next one tries again: a disk that was full may not be so any more.
      if (this.#loading === loading) {
        this.#loading = undefined;
      }
      throw error;
    }
  }

  /** Starts a build; it is followed from here on. Rejects with the client's error when it was not accepted. */
  async start(request: StartBuildRequest): Promise<Build> {
    return (await this.load()).watch.start(request);
  }

  async cancel(build: Pick<Build, 'connectionId' | 'oid'>): Promise<void> {
    await (await this.load()).watch.cancel(build);
  }

  /** Cancels all builds of one datamodel (spec, DELETE /builds). */
  async cancelAll(connectionId: string, datamodelId: string): Promise<void> {
    await (await this.load()).watch.cancelAll(connectionId, datamodelId);
  }

  /** Has a connection's builds looked at now, whether or not one is known to run there. */
  refresh(connectionId: string): void {
    this.#whenLoaded((watch) => watch.refresh(connectionId));
  }

  /** A part of the window shows builds to a person, or no longer does. Idle connections are looked at meanwhile. */
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

  /** A person has come back to the window: what is not fresh is looked at, builds of others included. */
  catchUp(): void {
    this.#whenLoaded((watch) => watch.catchUp());
  }

  /** A person has looked: what has ended need not be shown any longer. */
  acknowledge(): void {
    this.#onDidAcknowledge.fire();
  }

  /** Begins to follow builds, without waiting for it. */
  begin(): void {
    this.#whenLoaded(() => {});
  }

  /** The instance of a connection has ended and its tasks with it: how they ended will never be known. */
  instanceEnded(connectionId: string): void {
    this.#watch?.instanceEnded(connectionId);
  }

  /** A connection is used anew, as after a sign-in. */
  connectionRestored(connectionId: string): void {
    this.#watch?.sync();
    this.#watch?.connectionRestored(connectionId);
  }

  /** The connections, or which of them can be asked, have changed. */
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
