import * as z from 'zod';
import type { Disposable } from '../base/disposable.ts';
import { Emitter } from '../base/event.ts';
import type { Log } from '../base/log.ts';
import { type Connection, connectionSchema } from './connection.ts';

/** Where connections are kept between sessions: user-level storage, never a workspace (design.md, section 6). */
export interface ConnectionStorage {
  /** What was last written, in this window or another, unparsed; `undefined` when nothing was. */
  read(): unknown;
  write(connections: readonly unknown[]): Promise<void>;
}

const storedSchema = z.array(z.unknown());
const idSchema = z.object({ id: z.string() });

/** The saved connections, and those that were handed over for this session only. */
export class ConnectionStore implements Disposable {
  readonly #storage: ConnectionStorage;
  #transient: readonly Connection[];
  readonly #onDidChange = new Emitter<void>();
  readonly onDidChange = this.#onDidChange.event;
  #saved: readonly Connection[] = [];

  /** @param transient connections of this session, such as the one that `npm start` hands over; never saved */
  constructor(deps: { storage: ConnectionStorage; log: Log; transient?: readonly Connection[] }) {
    this.#storage = deps.storage;
    this.#transient = deps.transient ?? [];
    logUnreadable(deps.storage.read(), deps.log);
    this.#saved = this.#readable(readEntries(deps.storage.read()));
  }

  get all(): readonly Connection[] {
    return [...this.#transient, ...this.#saved];
  }

  /** Without those of this session only. */
  get saved(): readonly Connection[] {
    return this.#saved;
  }

  find(id: string): Connection | undefined {
    return this.all.find((connection) => connection.id === id);
  }

  /** Adds the connection, or replaces the one with its id; one of this session only stays one. */
  async save(connection: Connection): Promise<void> {
    const { id } = connection;
    if (this.#transient.some((known) => known.id === id)) {
      this.#transient = this.#transient.map((known) => (known.id === id ? connection : known));
      this.#onDidChange.fire();
      return;
    }
    await this.#write((stored) =>
      stored.some((entry) => getEntryId(entry) === id)
        ? stored.map((entry) => (getEntryId(entry) === id ? connection : entry))
        : [...stored, connection],
    );
  }

  /** Removes the connection; one of this session only is there again in the next. */
  async remove(id: string): Promise<void> {
    if (this.#transient.some((known) => known.id === id)) {
      this.#transient = this.#transient.filter((known) => known.id !== id);
      this.#onDidChange.fire();
      return;
    }
    await this.#write((stored) => stored.filter((entry) => getEntryId(entry) !== id));
  }

  /** Takes over what other windows have changed since: a role that was made stricter there holds here too. */
  refresh(): void {
    const saved = this.#readable(readEntries(this.#storage.read()));
    const isSame =
      saved.length === this.#saved.length && saved.every((one, index) => one === this.#saved[index]);
    if (!isSame) {
      this.#saved = saved;
      this.#onDidChange.fire();
    }
  }

  dispose(): void {
    this.#onDidChange.dispose();
  }

  /**
   * Changes what is stored now, not what this window last saw of it: another window may have added connections, and
   * what cannot be read here may be that of a newer version.
   */
  async #write(change: (stored: readonly unknown[]) => readonly unknown[]): Promise<void> {
    const next = change(readEntries(this.#storage.read()));
    await this.#storage.write(next);
    this.#saved = this.#readable(next);
    this.#onDidChange.fire();
  }

  /** The connections among the entries; one that is as it was stays the same object. */
  #readable(entries: readonly unknown[]): readonly Connection[] {
    const known = new Map(this.#saved.map((connection) => [JSON.stringify(connection), connection]));
    return entries.flatMap((entry) => {
      const { data } = connectionSchema.safeParse(entry);
      return data === undefined ? [] : (known.get(JSON.stringify(data)) ?? data);
    });
  }
}

const readEntries = (stored: unknown): readonly unknown[] => storedSchema.safeParse(stored ?? []).data ?? [];

const getEntryId = (entry: unknown): string | undefined => idSchema.safeParse(entry).data?.id;

/** A stored connection that cannot be read is left out and told of, so that the others keep working. */
function logUnreadable(stored: unknown, log: Log): void {
  if (!storedSchema.safeParse(stored ?? []).success) {
    log.error('connections', 'The saved connections could not be read');
  }
  for (const entry of readEntries(stored)) {
    const { error } = connectionSchema.safeParse(entry);
    if (error !== undefined) {
      log.error('connections', 'A saved connection could not be read', { reason: error.message });
    }
  }
}
