/**
 * The purpose of a connection. Writes are refused before they are sent if the connection is read-only, or a production
 * one that is not unlocked (decisions.md, "REST client"). Listed from the loosest to the strictest.
 */
export const connectionRoles = ['development', 'staging', 'production', 'read-only'] as const;
export type ConnectionRole = (typeof connectionRoles)[number];

/**
 * A cube set. The user adds it by name, since no endpoint lists cube sets. `server` is the term that its rules have in
 * place of a server (decisions.md, "REST client").
 */
export interface CubeSet {
  readonly name: string;
  readonly server: string;
}

interface ConnectionFields {
  readonly id: string;
  readonly name: string;
  readonly role: ConnectionRole;
  readonly cubeSets?: readonly CubeSet[] | undefined;
  /** The tenant on whose behalf viewpoints are read and changed (rest-api.md, "Viewpoint API"). */
  readonly tenantId?: string | undefined;
}

/** The patterns of the addresses that items have in the web interface (`webLinks.ts`). */
export interface WebLinks {
  readonly datamodel?: string | undefined;
  readonly viewpoint?: string | undefined;
}

/** A remote instance: its address is known and its token is in the secret storage. */
export interface RemoteConnection extends ConnectionFields {
  readonly kind: 'remote';
  readonly url: string;
  readonly webLinks?: WebLinks | undefined;
}

/** The embedded sandbox: its address is known once it runs. */
export interface SandboxConnection extends ConnectionFields {
  readonly kind: 'sandbox';
}

/** One saved connection, without secrets. */
export type Connection = RemoteConnection | SandboxConnection;

/** The connection to the embedded sandbox; there is only one, so its ID is fixed. */
export const sandboxConnectionId = 'sandbox';

/**
 * True if two versions of a connection reach the same instance with the same role; names, cube sets, and web links may
 * differ.
 */
export const hasSameAccess = (a: Connection, b: Connection): boolean => getAccessKey(a) === getAccessKey(b);

function getAccessKey(connection: Connection): string {
  const { id, kind, role, tenantId } = connection;
  const url = connection.kind === 'remote' ? connection.url : undefined;
  return JSON.stringify([id, kind, role, url, tenantId]);
}
