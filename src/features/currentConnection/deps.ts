import type { Log } from '../../base/log.ts';
import type { ConnectionStore } from '../../connections/connectionStore.ts';
import type { CurrentConnection } from '../../connections/currentConnection.ts';
import type { WriteLocks } from '../../connections/writeLocks.ts';

/** The dependencies for showing and switching the current connection. */
export interface CurrentConnectionDeps {
  readonly current: CurrentConnection;
  readonly connections: ConnectionStore;
  readonly locks: WriteLocks;
  readonly log: Log;
}
