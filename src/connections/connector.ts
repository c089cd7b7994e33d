import type { WriteGuard } from '../client/guard.ts';
import type { PlatformClient } from '../client/platformClient.ts';
import type { ExpressionCheckRequest, ExpressionCheckResult } from '../client/sandboxClient.ts';
import type { Transport } from '../client/transport.ts';
import type { Clock } from '../base/clock.ts';
import type { Log } from '../base/log.ts';
import { getBaseConnectionId } from '../catalog/tenantConnection.ts';
import type { Connection } from './connection.ts';
import type { TokenStore } from './tokenStore.ts';
import type { WriteLocks } from './writeLocks.ts';

/** Returns the address and the administrator's token of the embedded sandbox, starting it if needed. */
export type LocateSandbox = () => Promise<{ readonly url: string; readonly adminToken: string }>;

/** Limits for the requests of a connection to its instance. */
export interface RequestLimits {
  readonly timeoutMs: number;
  readonly concurrency: number;
}

/** Creates the client of a connection. The code of the client, including HTTP, is loaded on first use. */
export class Connector {
  readonly #tokens: TokenStore;
  readonly #locateSandbox: LocateSandbox;
  readonly #onSandboxLost: (url: string) => void;
  readonly #createTransport: () => Promise<Transport>;
  readonly #locks: WriteLocks;
  readonly #getConnectionName: (connection: Connection) => string;
  readonly #getLimits: () => RequestLimits;
  readonly #clock: Clock;
  readonly #log: Log;

  /** @param deps.onSandboxLost called when connections to an address that `locateSandbox` returned are refused */
  constructor(deps: {
    tokens: TokenStore;
    locateSandbox: LocateSandbox;
    onSandboxLost: (url: string) => void;
    createTransport: () => Promise<Transport>;
    locks: WriteLocks;
    /** The current name of a connection: it may be renamed during the lifetime of its client. */
    getConnectionName: (connection: Connection) => string;
    getLimits: () => RequestLimits;
    clock: Clock;
    log: Log;
  }) {
    this.#tokens = deps.tokens;
    this.#locateSandbox = deps.locateSandbox;
    this.#onSandboxLost = deps.onSandboxLost;
    this.#createTransport = deps.createTransport;
    this.#locks = deps.locks;
    this.#getConnectionName = deps.getConnectionName;
    this.#getLimits = deps.getLimits;
    this.#clock = deps.clock;
    this.#log = deps.log;
  }

  /**
   * Finds the address of the connection and creates its client; sends nothing to a remote instance.
   * @throws SandboxStartError if the connection is the sandbox and it does not start
   */
  async connect(connection: Connection): Promise<PlatformClient> {
    const baseUrl = await this.ensureAddress(connection);
    const { origin } = new URL(baseUrl);
    const [{ PlatformClient }, transport] = await Promise.all([
      import('../client/platformClient.ts'),
      connection.kind === 'sandbox' ? this.#createSandboxTransport(baseUrl) : this.#createTransport(),
    ]);
    return new PlatformClient({
      baseUrl,
      tokenSource: () => this.#tokens.get(getBaseConnectionId(connection.id), origin),
      transport,
      log: this.#log,
      clock: this.#clock,
      ...this.#getLimits(),
      guard: this.#createGuard(connection),
      ...(connection.tenantId ? { tenantId: connection.tenantId } : {}),
    });
  }

  #createGuard(connection: Connection): WriteGuard {
    const getName = () => this.#getConnectionName(connection);
    return {
      getRefusal: () => this.#locks.getRefusal(connection),
      get connection() {
        return { id: connection.id, name: getName() };
      },
    };
  }

  /**
   * Has the engine of a sandbox check an expression.
   * @throws SandboxStartError, SandboxCheckError
   */
  async checkExpression(
    connection: Connection,
    request: ExpressionCheckRequest,
    signal: AbortSignal,
  ): Promise<ExpressionCheckResult> {
    const baseUrl = await this.ensureAddress(connection);
    const { origin } = new URL(baseUrl);
    const [{ SandboxClient }, transport] = await Promise.all([
      import('../client/sandboxClient.ts'),
      this.#createTransport(),
    ]);
    try {
      const tokenSource = () => this.#tokens.get(getBaseConnectionId(connection.id), origin);
      return await new SandboxClient({ baseUrl, tokenSource, transport }).check(request, signal);
    } finally {
      transport.dispose();
    }
  }

  /** Creates the transport for a sandbox. The sandbox may belong to another window, and stops when that is closed. */
  async #createSandboxTransport(sandboxUrl: string): Promise<Transport> {
    const { withConnectionLossCallback } = await import('./withConnectionLossCallback.ts');
    return withConnectionLossCallback(await this.#createTransport(), () => this.#onSandboxLost(sandboxUrl));
  }

  /**
   * Returns the address of the connection. A sandbox is started if needed, and its token is stored.
   * @throws SandboxStartError if the connection is the sandbox and it does not start
   */
  async ensureAddress(connection: Connection): Promise<string> {
    if (connection.kind === 'remote') {
      return connection.url;
    }
    const { url, adminToken } = await this.#locateSandbox();
    await this.#tokens.set(getBaseConnectionId(connection.id), new URL(url).origin, adminToken);
    return url;
  }
}
