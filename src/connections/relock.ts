import type { Disposable } from '../base/disposable.ts';
import { hasSameAccess } from './connection.ts';
import type { ConnectionStore } from './connectionStore.ts';
import type { WriteLocks } from './writeLocks.ts';

/** Locks a connection when it is edited or removed: it was unlocked for the instance that it led to before. */
export function relockOnChange(connections: ConnectionStore, locks: WriteLocks): Disposable {
  let before = connections.all;
  return connections.onDidChange(() => {
    for (const was of before) {
      const now = connections.find(was.id);
      if (now === undefined || !hasSameAccess(was, now)) {
        locks.lock(was.id);
      }
    }
    before = connections.all;
  });
}
