import type { Connection } from './connection.ts';
import type { TokenStore } from './tokenStore.ts';

/** A sandbox that was started outside the editor, with its token. */
export interface HandedOver {
  readonly connection: Connection;
  readonly origin: string;
  readonly token: string;
}

const handedOverId = 'handed-over';

/** Whether a connection leads to a sandbox: the embedded one, or the one that was handed over. */
export const isSandbox = ({ kind, id }: Pick<Connection, 'kind' | 'id'>): boolean =>
  kind === 'sandbox' || id === handedOverId;

/**
 * The sandbox that `npm start` hands over by the environment of the process (design.md, section 13); never by a
 * workspace. `undefined` when there is none or its address is not on this machine.
 */
export function handedOverSandbox(
  environment: Readonly<Record<string, string | undefined>>,
  name: string,
): HandedOver | undefined {
  const url = environment['DATAMODEL_STUDIO_SANDBOX_URL'];
  const token = environment['DATAMODEL_STUDIO_SANDBOX_TOKEN'];
  if (!url || !token || !URL.canParse(url)) {
    return undefined;
  }
  const { hostname, origin } = new URL(url);
  if (hostname !== '127.0.0.1') {
    return undefined;
  }
  return {
    connection: { id: handedOverId, kind: 'remote', name, role: 'development', url },
    origin,
    token,
  };
}

/**
 * Answers the handed-over token for its connection and origin, and everything else from the store behind it. A person
 * may sign in with another token or out; like the connection itself, that is for this session and never stored.
 */
export class HandedOverTokens implements TokenStore {
  readonly #behind: TokenStore;
  readonly #handedOver: HandedOver | undefined;
  #token: string | undefined;

  constructor(behind: TokenStore, handedOver: HandedOver | undefined) {
    this.#behind = behind;
    this.#handedOver = handedOver;
    this.#token = handedOver?.token;
  }

  async get(connectionId: string, origin: string): Promise<string | undefined> {
    return this.#isOwn(connectionId, origin) ? this.#token : this.#behind.get(connectionId, origin);
  }

  async set(connectionId: string, origin: string, token: string): Promise<void> {
    if (this.#isOwn(connectionId, origin)) {
      this.#token = token;
    } else {
      await this.#behind.set(connectionId, origin, token);
    }
  }

  async forget(connectionId: string, origin: string): Promise<void> {
    if (this.#isOwn(connectionId, origin)) {
      this.#token = undefined;
    } else {
      await this.#behind.forget(connectionId, origin);
    }
  }

  #isOwn(connectionId: string, origin: string): boolean {
    const own = this.#handedOver;
    return own?.connection.id === connectionId && own.origin === origin;
  }
}
