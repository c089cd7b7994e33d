import type { Clock } from '../../base/clock.ts';
import type { Log } from '../../base/log.ts';
import type { BuildMonitor } from '../../builds/buildMonitor.ts';
import type { UnfinishedChanges } from '../../changes/journal/requireFinished.ts';
import type { CurrentConnection } from '../../connections/currentConnection.ts';
import type { Sessions } from '../../connections/sessions.ts';
import type { JsonTrees } from '../../json/text/jsonTrees.ts';
import type { WriteAccessDeps } from '../../platform/ensureWritable.ts';
import type { ViewVisibility } from '../../platform/viewVisibility.ts';
import type { TreeSelection } from '../../platform/treeSelection.ts';

/** The dependencies of the build commands and displays. */
export interface BuildsDeps extends WriteAccessDeps {
  readonly buildMonitor: BuildMonitor;
  /** The folder on this machine that stores known builds and their history. */
  readonly buildsFolder: string;
  readonly sessions: Sessions;
  readonly changeServices: () => Promise<{ readonly history: UnfinishedChanges }>;
  readonly currentConnection: CurrentConnection;
  readonly jsonTrees: JsonTrees;
  readonly clock: Clock;
  readonly shownViews: ViewVisibility;
  readonly selection: TreeSelection;
  readonly log: Log;
}
