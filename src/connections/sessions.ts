import { type Disposable, DisposableStore } from '../base/disposable.ts';
import { Emitter } from '../base/event.ts';
import { PromiseCache } from '../base/promiseCache.ts';
import type { PlatformClient } from '../api/platformClient.ts';
import { Catalog, type CatalogChange } from '../catalog/catalog.ts';
import { catalogSource } from './catalogSource.ts';
import { type Connection, sameAccess } from './connection.ts';
import type { ConnectionStore } from './connectionStore.ts';

/** A connection in use: its client and what is known of its instance. */
export interface Session {
  readonly connection: Connection;
  readonly client: PlatformClient;
  readonly catalog: Catalog;
}

/** A change in what is known of the instance of a connection. */
export interface SessionChange {
  readonly connectionId: string;
  readonly change: CatalogChange;
}

/** A connection was asked for that is no longer there. */
export class UnknownConnectionError extends Error {
  override readonly name = 'UnknownConnectionError';

  constructor(connectionId: string) {
    super(`There is no connection ${connectionId}`);
  }
}

/** The sessions of all connections, opened on first use and ended when their connection changes or goes. */
export class Sessions implements Disposable {
  readonly #connections: ConnectionStore;
  readonly #connect: (connection: Connection) => Promise<PlatformClient>;
  readonly #pageSize: () => number;
  readonly #store = new DisposableStore();
  readonly #open = new PromiseCache<Session>();
  readonly #onDidOpen = this.#store.add(new Emitter<string>());
  /** A session was opened; carries the id of its connection. */
  readonly onDidOpen = this.#onDidOpen.event;
  readonly #onDidEnd = this.#store.add(new Emitter<string>());
  /** A session has ended; carries the id of its connection. What was read through it is no longer to be shown. */
  readonly onDidEnd = this.#onDidEnd.event;
  readonly #onDidChangeCatalog = this.#store.add(new Emitter<SessionChange>());
  /** What is known of an instance in use has changed. */
  readonly onDidChangeCatalog = this.#onDidChangeCatalog.event;
  readonly #used = new Map<string, { connection: Connection; session: Session }>();

  /**
   * @param deps.connect finds the address of the connection (starting the sandbox if need be) and makes its client
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
   * The session of a connection; makes no request of its own.
   * @throws UnknownConnectionError when the connection was removed, and whatever `connect` throws
   */
  get(connectionId: string): Promise<Session> {
    return this.#open.get(connectionId, async () => {
      const { connection, client } = await this.#connectCurrent(connectionId);
      const catalog = new Catalog(catalogSource(client, this.#pageSize));
      catalog.onDidChange((change) => this.#onDidChangeCatalog.fire({ connectionId, change }));
      const session = { connection, client, catalog };
      this.#used.set(connectionId, { connection, session });
      this.#onDidOpen.fire(connectionId);
      return session;
    });
  }

  /** The session of a connection, for what nobody waits for; `undefined` where opening one would start the sandbox. */
  async getRunning(connectionId: string): Promise<Session | undefined> {
    const open = this.peek(connectionId);
    return (
      open ?? (this.#connections.find(connectionId)?.kind === 'sandbox' ? undefined : this.get(connectionId))
    );
  }

  /** The session of a connection where one is open; opens none. */
  peek(connectionId: string): Session | undefined {
    return this.#used.get(connectionId)?.session;
  }

  /** Ends a session, so that the next use finds the address and the token anew. */
  end(connectionId: string): void {
    const session = this.#used.get(connectionId)?.session;
    session?.catalog.dispose();
    session?.client.dispose();
    this.#used.delete(connectionId);
    this.#open.forget(connectionId);
    this.#onDidEnd.fire(connectionId);
  }

  dispose(): void {
    this.#store.dispose();
    for (const connectionId of this.#used.keys()) {
      this.end(connectionId);
    }
  }

  /** Connects as the connection is when that is done: it may be edited or removed while its sandbox starts. */
  async #connectCurrent(connectionId: string): Promise<{ connection: Connection; client: PlatformClient }> {
    for (;;) {
      const connection = this.#connections.find(connectionId);
      if (connection === undefined) {
        throw new UnknownConnectionError(connectionId);
      }
      const client = await this.#connect(connection);
      const now = this.#connections.find(connectionId);
      if (now !== undefined && sameAccess(now, connection) && !this.#store.isDisposed) {
        return { connection: now, client };
      }
      client.dispose();
      if (this.#store.isDisposed) {
        throw new UnknownConnectionError(connectionId);
      }
    }
  }

  #endChanged(): void {
    for (const [connectionId, { connection }] of this.#used) {
      const now = this.#connections.find(connectionId);
      if (now === undefined || !sameAccess(now, connection)) {
        this.end(connectionId);
      }
    }
  }
}
