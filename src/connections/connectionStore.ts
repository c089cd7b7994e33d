import type { Disposable } from '../base/disposable.ts';
import { Emitter } from '../base/event.ts';
import { isJsonObject } from '../base/json.ts';
import type { Log } from '../base/log.ts';
import { readTenantConnectionId } from '../catalog/tenantConnection.ts';
import { getAddress, withOneRolePerAddress } from './addressRoles.ts';
import type { Connection } from './connection.ts';
import { readConnection } from './readConnection.ts';

/** Persistent storage for connections: user-level storage, never a workspace (decisions.md, "Connections"). */
export interface ConnectionStorage {
  /** The value last written, in this window or another, unparsed; `undefined` if there is none. */
  read(): unknown;
  write(connections: readonly unknown[]): Promise<void>;
}

/**
 * The saved connections, and transient ones, which only this process has. Connections to one address have one role: the
 * strictest that any of them was saved with.
 */
export class ConnectionStore implements Disposable {
  readonly #storage: ConnectionStorage;
  readonly #onDidChange = new Emitter<void>();
  readonly onDidChange = this.#onDidChange.event;
  #transient: readonly Connection[];
  #all: readonly Connection[] = [];
  readonly #tenantConnections = new Map<
    string,
    { readonly base: Connection; readonly connection: Connection }
  >();

  /** @param deps.transient connections that are never saved, such as the one injected by `npm start` */
  constructor(deps: { storage: ConnectionStorage; log: Log; transient?: readonly Connection[] }) {
    this.#storage = deps.storage;
    this.#transient = deps.transient ?? [];
    logUnreadable(deps.storage.read(), deps.log);
    this.#update(readEntries(deps.storage.read()));
  }

  get all(): readonly Connection[] {
    return this.#all;
  }

  /** The saved connections, without transient ones. */
  get saved(): readonly Connection[] {
    return this.#all.slice(this.#transient.length);
  }

  /**
   * Finds a connection. One that acts on behalf of another tenant (`catalog/tenantConnection.ts`) is in no list: it is
   * derived from the saved connection, with an ID, a name, and a tenant of its own.
   */
  find(id: string): Connection | undefined {
    return this.all.find((connection) => connection.id === id) ?? this.#findForTenant(id);
  }

  /**
   * Adds the connection, or replaces the one with the same ID; a transient one is replaced but not saved. If its role
   * has changed, all connections to its address get that role; otherwise the strictest of their roles still applies.
   */
  async save(connection: Connection): Promise<void> {
    const { id } = connection;
    if (readTenantConnectionId(id) !== undefined) {
      throw new Error(`A connection for a tenant is not saved: ${id}`);
    }
    const isTransient = this.#transient.some((transient) => transient.id === id);
    const isRoleChange = (this.find(id) ?? connection).role !== connection.role;
    const transientConnections = this.#transient.map((transient) =>
      transient.id === id ? connection : isRoleChange ? copyRole(connection, transient) : transient,
    );
    await this.#write(transientConnections, (stored) => {
      const entries = stored.map((entry) =>
        getEntryId(entry) === id ? connection : isRoleChange ? copyRoleToEntry(connection, entry) : entry,
      );
      return isTransient || stored.some((entry) => getEntryId(entry) === id)
        ? entries
        : [...entries, connection];
    });
  }

  /** Removes the connection; a transient one reappears if the window is opened again. */
  async remove(id: string): Promise<void> {
    await this.#write(
      this.#transient.filter((transient) => transient.id !== id),
      (stored) => stored.filter((entry) => getEntryId(entry) !== id),
    );
  }

  /** Adopts the changes of other windows: a role that was made stricter there applies here too. */
  refresh(): void {
    const previous = this.#all;
    this.#update(readEntries(this.#storage.read()));
    if (!isSameList(previous, this.#all)) {
      this.#onDidChange.fire();
    }
  }

  dispose(): void {
    this.#onDidChange.dispose();
  }

  /**
   * Returns the connection of a tenant, which is derived from the saved one; the same object as long as that is
   * unchanged.
   */
  #findForTenant(id: string): Connection | undefined {
    const tenant = readTenantConnectionId(id);
    const base = this.all.find((connection) => connection.id === tenant?.baseId);
    if (tenant === undefined || base === undefined) {
      return undefined;
    }
    const cached = this.#tenantConnections.get(id);
    if (cached?.base === base) {
      return cached.connection;
    }
    const { tenantId } = tenant;
    const connection = { ...base, id, name: `${base.name} (${tenantId})`, tenantId };
    this.#tenantConnections.set(id, { base, connection });
    return connection;
  }

  /**
   * Changes what is stored now, not what this window last read: another window may have added connections, and an
   * unreadable one may belong to a newer version.
   */
  async #write(
    transientConnections: readonly Connection[],
    change: (stored: readonly unknown[]) => readonly unknown[],
  ): Promise<void> {
    const stored = readEntries(this.#storage.read());
    const next = change(stored);
    if (!isSameList(stored, next)) {
      await this.#storage.write(next);
    }
    this.#transient = transientConnections;
    this.#update(next);
    this.#onDidChange.fire();
  }

  /** Adopts the stored entries; an unchanged connection stays the same object. */
  #update(entries: readonly unknown[]): void {
    const connectionsByJson = new Map(
      this.#all.map((connection) => [JSON.stringify(connection), connection]),
    );
    const saved = entries.flatMap((entry) => tryReadConnection(entry) ?? []);
    this.#all = withOneRolePerAddress([...this.#transient, ...saved]).map(
      (connection) => connectionsByJson.get(JSON.stringify(connection)) ?? connection,
    );
  }
}

const isSameList = (a: readonly unknown[], b: readonly unknown[]): boolean =>
  a.length === b.length && a.every((item, index) => item === b[index]);

/**
 * Gives a connection the role of a saved one if both certainly lead to the same address: a connection that only may
 * lead to it keeps a stricter role.
 */
function copyRole(saved: Connection, other: Connection): Connection {
  const address = getAddress(saved);
  return address !== undefined && getAddress(other) === address && other.role !== saved.role
    ? { ...other, role: saved.role }
    : other;
}

/** Like {@link copyRole}, for a stored entry; fields that only a newer version knows are kept. */
function copyRoleToEntry(saved: Connection, entry: unknown): unknown {
  const connection = tryReadConnection(entry);
  return connection === undefined || !isJsonObject(entry) || copyRole(saved, connection) === connection
    ? entry
    : { ...entry, role: saved.role };
}

const readEntries = (stored: unknown): readonly unknown[] => (Array.isArray(stored) ? stored : []);

const getEntryId = (entry: unknown): unknown => (isJsonObject(entry) ? entry['id'] : undefined);

/** Returns `undefined` for an unreadable connection. */
function tryReadConnection(entry: unknown, onError?: (error: unknown) => void): Connection | undefined {
  try {
    return readConnection(entry);
  } catch (error) {
    onError?.(error);
    return undefined;
  }
}

/** An unreadable stored connection is skipped and logged, so that the others keep working. */
function logUnreadable(stored: unknown, log: Log): void {
  if (stored !== undefined && !Array.isArray(stored)) {
    log.error('connections', 'The saved connections could not be read');
  }
  for (const entry of readEntries(stored)) {
    tryReadConnection(entry, (error) => {
      log.error('connections', 'A saved connection could not be read', { reason: String(error) });
    });
  }
}
