/**
 * Storage for API tokens. The key contains the origin, so that a token never reaches another server when the address of
 * a connection changes (decisions.md, "Connections").
 */
export interface TokenStore {
  /** The token, or `undefined` if the connection is signed out. */
  get(connectionId: string, origin: string): Promise<string | undefined>;
  set(connectionId: string, origin: string, token: string): Promise<void>;
  forget(connectionId: string, origin: string): Promise<void>;
}
