import { type Connection, type ConnectionRole, connectionRoles } from './connection.ts';
import { formatAddress, getAddressKey } from '../base/addressKey.ts';

/** The address of a connection, normalized for comparison with others; `undefined` for the sandbox of this machine. */
export function getAddress(connection: Connection): string | undefined {
  if (connection.kind === 'sandbox') {
    return undefined;
  }
  const url = URL.parse(connection.url);
  return url === null ? connection.url : formatAddress(url);
}

/** Identifies the address of a connection, in any spelling ({@link getAddressKey}); `undefined` for the sandbox. */
const getConnectionAddressKey = (connection: Connection): string | undefined =>
  connection.kind === 'sandbox' ? undefined : getAddressKey(connection.url);

/** The connections to an address. */
export const findByAddress = (connections: readonly Connection[], url: string): readonly Connection[] =>
  connections.filter((connection) => getAddress(connection) === url);

/** The strictest of some roles. */
export const getStrictestRole = (roles: readonly ConnectionRole[]): ConnectionRole | undefined =>
  connectionRoles.findLast((role) => roles.includes(role));

/**
 * The connections with one role for each address: the strictest. Otherwise a second connection to a production instance
 * would bypass its lock (decisions.md, "Connections"). A connection that has this role already stays the same object.
 */
export function withOneRolePerAddress(connections: readonly Connection[]): readonly Connection[] {
  const rolesByKey = new Map<string, ConnectionRole[]>();
  for (const connection of connections) {
    const key = getConnectionAddressKey(connection);
    if (key !== undefined) {
      rolesByKey.set(key, [...(rolesByKey.get(key) ?? []), connection.role]);
    }
  }
  return connections.map((connection) => {
    const role = getStrictestRole(rolesByKey.get(getConnectionAddressKey(connection) ?? '') ?? []);
    return role === undefined || role === connection.role ? connection : { ...connection, role };
  });
}
