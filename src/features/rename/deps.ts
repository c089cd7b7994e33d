import type { Log } from '../../base/log.ts';
import type { Sessions } from '../../connections/sessions.ts';
import type { TreeSelection } from '../../platform/treeSelection.ts';
import type { Operation } from '../../changes/model/operation.ts';
import type { OperationReport } from '../../changes/run/problems.ts';

export interface RenameDeps {
  readonly sessions: Sessions;
  /** The target of F2: a key passes no node. */
  readonly selection: TreeSelection;
  /** Performs an operation that the user requested, with the plan in between where one is needed. */
  readonly performer: {
    /** `undefined` when the user canceled. */
    perform(operation: Operation): Promise<OperationReport | undefined>;
  };
  readonly log: Log;
}
