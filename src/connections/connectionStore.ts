import * as z from 'zod';
import type { Disposable } from '../base/disposable.ts';
import { Emitter } from '../base/event.ts';
import type { Log } from '../base/log.ts';
import { type Connection, connectionSchema } from './connection.ts';

/** Where connections are kept between sessions: user-level storage, never a workspace (design.md, section 6). */
export interface ConnectionStorage {
  /** What was last written, unparsed; `undefined` when nothing was. */
  read(): unknown;
  write(connections: readonly Connection[]): Promise<void>;
}

const storedSchema = z.array(z.unknown());

/** The saved connections, and those that were handed over for this session only. */
export class ConnectionStore implements Disposable {
  readonly #storage: ConnectionStorage;
  #transient: readonly Connection[];
  readonly #onDidChange = new Emitter<void>();
  readonly onDidChange = this.#onDidChange.event;
  #saved: readonly Connection[];

  /** @param transient connections of this session, such as the one that `npm start` hands over; never saved */
  constructor(deps: { storage: ConnectionStorage; log: Log; transient?: readonly Connection[] }) {
    this.#storage = deps.storage;
    this.#transient = deps.transient ?? [];
    this.#saved = readSaved(deps.storage, deps.log);
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
    if (this.#transient.some(({ id }) => id === connection.id)) {
      this.#transient = this.#transient.map((known) => (known.id === connection.id ? connection : known));
      this.#onDidChange.fire();
      return;
    }
    const known = this.#saved.some(({ id }) => id === connection.id);
    const next = known
      ? this.#saved.map((saved) => (saved.id === connection.id ? connection : saved))
      : [...this.#saved, connection];
    await this.#write(next);
  }

  async remove(id: string): Promise<void> {
    await this.#write(this.#saved.filter((connection) => connection.id !== id));
  }

  dispose(): void {
    this.#onDidChange.dispose();
  }

  async #write(connections: readonly Connection[]): Promise<void> {
    await this.#storage.write(connections);
    this.#saved = connections;
    this.#onDidChange.fire();
  }
}

/** A stored connection that cannot be read is left out and told of, so that the others keep working. */
function readSaved(storage: ConnectionStorage, log: Log): readonly Connection[] {
  const stored = storedSchema.safeParse(storage.read() ?? []);
  if (!stored.success) {
    log.error('connections', 'The saved connections could not be read');
    return [];
  }
  return stored.data.flatMap((entry) => {
    const connection = connectionSchema.safeParse(entry);
    if (!connection.success) {
      log.error('connections', 'A saved connection could not be read', { reason: connection.error.message });
      return [];
    }
    return [connection.data];
  });
}
