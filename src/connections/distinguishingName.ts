import { getBaseConnectionId } from '../catalog/tenantConnection.ts';
import type { ConnectionStore } from './connectionStore.ts';

/**
 * Returns the name of a connection if a text must say which connection it is about: if there are several, or if this
 * one acts on behalf of a tenant (`catalog/tenantConnection.ts`). Otherwise `undefined`.
 */
export function getDistinguishingName(
  connections: Pick<ConnectionStore, 'all' | 'find'>,
  connectionId: string,
): string | undefined {
  const isForTenant = getBaseConnectionId(connectionId) !== connectionId;
  return connections.all.length > 1 || isForTenant ? connections.find(connectionId)?.name : undefined;
}
