import type { Clock } from '../base/clock.ts';
import { type Disposable, DisposableStore } from '../base/disposable.ts';
import type { Log } from '../base/log.ts';
import type { Build } from './build.ts';
import { heartbeatMs, isWindowAlive, electLeader } from './leader.ts';
import {
  type InstanceRecord,
  SharedFileReader,
  type WindowStatus,
  getWindowFileName,
  isRecordFileName,
  getRecordFileName,
} from './sharedRecords.ts';
import type { SharedFolder } from './sharedFolder.ts';

/** How long the status file of a window that ended without cleanup is kept. */
const windowRetentionMs = 60_000;
/** How long the record of an instance that is no longer used is kept, such as that of a former sandbox. */
const recordRetentionMs = 30 * 24 * 3_600_000;

interface CoordinatorDeps {
  readonly folder: SharedFolder;
  readonly clock: Clock;
  readonly log: Log;
  /** Identifies this window among all others. */
  readonly windowId: string;
}

/**
 * Coordinates the windows of this machine through shared files: who polls an instance, and what is known about its
 * builds. Every file has a single writer: a status file its window, the record of an instance its leading window. Only
 * windows that watch an instance write a heartbeat.
 */
export class WindowCoordinator implements Disposable {
  readonly #deps: CoordinatorDeps;
  readonly #onDidUpdate: () => void;
  readonly #store = new DisposableStore();
  readonly #openedAt: number;
  readonly #reader = new SharedFileReader();
  readonly #joinedInstances = new Set<string>();
  /** The joined instances that this window cannot poll until the user acts. */
  readonly #blockedInstances = new Set<string>();
  readonly #requestedPolls = new Map<string, number>();
  readonly #unrecordedBuilds = new Map<string, readonly Build[]>();
  #otherWindows: readonly WindowStatus[] = [];
  #records: ReadonlyMap<string, InstanceRecord> = new Map();
  #lastWrittenStatus: string | undefined;
  /** False after a failure, which is logged once. */
  #isFolderReadable = true;
  #heartbeatTimer: Disposable | undefined;
  #lastHeartbeatAt = 0;
  #lastRound: Promise<void> = Promise.resolve();
  #nextRound: Promise<void> | undefined;

  /** @param onDidUpdate called when other windows may have written a file, or a heartbeat is due */
  constructor(deps: CoordinatorDeps, onDidUpdate: () => void) {
    this.#deps = deps;
    this.#onDidUpdate = onDidUpdate;
    this.#openedAt = deps.clock.now();
    this.#store.add(deps.folder.onDidChange(onDidUpdate));
  }

  get records(): readonly InstanceRecord[] {
    return [...this.#records.values()];
  }

  isAlive(windowId: string): boolean {
    return (
      windowId === this.#deps.windowId || this.#getLiveWindows().some((status) => status.window === windowId)
    );
  }

  /** Returns the window that polls an instance; `undefined` if no window watches it. */
  getLeader(instance: string): string | undefined {
    return electLeader(
      instance,
      [this.#createStatus(), ...this.#getLiveWindows()],
      this.#records.get(instance),
    );
  }

  /** Returns the builds that other windows know and the record of the instance lacks. */
  getUnrecordedBuilds(instance: string): readonly Build[] {
    return this.#otherWindows.flatMap(({ builds }) => builds[instance] ?? []);
  }

  /** Returns the time of the latest request by another window to poll an instance. */
  getPollRequestTime(instance: string): number | undefined {
    const requestTimes = this.#getLiveWindows().flatMap((status) => status.wishes[instance] ?? []);
    return requestTimes.length === 0 ? undefined : Math.max(...requestTimes);
  }

  /**
   * Makes this window a candidate for the leader of an instance.
   * @param isBlocked true if this window cannot poll it until the user acts
   */
  join(instance: string, isBlocked: boolean): void {
    this.#joinedInstances.add(instance);
    if (isBlocked) {
      this.#blockedInstances.add(instance);
    } else {
      this.#blockedInstances.delete(instance);
    }
  }

  leave(instance: string): void {
    this.#joinedInstances.delete(instance);
    this.#blockedInstances.delete(instance);
    this.#requestedPolls.delete(instance);
    this.#unrecordedBuilds.delete(instance);
  }

  /**
   * Sets what the status of this window shows to the leader of an instance: the running builds that the record of the
   * instance lacks, and when this window has requested a poll.
   */
  setState(instance: string, running: readonly Build[], requestedAt: number | undefined): void {
    const record = this.#records.get(instance);
    const knownIds = new Set(record?.builds.map(({ oid }) => oid));
    this.#unrecordedBuilds.set(
      instance,
      running.filter(({ oid }) => !knownIds.has(oid)),
    );
    if (requestedAt === undefined) {
      this.#requestedPolls.delete(instance);
    } else {
      this.#requestedPolls.set(instance, requestedAt);
    }
  }

  /** Returns whether the record of the instance names this window as the leader. */
  isRecordedLeader(instance: string): boolean {
    return this.#records.get(instance)?.leader === this.#deps.windowId;
  }

  /** Writes the record of an instance for the other windows, unless it has no builds and never had any. */
  async publish(record: InstanceRecord): Promise<void> {
    if (record.builds.length > 0 || this.#records.has(record.instance)) {
      this.#records = new Map([...this.#records, [record.instance, record]]);
      await this.#write(getRecordFileName(record.instance), JSON.stringify(record));
    }
  }

  /**
   * Reads the shared files and then runs the task. Rounds run one after the other. A call that arrives while a round is
   * waiting joins it, and its own task isn't run: all callers pass the same one. Never rejects.
   */
  enqueueRound(task: () => Promise<void>): Promise<void> {
    this.#nextRound ??= this.#runAfter(this.#lastRound, task);
    this.#lastRound = this.#nextRound;
    return this.#nextRound;
  }

  dispose(): void {
    this.#heartbeatTimer?.dispose();
    this.#store.dispose();
    if (this.#lastWrittenStatus !== undefined) {
      this.#remove(getWindowFileName(this.#deps.windowId));
    }
  }

  async #runAfter(previousRound: Promise<void>, task: () => Promise<void>): Promise<void> {
    await previousRound;
    this.#nextRound = undefined;
    await this.#runRound(task);
  }

  async #runRound(task: () => Promise<void>): Promise<void> {
    try {
      await this.#read();
      if (this.#store.isDisposed) {
        return;
      }
      await task();
    } catch (error) {
      this.#deps.log.error('builds', 'Sharing the builds between windows failed', { reason: String(error) });
    }
  }

  async #read(): Promise<void> {
    const { folder, windowId, clock, log } = this.#deps;
    let files: ReadonlyMap<string, string>;
    try {
      files = await folder.readAll();
    } catch (error) {
      // This window can continue with what it knows: it only misses what the others write.
      if (this.#isFolderReadable) {
        log.warn('builds', 'The builds of other windows could not be read', { reason: String(error) });
      }
      this.#isFolderReadable = false;
      return;
    }
    this.#isFolderReadable = true;
    const { windows, records } = this.#reader.read(files);
    this.#otherWindows = windows.filter((status) => status.window !== windowId);
    this.#records = new Map(records.map((record) => [record.instance, record]));
    for (const record of records) {
      if (clock.now() - getLastUsed(record) > recordRetentionMs) {
        this.#remove(getRecordFileName(record.instance));
      }
    }
    for (const status of this.#otherWindows) {
      if (clock.now() - status.beat > windowRetentionMs) {
        this.#remove(getWindowFileName(status.window));
      }
    }
  }

  /**
   * Writes the status of this window if it has changed or a heartbeat is due, and schedules the next heartbeat. Deletes
   * the status if this window is not a candidate for any instance.
   */
  async announce(): Promise<void> {
    const { windowId, clock } = this.#deps;
    this.#heartbeatTimer?.dispose();
    if (this.#store.isDisposed) {
      return;
    }
    if (this.#joinedInstances.size === 0) {
      if (this.#lastWrittenStatus !== undefined) {
        this.#lastWrittenStatus = undefined;
        this.#remove(getWindowFileName(windowId));
      }
      return;
    }
    const { beat, ...statusWithoutBeat } = this.#createStatus();
    const text = JSON.stringify(statusWithoutBeat);
    // The absolute value keeps the heartbeat going if the system clock was set back.
    if (text !== this.#lastWrittenStatus || Math.abs(beat - this.#lastHeartbeatAt) >= heartbeatMs) {
      this.#lastWrittenStatus = text;
      this.#lastHeartbeatAt = beat;
      await this.#write(getWindowFileName(windowId), JSON.stringify({ ...statusWithoutBeat, beat }));
    }
    if (!this.#store.isDisposed) {
      this.#heartbeatTimer = clock.schedule(
        Math.min(heartbeatMs, this.#lastHeartbeatAt + heartbeatMs - beat),
        this.#onDidUpdate,
      );
    }
  }

  async #write(name: string, text: string): Promise<void> {
    try {
      await this.#deps.folder.write(name, text);
    } catch (error) {
      // This window can continue: only the other windows lack the information.
      this.#deps.log.warn('builds', 'Builds could not be shared with other windows', {
        file: getFileKind(name),
        reason: String(error),
      });
    }
  }

  /** Removes a file. A failure is only logged, since an outdated file does no harm. */
  #remove(name: string): void {
    try {
      this.#deps.folder.remove(name);
    } catch (error) {
      this.#deps.log.warn('builds', 'An outdated file of the builds could not be removed', {
        file: getFileKind(name),
        reason: String(error),
      });
    }
  }

  #getLiveWindows(): readonly WindowStatus[] {
    const now = this.#deps.clock.now();
    return this.#otherWindows.filter((status) => isWindowAlive(status, now));
  }

  #createStatus(): WindowStatus {
    return {
      window: this.#deps.windowId,
      since: this.#openedAt,
      beat: this.#deps.clock.now(),
      instances: [...this.#joinedInstances],
      blocked: [...this.#blockedInstances],
      wishes: Object.fromEntries(this.#requestedPolls),
      builds: Object.fromEntries(this.#unrecordedBuilds) as WindowStatus['builds'],
    };
  }
}

const getFileKind = (name: string): string => (isRecordFileName(name) ? 'record' : 'status');

/**
 * Returns when an instance was last polled or a build was first seen, whichever is later: a build may exist before the
 * first poll.
 */
const getLastUsed = ({ askedAt, builds }: InstanceRecord): number =>
  Math.max(askedAt, ...builds.map(({ firstSeen }) => firstSeen));
