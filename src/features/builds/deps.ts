import type { Clock } from '../../base/clock.ts';
import type { Log } from '../../base/log.ts';
import type { BuildMonitor } from '../../builds/buildMonitor.ts';
import type { ConnectionStore } from '../../connections/connectionStore.ts';
import type { CurrentConnection } from '../../connections/currentConnection.ts';
import type { Sessions } from '../../connections/sessions.ts';
import type { JsonTrees } from '../../json/text/jsonTrees.ts';

/** What the build commands and displays are made from. */
export interface BuildsDeps {
  readonly builds: BuildMonitor;
  /** Where this machine keeps what it knows of builds. */
  readonly buildsFolder: string;
  readonly sessions: Sessions;
  readonly connections: ConnectionStore;
  readonly current: CurrentConnection;
  readonly jsonTrees: JsonTrees;
  readonly clock: Clock;
  readonly log: Log;
}
