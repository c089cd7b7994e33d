import type { Clock } from '../../base/clock.ts';
import type { Log } from '../../base/log.ts';
import type { ConnectionStore } from '../../connections/connectionStore.ts';
import type { CurrentConnection } from '../../connections/currentConnection.ts';
import type { WriteLocks } from '../../connections/writeLocks.ts';
import type { ActivePanels } from '../../platform/activePanels.ts';

/** The dependencies of the status bar item and the switching of the current connection. */
export interface CurrentConnectionDeps {
  readonly currentConnection: CurrentConnection;
  readonly connections: ConnectionStore;
  readonly locks: WriteLocks;
  readonly activePanels: ActivePanels;
  readonly clock: Clock;
  readonly log: Log;
}
