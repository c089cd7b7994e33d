import type { Clock } from '../../base/clock.ts';
import type { Log } from '../../base/log.ts';
import type { UserDirectories } from '../../connections/userDirectories.ts';
import type { Sessions } from '../../connections/sessions.ts';
import type { WriteAccessDeps } from '../../platform/ensureWritable.ts';
import type { ConnectionPickerDeps } from '../../platform/pickConnection.ts';
import type { TreeSelection } from '../../platform/treeSelection.ts';
import type { Operation } from '../../changes/model/operation.ts';
import type { OperationReport } from '../../changes/run/writeErrors.ts';
import type { RunOptions } from '../../changes/run/runOptions.ts';
import type { Writer } from '../../changes/run/writer.ts';

export interface ResourcesDeps extends ConnectionPickerDeps, WriteAccessDeps {
  readonly sessions: Sessions;
  readonly userDirectories: UserDirectories;
  readonly selection: TreeSelection;
  readonly clock: Clock;
  readonly log: Log;
  /**
   * Performs an operation that the user requested; all writes of this feature use it. Shows Review Changes first if
   * something would be lost or break. Returns the report; `undefined` if the user canceled.
   */
  readonly changeReview: {
    perform(operation: Operation, options?: RunOptions): Promise<OperationReport | undefined>;
  };
  readonly changeServices: () => Promise<{ readonly writer: Writer }>;
}
