import type { SecretStorage } from 'vscode';
import type { TokenStore } from '../connections/tokenStore.ts';

/** Stores API tokens in the editor's secret storage and nowhere else. */
export class SecretTokenStore implements TokenStore {
  readonly #secrets: SecretStorage;

  constructor(secrets: SecretStorage) {
    this.#secrets = secrets;
  }

  async get(connectionId: string, origin: string): Promise<string | undefined> {
    return this.#secrets.get(getSecretKey(connectionId, origin));
  }

  async set(connectionId: string, origin: string, token: string): Promise<void> {
    await this.#secrets.store(getSecretKey(connectionId, origin), token);
  }

  async forget(connectionId: string, origin: string): Promise<void> {
    await this.#secrets.delete(getSecretKey(connectionId, origin));
  }
}

const getSecretKey = (connectionId: string, origin: string): string =>
  `datamodelStudio.token:${connectionId}@${origin}`;
