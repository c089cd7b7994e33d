import type * as vscode from 'vscode';
import type { Clock } from '../../base/clock.ts';
import type { Log } from '../../base/log.ts';
import type { UserDirectories } from '../../connections/userDirectories.ts';
import type { Sessions } from '../../connections/sessions.ts';
import type { HistoryTarget } from '../../contributions.ts';
import type { History } from '../../changes/journal/history.ts';
import type { ActivePanels } from '../../platform/activePanels.ts';
import type { WriteAccessDeps } from '../../platform/ensureWritable.ts';
import type { ConnectionPickerDeps } from '../../platform/pickConnection.ts';
import type { Operation } from '../../changes/model/operation.ts';
import type { OperationReport } from '../../changes/run/writeErrors.ts';
import type { RunOptions } from '../../changes/run/runOptions.ts';
import type { PlannedAccess } from '../../changes/model/plan.ts';
import type { AccessChangesView, PlanSection, PlanView } from '../../webviews/protocol/planPage.ts';
import type { Writer } from '../../changes/run/writer.ts';

/** The dependencies of bulk rule changes. */
export interface BulkRulesDeps extends ConnectionPickerDeps, WriteAccessDeps {
  readonly sessions: Sessions;
  readonly userDirectories: UserDirectories;
  /** Performs an operation, after the user has reviewed its plan if necessary; `undefined` if the user canceled. */
  readonly changeReview: {
    perform(operation: Operation, options?: RunOptions): Promise<OperationReport | undefined>;
    /** Describes who gains and who loses access, as Review Changes does. */
    describeAccess(access: PlannedAccess): Promise<AccessChangesView>;
    /** Shows the plan of several operations on one page, runs them once the user confirms, and shows the result. */
    reviewOperations(request: {
      readonly title: string;
      readonly applyLabel: string;
      readonly operation: Operation;
      readonly unchangedSections: readonly PlanSection[];
      readonly run: () => Promise<Pick<PlanView, 'summary' | 'tone' | 'sections'>>;
    }): Promise<void>;
  };
  /** Offers to finish a stopped change, or to roll it back, unless that has been done. */
  readonly remindOfStoppedChange: (target: HistoryTarget) => Promise<void>;
  readonly changeServices: () => Promise<{ readonly history: History; readonly writer: Writer }>;
  readonly activePanels: ActivePanels;
  readonly extensionUri: vscode.Uri;
  readonly clock: Clock;
  readonly log: Log;
}
