import type { Log } from '../../base/log.ts';
import type { ConnectionStore } from '../../connections/connectionStore.ts';
import type { CurrentConnection } from '../../connections/currentConnection.ts';
import type { WriteLocks } from '../../connections/writeLocks.ts';

/** The dependencies of the status bar item and the switching of the current connection. */
export interface CurrentConnectionDeps {
  readonly current: CurrentConnection;
  readonly connections: ConnectionStore;
  readonly locks: WriteLocks;
  readonly log: Log;
}
