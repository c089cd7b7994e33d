import { sandboxConnectionId } from './connection.ts';
import type { InjectedSandbox } from './injectedSandbox.ts';
import type { TokenStore } from './tokenStore.ts';

/**
 * Keeps the tokens of sandboxes in memory: the embedded sandbox has its token in its data folder and a new address
 * after every start, and only this window knows the token of an injected sandbox. All other tokens are left to the
 * fallback store. The user may sign in to an injected sandbox with another token, or sign out.
 */
export class SandboxTokens implements TokenStore {
  readonly #fallback: TokenStore;
  readonly #injectedSandbox: InjectedSandbox | undefined;
  /** By connection; a sandbox has one address at a time. */
  readonly #tokens = new Map<string, { readonly origin: string; readonly token: string }>();

  constructor(fallback: TokenStore, injectedSandbox: InjectedSandbox | undefined) {
    this.#fallback = fallback;
    this.#injectedSandbox = injectedSandbox;
    if (injectedSandbox !== undefined) {
      const { connection, origin, token } = injectedSandbox;
      this.#tokens.set(connection.id, { origin, token });
    }
  }

  async get(connectionId: string, origin: string): Promise<string | undefined> {
    if (!this.#isSandbox(connectionId, origin)) {
      return this.#fallback.get(connectionId, origin);
    }
    const entry = this.#tokens.get(connectionId);
    return entry?.origin === origin ? entry.token : undefined;
  }

  async set(connectionId: string, origin: string, token: string): Promise<void> {
    if (this.#isSandbox(connectionId, origin)) {
      this.#tokens.set(connectionId, { origin, token });
    } else {
      await this.#fallback.set(connectionId, origin, token);
    }
  }

  async forget(connectionId: string, origin: string): Promise<void> {
    if (this.#isSandbox(connectionId, origin)) {
      this.#tokens.delete(connectionId);
    } else {
      await this.#fallback.forget(connectionId, origin);
    }
  }

  #isSandbox(connectionId: string, origin: string): boolean {
    const injected = this.#injectedSandbox;
    return (
      connectionId === sandboxConnectionId ||
      (injected?.connection.id === connectionId && injected.origin === origin)
    );
  }
}
