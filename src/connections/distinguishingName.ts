import { getBaseConnectionId } from '../catalog/tenantConnection.ts';
import type { ConnectionStore } from './connectionStore.ts';

/**
 * Returns the name of a connection for a text that could be about another one: if there are several, or if it acts on
 * behalf of a tenant (`catalog/tenantConnection.ts`). Otherwise `undefined`.
 */
export function getDistinguishingName(
  connections: Pick<ConnectionStore, 'all' | 'find'>,
  connectionId: string,
): string | undefined {
  const isForTenant = getBaseConnectionId(connectionId) !== connectionId;
  return connections.all.length > 1 || isForTenant ? connections.find(connectionId)?.name : undefined;
}
