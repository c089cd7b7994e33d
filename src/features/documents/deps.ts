import type { Clock } from '../../base/clock.ts';
import type { Log } from '../../base/log.ts';
import type { ConnectionStore } from '../../connections/connectionStore.ts';
import type { Sessions } from '../../connections/sessions.ts';

/** What documents are made from. */
export interface DocumentsDeps {
  readonly connections: ConnectionStore;
  readonly sessions: Sessions;
  readonly clock: Clock;
  readonly log: Log;
}
