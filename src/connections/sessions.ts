import { type Disposable, DisposableStore } from '../base/disposable.ts';
import { Emitter } from '../base/event.ts';
import { PromiseCache } from '../base/promiseCache.ts';
import type { PlatformClient } from '../client/platformClient.ts';
import { getBaseConnectionId } from '../catalog/tenantConnection.ts';
import type { InstanceCatalog, CatalogChange } from '../catalog/instanceCatalog.ts';
import type { ViewpointListOptions } from './createCatalogSource.ts';
import { type Connection, hasSameAccess } from './connection.ts';
import type { ConnectionStore } from './connectionStore.ts';

/** A connection in use, with its client and the catalog of its instance. */
export interface Session {
  /** The connection as it is now: its name and its cube sets may change during a session. */
  readonly connection: Connection;
  readonly client: PlatformClient;
  readonly catalog: InstanceCatalog;
}

/** A session, and the number of running operations that must not be interrupted. */
interface OpenSession {
  readonly session: Session;
  /** The connection that the session was opened for. */
  readonly openedFor: Connection;
  useCount: number;
}

/** A change in the catalog of a connection's instance. */
export interface CatalogChangeEvent {
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
  readonly #listOptions: ViewpointListOptions;
  readonly #store = new DisposableStore();
  readonly #sessionCache = new PromiseCache<OpenSession>();
  readonly #onDidOpen = this.#store.add(new Emitter<string>());
  /** Fires with the ID of a connection when its session was opened. */
  readonly onDidOpen = this.#onDidOpen.event;
  readonly #onDidEnd = this.#store.add(new Emitter<string>());
  /** Fires with the ID of a connection when its session has ended. Data of that session must no longer be shown. */
  readonly onDidEnd = this.#onDidEnd.event;
  readonly #onDidChangeCatalog = this.#store.add(new Emitter<CatalogChangeEvent>());
  /** Fires when the catalog of an instance in use has changed. */
  readonly onDidChangeCatalog = this.#onDidChangeCatalog.event;
  readonly #openSessions = new Map<string, OpenSession>();
  /** Sessions that were replaced while they had running operations; they are closed after those. */
  readonly #replacedSessions = new Set<OpenSession>();
  /**
   * How often the session of each connection was ended. If the count changes while a session is opening, that session
   * is out of date.
   */
  readonly #endCounts = new Map<string, number>();

  /**
   * @param deps.connect finds the address of the connection (starting the sandbox if needed) and creates its client
   */
  constructor(
    deps: ViewpointListOptions & {
      connections: ConnectionStore;
      connect: (connection: Connection) => Promise<PlatformClient>;
    },
  ) {
    this.#connections = deps.connections;
    this.#connect = deps.connect;
    this.#listOptions = deps;
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
   * Runs an operation that must not be interrupted, such as writes: {@link renew} lets it finish.
   * @throws what {@link get} and `run` throw
   */
  async use<T>(connectionId: string, run: (session: Session) => Promise<T>): Promise<T> {
    const openSession = await this.#getOrOpen(connectionId);
    openSession.useCount += 1;
    try {
      return await run(openSession.session);
    } finally {
      openSession.useCount -= 1;
      if (this.#replacedSessions.has(openSession) && openSession.useCount === 0) {
        this.#close(openSession);
      }
      if (this.#openSessions.get(connectionId) !== openSession) {
        // Data that the new session has read meanwhile may predate the operation.
        this.peek(connectionId)?.catalog.invalidate({ kind: 'all' });
      }
    }
  }

  /**
   * The session of a connection, for background work; `undefined` if there is none and opening one would start the
   * sandbox.
   */
  async getWithoutStartingSandbox(connectionId: string): Promise<Session | undefined> {
    const session = this.peek(connectionId);
    return (
      session ??
      (this.#connections.find(connectionId)?.kind === 'sandbox' ? undefined : this.get(connectionId))
    );
  }

  /** The session of a connection if one is open; opens none. */
  peek(connectionId: string): Session | undefined {
    return this.#openSessions.get(connectionId)?.session;
  }

  /** Ends a session, and those of its tenants, and aborts everything in progress in them. */
  end(connectionId: string): void {
    this.#getTenantConnectionIds(connectionId).forEach((id) => this.#end(id));
    this.#end(connectionId);
  }

  #end(connectionId: string): void {
    const openSession = this.#openSessions.get(connectionId);
    const replacedSessions = [...this.#replacedSessions].filter(
      ({ session }) => session.connection.id === connectionId,
    );
    [...(openSession === undefined ? [] : [openSession]), ...replacedSessions].forEach((sessionToClose) =>
      this.#close(sessionToClose),
    );
    this.#forget(connectionId);
  }

  /**
   * Makes the next use of the connection open a new session, with the current address, token and settings. Operations
   * that {@link use} is running keep the old session until they finish.
   */
  renew(connectionId: string): void {
    this.#getTenantConnectionIds(connectionId).forEach((id) => this.#renew(id));
    this.#renew(connectionId);
  }

  #renew(connectionId: string): void {
    const openSession = this.#openSessions.get(connectionId);
    if (openSession === undefined || openSession.useCount === 0) {
      this.#end(connectionId);
      return;
    }
    openSession.session.catalog.dispose();
    this.#replacedSessions.add(openSession);
    this.#forget(connectionId);
  }

  /** Like {@link renew}, for all remote connections: the network settings have changed. */
  renewRemoteSessions(): void {
    for (const { session } of Array.from(this.#openSessions.values())) {
      if (session.connection.kind === 'remote') {
        this.renew(session.connection.id);
      }
    }
  }

  /** Discards a part of the contents of all instances in use, so that it is requested again. */
  invalidateAll(change: CatalogChange): void {
    for (const { session } of this.#openSessions.values()) {
      session.catalog.invalidate(change);
    }
  }

  dispose(): void {
    this.#store.dispose();
    for (const { session } of [...this.#openSessions.values(), ...this.#replacedSessions]) {
      this.end(session.connection.id);
    }
  }

  /** The IDs of the open connections that act on behalf of a tenant of this connection. */
  #getTenantConnectionIds(connectionId: string): readonly string[] {
    return [...this.#openSessions.values(), ...this.#replacedSessions]
      .map(({ openedFor }) => openedFor.id)
      .filter((id) => id !== connectionId && getBaseConnectionId(id) === connectionId);
  }

  #getOrOpen(connectionId: string): Promise<OpenSession> {
    return this.#sessionCache.get(connectionId, () => this.#connectCurrent(connectionId));
  }

  /** Connects, and again if the connection has changed meanwhile: it may be edited while its sandbox starts. */
  async #connectCurrent(connectionId: string): Promise<OpenSession> {
    const endCount = this.#endCounts.get(connectionId);
    for (;;) {
      const connection = this.#connections.find(connectionId);
      if (connection === undefined || this.#store.isDisposed) {
        throw new UnknownConnectionError(connectionId);
      }
      const [client, { createCatalog }] = await Promise.all([
        this.#connect(connection),
        import('./createCatalog.ts'),
      ]);
      const current = this.#connections.find(connectionId);
      if (endCount !== this.#endCounts.get(connectionId) && !this.#store.isDisposed) {
        // Another caller may have opened the valid session by now.
        client.dispose();
        return this.#getOrOpen(connectionId);
      }
      if (current !== undefined && hasSameAccess(current, connection) && !this.#store.isDisposed) {
        return this.#addSession(current, client, createCatalog(client, this.#listOptions));
      }
      client.dispose();
    }
  }

  #addSession(connection: Connection, client: PlatformClient, catalog: InstanceCatalog): OpenSession {
    const connectionId = connection.id;
    catalog.onDidChange((change) => this.#onDidChangeCatalog.fire({ connectionId, change }));
    const connections = this.#connections;
    const session: Session = {
      get connection() {
        return connections.find(connectionId) ?? connection;
      },
      client,
      catalog,
    };
    const openSession = { session, openedFor: connection, useCount: 0 };
    this.#openSessions.set(connectionId, openSession);
    this.#onDidOpen.fire(connectionId);
    return openSession;
  }

  #close(openSession: OpenSession): void {
    this.#replacedSessions.delete(openSession);
    openSession.session.catalog.dispose();
    openSession.session.client.dispose();
  }

  #forget(connectionId: string): void {
    this.#openSessions.delete(connectionId);
    this.#sessionCache.forget(connectionId);
    this.#endCounts.set(connectionId, (this.#endCounts.get(connectionId) ?? 0) + 1);
    this.#onDidEnd.fire(connectionId);
  }

  #endChanged(): void {
    for (const { openedFor } of [...this.#openSessions.values(), ...this.#replacedSessions]) {
      const current = this.#connections.find(openedFor.id);
      if (current === undefined || !hasSameAccess(current, openedFor)) {
        this.end(openedFor.id);
      }
    }
  }
}
