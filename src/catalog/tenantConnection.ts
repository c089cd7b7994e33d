/** Separates the ID of a connection from the tenant. IDs of saved connections never contain it. */
const separator = '@tenant:';

/**
 * Returns the ID under which a connection acts on behalf of a tenant. Documents, sessions, and operations of that
 * tenant have this ID, so that none of them can be mistaken for one of another tenant.
 */
export const getTenantConnectionId = (connectionId: string, tenantId: string): string =>
  `${getBaseConnectionId(connectionId)}${separator}${tenantId}`;

/** Returns the ID of the saved connection, which has the address, the token, the lock, and the history. */
export const getBaseConnectionId = (connectionId: string): string =>
  readTenantConnectionId(connectionId)?.baseId ?? connectionId;

/** Returns the parts of an ID of {@link getTenantConnectionId}; `undefined` for a saved connection. */
export function readTenantConnectionId(
  connectionId: string,
): { readonly baseId: string; readonly tenantId: string } | undefined {
  const index = connectionId.indexOf(separator);
  const tenantId = connectionId.slice(index + separator.length);
  return index <= 0 || tenantId === '' ? undefined : { baseId: connectionId.slice(0, index), tenantId };
}

/** Returns whether a text can be the ID of a tenant: it is sent in a header. */
export const isTenantId = (text: string): boolean => /^[\x21-\x7e]+$/.test(text);
