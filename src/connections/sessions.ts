import { type Disposable, DisposableStore } from '../base/disposable.ts';
import { Emitter } from '../base/event.ts';
import { PromiseCache } from '../base/promiseCache.ts';
import type { PlatformClient } from '../client/platformClient.ts';
import { InstanceCatalog, type CatalogChange } from '../catalog/instanceCatalog.ts';
import { createCatalogSource } from './createCatalogSource.ts';
import { type Connection, hasSameAccess } from './connection.ts';
import type { ConnectionStore } from './connectionStore.ts';

/** A connection in use, with its client and the catalog of its instance. */
export interface Session {
  readonly connection: Connection;
  readonly client: PlatformClient;
  readonly catalog: InstanceCatalog;
}

/** A session, and the number of running operations that must not be interrupted. */
interface OpenSession {
  readonly session: Session;
  uses: number;
}

/** A change in the catalog of a connection's instance. */
export interface SessionChange {
  readonly connectionId: string;
  readonly change: CatalogChange;
}

/** The requested connection no longer exists. */
export class UnknownConnectionError extends Error {
  override readonly name = 'UnknownConnectionError';

  constructor(connectionId: string) {
    super(`There is no connection ${connectionId}`);
  }
}

/** The sessions of all connections, opened on first use and ended when their connection changes or is removed. */
export class Sessions implements Disposable {
  readonly #connections: ConnectionStore;
  readonly #connect: (connection: Connection) => Promise<PlatformClient>;
  readonly #pageSize: () => number;
  readonly #store = new DisposableStore();
  readonly #open = new PromiseCache<OpenSession>();
  readonly #onDidOpen = this.#store.add(new Emitter<string>());
  /** A session was opened; carries the ID of its connection. */
  readonly onDidOpen = this.#onDidOpen.event;
  readonly #onDidEnd = this.#store.add(new Emitter<string>());
  /** A session has ended; carries the ID of its connection. Data read through it must no longer be shown. */
  readonly onDidEnd = this.#onDidEnd.event;
  readonly #onDidChangeCatalog = this.#store.add(new Emitter<SessionChange>());
  /** The catalog of an instance in use has changed. */
  readonly onDidChangeCatalog = this.#onDidChangeCatalog.event;
  readonly #used = new Map<string, OpenSession>();
  /** Renewed sessions that still have running operations. */
  readonly #leaving = new Set<OpenSession>();
  /** How often the session of each connection was ended, to detect that one that is still opening is out of date. */
  readonly #ends = new Map<string, number>();

  /**
   * @param deps.connect finds the address of the connection (starting the sandbox if needed) and creates its client
   * @param deps.pageSize how many viewpoints are listed at once
   */
  constructor(deps: {
    connections: ConnectionStore;
    connect: (connection: Connection) => Promise<PlatformClient>;
    pageSize: () => number;
  }) {
    this.#connections = deps.connections;
    this.#connect = deps.connect;
    this.#pageSize = deps.pageSize;
    this.#store.add(deps.connections.onDidChange(() => this.#endChanged()));
  }

  /**
   * The session of a connection; sends no request of its own.
   * @throws UnknownConnectionError if the connection was removed, and whatever `connect` throws
   */
  async get(connectionId: string): Promise<Session> {
    return (await this.#getOrOpen(connectionId)).session;
  }

  /**
   * Runs an operation that must not be interrupted, such as writes: a {@link renew} meanwhile lets it finish.
   * @throws what {@link get} and `run` throw
   */
  async use<T>(connectionId: string, run: (session: Session) => Promise<T>): Promise<T> {
    const open = await this.#getOrOpen(connectionId);
    open.uses += 1;
    try {
      return await run(open.session);
    } finally {
      open.uses -= 1;
      if (this.#leaving.has(open) && open.uses === 0) {
        this.#close(open);
      }
      if (this.#used.get(connectionId) !== open) {
        // Data that the new session has read meanwhile may predate the operation.
        this.peek(connectionId)?.catalog.invalidate({ kind: 'all' });
      }
    }
  }

  /** The session of a connection, for background work; `undefined` if opening one would start the sandbox. */
  async getRunning(connectionId: string): Promise<Session | undefined> {
    const open = this.peek(connectionId);
    return (
      open ?? (this.#connections.find(connectionId)?.kind === 'sandbox' ? undefined : this.get(connectionId))
    );
  }

  /** The session of a connection if one is open; opens none. */
  peek(connectionId: string): Session | undefined {
    return this.#used.get(connectionId)?.session;
  }

  /** Ends a session and aborts everything in progress in it. */
  end(connectionId: string): void {
    const open = this.#used.get(connectionId);
    const leaving = [...this.#leaving].filter(({ session }) => session.connection.id === connectionId);
    [...(open === undefined ? [] : [open]), ...leaving].forEach((each) => this.#close(each));
    this.#forget(connectionId);
  }

  /**
   * Makes the next use read the address, the token and the settings again; operations run by {@link use} finish first.
   */
  renew(connectionId: string): void {
    const open = this.#used.get(connectionId);
    if (open === undefined || open.uses === 0) {
      this.end(connectionId);
      return;
    }
    open.session.catalog.dispose();
    this.#leaving.add(open);
    this.#forget(connectionId);
  }

  /** Like {@link renew}, for all remote connections: the network settings have changed. */
  renewRemote(): void {
    for (const { session } of Array.from(this.#used.values())) {
      if (session.connection.kind === 'remote') {
        this.renew(session.connection.id);
      }
    }
  }

  dispose(): void {
    this.#store.dispose();
    for (const { session } of [...this.#used.values(), ...this.#leaving]) {
      this.end(session.connection.id);
    }
  }

  #getOrOpen(connectionId: string): Promise<OpenSession> {
    return this.#open.get(connectionId, () => this.#connectCurrent(connectionId));
  }

  /** Connects, and again if the connection has changed meanwhile: it may be edited while its sandbox starts. */
  async #connectCurrent(connectionId: string): Promise<OpenSession> {
    const ends = this.#ends.get(connectionId);
    for (;;) {
      const connection = this.#connections.find(connectionId);
      if (connection === undefined || this.#store.isDisposed) {
        throw new UnknownConnectionError(connectionId);
      }
      const client = await this.#connect(connection);
      const now = this.#connections.find(connectionId);
      if (ends !== this.#ends.get(connectionId) && !this.#store.isDisposed) {
        // Another caller may have opened the valid session by now.
        client.dispose();
        return this.#getOrOpen(connectionId);
      }
      if (now !== undefined && hasSameAccess(now, connection) && !this.#store.isDisposed) {
        return this.#begin(now, client);
      }
      client.dispose();
    }
  }

  #begin(connection: Connection, client: PlatformClient): OpenSession {
    const connectionId = connection.id;
    const catalog = new InstanceCatalog(createCatalogSource(client, this.#pageSize));
    catalog.onDidChange((change) => this.#onDidChangeCatalog.fire({ connectionId, change }));
    const open = { session: { connection, client, catalog }, uses: 0 };
    this.#used.set(connectionId, open);
    this.#onDidOpen.fire(connectionId);
    return open;
  }

  #close(open: OpenSession): void {
    this.#leaving.delete(open);
    open.session.catalog.dispose();
    open.session.client.dispose();
  }

  #forget(connectionId: string): void {
    this.#used.delete(connectionId);
    this.#open.forget(connectionId);
    this.#ends.set(connectionId, (this.#ends.get(connectionId) ?? 0) + 1);
    this.#onDidEnd.fire(connectionId);
  }

  #endChanged(): void {
    for (const { session } of [...this.#used.values(), ...this.#leaving]) {
      const { connection } = session;
      const now = this.#connections.find(connection.id);
      if (now === undefined || !hasSameAccess(now, connection)) {
        this.end(connection.id);
      }
    }
  }
}
