import * as z from 'zod';
import type { Disposable } from '../base/disposable.ts';
import { Emitter } from '../base/event.ts';
import type { Log } from '../base/log.ts';
import { type Connection, connectionSchema } from './connection.ts';

/** Persistent storage for connections: user-level storage, never a workspace (decisions.md, "Connections"). */
export interface ConnectionStorage {
  /** The value last written, in this window or another, unparsed; `undefined` if there is none. */
  read(): unknown;
  write(connections: readonly unknown[]): Promise<void>;
}

const storedSchema = z.array(z.unknown());
const idSchema = z.object({ id: z.string() });

/** The saved connections, and transient ones, which only this process has. */
export class ConnectionStore implements Disposable {
  readonly #storage: ConnectionStorage;
  #transient: readonly Connection[];
  readonly #onDidChange = new Emitter<void>();
  readonly onDidChange = this.#onDidChange.event;
  #saved: readonly Connection[] = [];

  /** @param deps.transient connections that are never saved, such as the one injected by `npm start` */
  constructor(deps: { storage: ConnectionStorage; log: Log; transient?: readonly Connection[] }) {
    this.#storage = deps.storage;
    this.#transient = deps.transient ?? [];
    logUnreadable(deps.storage.read(), deps.log);
    this.#saved = this.#parseConnections(readEntries(deps.storage.read()));
  }

  get all(): readonly Connection[] {
    return [...this.#transient, ...this.#saved];
  }

  /** The saved connections, without transient ones. */
  get saved(): readonly Connection[] {
    return this.#saved;
  }

  find(id: string): Connection | undefined {
    return this.all.find((connection) => connection.id === id);
  }

  /** Adds the connection, or replaces the one with the same ID; a transient one is replaced but not saved. */
  async save(connection: Connection): Promise<void> {
    const { id } = connection;
    if (this.#transient.some((transient) => transient.id === id)) {
      this.#transient = this.#transient.map((transient) => (transient.id === id ? connection : transient));
      this.#onDidChange.fire();
      return;
    }
    await this.#write((stored) =>
      stored.some((entry) => getEntryId(entry) === id)
        ? stored.map((entry) => (getEntryId(entry) === id ? connection : entry))
        : [...stored, connection],
    );
  }

  /** Removes the connection; a transient one reappears if the window is opened again. */
  async remove(id: string): Promise<void> {
    if (this.#transient.some((transient) => transient.id === id)) {
      this.#transient = this.#transient.filter((transient) => transient.id !== id);
      this.#onDidChange.fire();
      return;
    }
    await this.#write((stored) => stored.filter((entry) => getEntryId(entry) !== id));
  }

  /** Adopts the changes of other windows: a role that was made stricter there applies here too. */
  refresh(): void {
    const saved = this.#parseConnections(readEntries(this.#storage.read()));
    const isSame =
      saved.length === this.#saved.length &&
      saved.every((connection, index) => connection === this.#saved[index]);
    if (!isSame) {
      this.#saved = saved;
      this.#onDidChange.fire();
    }
  }

  dispose(): void {
    this.#onDidChange.dispose();
  }

  /**
   * Changes what is stored now, not what this window last read: another window may have added connections, and an
   * unreadable one may belong to a newer version.
   */
  async #write(change: (stored: readonly unknown[]) => readonly unknown[]): Promise<void> {
    const next = change(readEntries(this.#storage.read()));
    await this.#storage.write(next);
    this.#saved = this.#parseConnections(next);
    this.#onDidChange.fire();
  }

  /** The connections among the entries; an unchanged one stays the same object. */
  #parseConnections(entries: readonly unknown[]): readonly Connection[] {
    const connectionsByJson = new Map(
      this.#saved.map((connection) => [JSON.stringify(connection), connection]),
    );
    return entries.flatMap((entry) => {
      const { data } = connectionSchema.safeParse(entry);
      return data === undefined ? [] : (connectionsByJson.get(JSON.stringify(data)) ?? data);
    });
  }
}

const readEntries = (stored: unknown): readonly unknown[] => storedSchema.safeParse(stored ?? []).data ?? [];

const getEntryId = (entry: unknown): string | undefined => idSchema.safeParse(entry).data?.id;

/** An unreadable stored connection is skipped and logged, so that the others keep working. */
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
