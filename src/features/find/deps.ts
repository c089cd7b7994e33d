import type { Clock } from '../../base/clock.ts';
import type { Log } from '../../base/log.ts';
import type { ConnectionStore } from '../../connections/connectionStore.ts';
import type { CurrentConnection } from '../../connections/currentConnection.ts';
import type { Sessions } from '../../connections/sessions.ts';
import type { JsonTrees } from '../../json/text/jsonTrees.ts';

/** The dependencies of the search. */
export interface FindDeps {
  readonly connections: ConnectionStore;
  readonly currentConnection: CurrentConnection;
  readonly sessions: Sessions;
  readonly jsonTrees: JsonTrees;
  readonly clock: Clock;
  readonly log: Log;
}
