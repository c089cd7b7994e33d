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

/** Retention of the card of a window that ended without cleanup. */
const forgottenMs = 60_000;
/** Retention of the builds of an instance that no window polls: sandboxes come and go. */
const outdatedMs = 30 * 24 * 3_600_000;

interface BoardDeps {
  readonly folder: SharedFolder;
  readonly clock: Clock;
  readonly log: Log;
  /** Identifies this window among all others. */
  readonly window: string;
}

/**
 * Shares information about builds between the windows of this machine. Every file has one writer: its window, or for
 * the record of an instance the leading window. A window that watches something writes a heartbeat; an idle one writes
 * nothing.
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

  /** @param onNews called when other windows may have written something, or a heartbeat is due */
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

  /** The window that polls an instance; `undefined` if none can or wants to. */
  getLeader(instance: string): string | undefined {
    return electLeader(instance, [this.#card(), ...this.#live()], this.#records.get(instance));
  }

  /** Builds that other windows know and that are not in the record yet. */
  getBuilds(instance: string): readonly Build[] {
    return this.#others.flatMap(({ builds }) => builds[instance] ?? []);
  }

  /** Time of another window's last request to poll an instance. */
  getRequestedPoll(instance: string): number | undefined {
    const wishes = this.#live().flatMap((card) => card.wishes[instance] ?? []);
    return wishes.length === 0 ? undefined : Math.max(...wishes);
  }

  /** This window watches the instance and could lead there. */
  join(instance: string): void {
    this.#joined.add(instance);
  }

  leave(instance: string): void {
    this.#joined.delete(instance);
    this.#requestedPolls.delete(instance);
    this.#builds.delete(instance);
  }

  /** Sets this window's message to the leader: running builds that are new to it, and a request for a poll. */
  setState(instance: string, running: readonly Build[], wish: number | undefined): void {
    const record = this.#records.get(instance);
    const known = new Set(record?.builds.map(({ oid }) => oid));
    const news = running.filter(({ oid }) => !known.has(oid));
    setOrDelete(this.#builds, instance, news.length === 0 ? undefined : news);
    setOrDelete(this.#requestedPolls, instance, wish);
  }

  /** True if the other windows can read that this one leads. */
  isRecordedLeader(instance: string): boolean {
    return this.#records.get(instance)?.leader === this.#deps.window;
  }

  /** Writes what is known of an instance for the others; writes nothing if nothing was ever known. */
  async publish(record: InstanceRecord): Promise<void> {
    if (record.builds.length > 0 || this.#records.has(record.instance)) {
      this.#records = new Map([...this.#records, [record.instance, record]]);
      await this.#write(recordName(record.instance), JSON.stringify(record));
    }
  }

  /**
   * Reads what the others wrote, runs the work and publishes the result. Calls while one waits share its round; never
   * rejects.
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

  /** Writes this window's card if it has changed or a heartbeat is due. */
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
    // A clock that was set back must not stop the heartbeat.
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
      // A full disk only costs what the other windows would have known; this one continues.
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

/** Time of the last use of an instance; one on which a build was just started has never been polled. */
const getLastUsed = ({ askedAt, builds }: InstanceRecord): number =>
  Math.max(askedAt, ...builds.map(({ firstSeen }) => firstSeen));

function setOrDelete<Value>(map: Map<string, Value>, key: string, value: Value | undefined): void {
  if (value === undefined) {
    map.delete(key);
  } else {
    map.set(key, value);
  }
}
