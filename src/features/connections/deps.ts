import type { Clock } from '../../base/clock.ts';
import type { Log } from '../../base/log.ts';
import type { ConnectionStore } from '../../connections/connectionStore.ts';
import type { CurrentConnection } from '../../connections/currentConnection.ts';
import type { Sessions } from '../../connections/sessions.ts';
import type { TokenStore } from '../../connections/tokenStore.ts';
import type { WriteLocks } from '../../connections/writeLocks.ts';

/** The dependencies of the connection commands. */
export interface ConnectionsDeps {
  readonly connections: ConnectionStore;
  readonly currentConnection: CurrentConnection;
  readonly sessions: Sessions;
  readonly tokens: TokenStore;
  readonly locks: WriteLocks;
  /** Deletes the pins, tenants, imported memberships, and history of a connection; its token stays. */
  readonly forgetConnection: (connectionId: string) => Promise<void>;
  readonly clock: Clock;
  readonly log: Log;
}
