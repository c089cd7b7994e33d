import type { Disposable } from '../base/disposable.ts';
import { hasSameAccess } from './connection.ts';
import type { ConnectionStore } from './connectionStore.ts';
import type { WriteLocks } from './writeLocks.ts';

/**
 * Locks a connection when its address, tenant or role changes, and when it is removed: it was unlocked for the instance
 * that it led to before.
 */
export function relockOnChange(connections: ConnectionStore, locks: WriteLocks): Disposable {
  let previousConnections = connections.all;
  return connections.onDidChange(() => {
    for (const previous of previousConnections) {
      const current = connections.find(previous.id);
      if (current === undefined || !hasSameAccess(previous, current)) {
        locks.lock(previous.id);
      }
    }
    previousConnections = connections.all;
  });
}
