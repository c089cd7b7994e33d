import type { Clock } from '../base/clock.ts';
import { type Disposable, DisposableStore } from '../base/disposable.ts';
import type { Log } from '../base/log.ts';
import type { Build } from './build.ts';
import { heartbeatMs, isWindowAlive, electLeader } from './leader.ts';
import {
  type InstanceRecord,
  SharedReader,
  type WindowCard,
  cardName,
  isRecordName,
  recordName,
} from './sharedRecords.ts';
import type { SharedFolder } from './sharedFolder.ts';

/** How long the status file of a window that ended without cleanup is kept. */
const forgottenMs = 60_000;
/** How long the record of an instance that is no longer used is kept, such as that of a former sandbox. */
const outdatedMs = 30 * 24 * 3_600_000;

interface BoardDeps {
  readonly folder: SharedFolder;
  readonly clock: Clock;
  readonly log: Log;
  /** Identifies this window among all others. */
  readonly window: string;
}

/**
 * Coordinates the windows of this machine through shared files: who polls an instance, and what is known of its builds.
 * Every file has a single writer: a status file its window, the record of an instance its leading window. Only windows
 * that watch an instance write a heartbeat.
 */
export class WindowBoard implements Disposable {
  readonly #deps: BoardDeps;
  readonly #onDidUpdate: () => void;
  readonly #store = new DisposableStore();
  readonly #since: number;
  readonly #reader = new SharedReader();
  readonly #joined = new Set<string>();
  readonly #requestedPolls = new Map<string, number>();
  readonly #builds = new Map<string, readonly Build[]>();
  #others: readonly WindowCard[] = [];
  #records: ReadonlyMap<string, InstanceRecord> = new Map();
  #written: string | undefined;
  #beatTimer: Disposable | undefined;
  #lastBeat = 0;
  #rounds: Promise<void> = Promise.resolve();
  #waiting: Promise<void> | undefined;

  /** @param onDidUpdate called when other windows may have written a file, or a heartbeat is due */
  constructor(deps: BoardDeps, onNews: () => void) {
    this.#deps = deps;
    this.#onDidUpdate = onNews;
    this.#since = deps.clock.now();
    this.#store.add(deps.folder.onDidChange(onNews));
  }

  get records(): readonly InstanceRecord[] {
    return [...this.#records.values()];
  }

  isAlive(window: string): boolean {
    return window === this.#deps.window || this.#live().some((card) => card.window === window);
  }

  /** Returns the window that polls an instance; `undefined` if no window watches it. */
  getLeader(instance: string): string | undefined {
    return electLeader(instance, [this.#card(), ...this.#live()], this.#records.get(instance));
  }

  /** Returns the builds that other windows know and the record of the instance lacks. */
  getBuilds(instance: string): readonly Build[] {
    return this.#others.flatMap(({ builds }) => builds[instance] ?? []);
  }

  /** Returns the time of the latest request by another window to poll an instance. */
  getRequestedPoll(instance: string): number | undefined {
    const wishes = this.#live().flatMap((card) => card.wishes[instance] ?? []);
    return wishes.length === 0 ? undefined : Math.max(...wishes);
  }

  /** Makes this window a candidate for the leader of an instance. */
  join(instance: string): void {
    this.#joined.add(instance);
  }

  leave(instance: string): void {
    this.#joined.delete(instance);
    this.#requestedPolls.delete(instance);
    this.#builds.delete(instance);
  }

  /**
   * Sets the status for the leader of an instance: running builds that its record lacks, and the time of a request to
   * poll.
   */
  setState(instance: string, running: readonly Build[], wish: number | undefined): void {
    const record = this.#records.get(instance);
    const known = new Set(record?.builds.map(({ oid }) => oid));
    const news = running.filter(({ oid }) => !known.has(oid));
    setOrDelete(this.#builds, instance, news.length === 0 ? undefined : news);
    setOrDelete(this.#requestedPolls, instance, wish);
  }

  /** Returns whether the record of the instance names this window as the leader. */
  isRecordedLeader(instance: string): boolean {
    return this.#records.get(instance)?.leader === this.#deps.window;
  }

  /** Writes the record of an instance for the other windows, unless it has no builds and never had any. */
  async publish(record: InstanceRecord): Promise<void> {
    if (record.builds.length > 0 || this.#records.has(record.instance)) {
      this.#records = new Map([...this.#records, [record.instance, record]]);
      await this.#write(recordName(record.instance), JSON.stringify(record));
    }
  }

  /**
   * Reads the shared files and then runs the task. Rounds run one after the other; calls that arrive while a round is
   * waiting share it. Never rejects.
   */
  round(work: () => Promise<void>): Promise<void> {
    this.#waiting ??= this.#next(this.#rounds, work);
    this.#rounds = this.#waiting;
    return this.#waiting;
  }

  dispose(): void {
    this.#beatTimer?.dispose();
    this.#store.dispose();
    if (this.#written !== undefined) {
      this.#deps.folder.remove(cardName(this.#deps.window));
    }
  }

  async #next(before: Promise<void>, work: () => Promise<void>): Promise<void> {
    await before;
    this.#waiting = undefined;
    await this.#run(work);
  }

  async #run(work: () => Promise<void>): Promise<void> {
    try {
      await this.#read();
      if (this.#store.isDisposed) {
        return;
      }
      await work();
    } catch (error) {
      this.#deps.log.error('builds', 'Sharing the builds between windows failed', { reason: String(error) });
    }
  }

  async #read(): Promise<void> {
    const { folder, window, clock } = this.#deps;
    const { cards, records } = this.#reader.read(await folder.readAll());
    this.#others = cards.filter((card) => card.window !== window);
    this.#records = new Map(records.map((record) => [record.instance, record]));
    for (const record of records) {
      if (clock.now() - getLastUsed(record) > outdatedMs) {
        folder.remove(recordName(record.instance));
      }
    }
    for (const card of this.#others) {
      if (clock.now() - card.beat > forgottenMs) {
        folder.remove(cardName(card.window));
      }
    }
  }

  /** Writes the status of this window if it has changed or a heartbeat is due. */
  async announce(): Promise<void> {
    const { folder, window, clock } = this.#deps;
    this.#beatTimer?.dispose();
    if (this.#store.isDisposed) {
      return;
    }
    if (this.#joined.size === 0) {
      if (this.#written !== undefined) {
        this.#written = undefined;
        folder.remove(cardName(window));
      }
      return;
    }
    const { beat, ...reported } = this.#card();
    const text = JSON.stringify(reported);
    // The absolute value keeps the heartbeat going if the system clock was set back.
    if (text !== this.#written || Math.abs(beat - this.#lastBeat) >= heartbeatMs) {
      this.#written = text;
      this.#lastBeat = beat;
      await this.#write(cardName(window), JSON.stringify({ ...reported, beat }));
    }
    if (!this.#store.isDisposed) {
      this.#beatTimer = clock.schedule(
        Math.min(heartbeatMs, this.#lastBeat + heartbeatMs - beat),
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
        file: isRecordName(name) ? 'record' : 'card',
        reason: String(error),
      });
    }
  }

  #live(): readonly WindowCard[] {
    const now = this.#deps.clock.now();
    return this.#others.filter((card) => isWindowAlive(card, now));
  }

  #card(): WindowCard {
    return {
      window: this.#deps.window,
      since: this.#since,
      beat: this.#deps.clock.now(),
      instances: [...this.#joined],
      wishes: Object.fromEntries(this.#requestedPolls),
      builds: Object.fromEntries(this.#builds) as WindowCard['builds'],
    };
  }
}

/** Returns when an instance was last polled or a build was first seen: before the first poll there may be a build. */
const getLastUsed = ({ askedAt, builds }: InstanceRecord): number =>
  Math.max(askedAt, ...builds.map(({ firstSeen }) => firstSeen));

function setOrDelete<Value>(map: Map<string, Value>, key: string, value: Value | undefined): void {
  if (value === undefined) {
    map.delete(key);
  } else {
    map.set(key, value);
  }
}
