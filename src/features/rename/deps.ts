import type { Log } from '../../base/log.ts';
import type { Sessions } from '../../connections/sessions.ts';
import type { WriteAccessDeps } from '../../platform/ensureWritable.ts';
import type { TreeSelection } from '../../platform/treeSelection.ts';
import type { Operation } from '../../changes/model/operation.ts';
import type { RunOptions } from '../../changes/run/runOptions.ts';
import type { OperationReport } from '../../changes/run/writeErrors.ts';

export interface RenameDeps extends WriteAccessDeps {
  readonly sessions: Sessions;
  /** The selected nodes, used by F2, since a keybinding passes no node. */
  readonly selection: TreeSelection;
  /**
   * Performs an operation that the user requested; shows Review Changes first if required, or if `alwaysReview` is set.
   */
  readonly performer: {
    /** Resolves to `undefined` if the user canceled. */
    perform(
      operation: Operation,
      options?: Pick<RunOptions, 'alwaysReview'>,
    ): Promise<OperationReport | undefined>;
  };
  readonly log: Log;
}
