import type * as vscode from 'vscode';
import type { Clock } from '../../base/clock.ts';
import type { Log } from '../../base/log.ts';
import type { ValueStorage } from '../../base/valueStorage.ts';
import type { ConnectionStore } from '../../connections/connectionStore.ts';
import type { Sessions } from '../../connections/sessions.ts';
import type { JsonTrees } from '../../json/text/jsonTrees.ts';
import type { Plan } from '../../changes/model/plan.ts';
import type { Write } from '../../changes/model/operation.ts';
import type { PlanNeededError, OperationReport } from '../../changes/run/problems.ts';
import type { ApprovalToken } from '../../changes/run/runOptions.ts';
import type { Writer } from '../../changes/run/writer.ts';

/** What documents are made from. */
export interface DocumentsDeps {
  readonly connections: ConnectionStore;
  readonly sessions: Sessions;
  /** The one way down for writes; loaded with the first of them. */
  readonly changeServices: () => Promise<{ readonly writer: Writer }>;
  /** Shows plans. */
  readonly performer: {
    review(
      needed: PlanNeededError,
      run: (approval: ApprovalToken) => Promise<OperationReport>,
    ): Promise<OperationReport | undefined>;
  };
  /** What else a save that renames something is to write, as the person wants it; `cancel` when they gave up. */
  readonly followUps: (plan: Plan) => Promise<readonly Write[] | 'cancel'>;
  /** Where is kept what unsaved text was made from. */
  readonly storageFolder: vscode.Uri;
  readonly ruleAliases: ValueStorage;
  /** Which files of the workspace are copies of which documents. */
  readonly documentLinks: ValueStorage;
  readonly jsonTrees: JsonTrees;
  readonly clock: Clock;
  readonly log: Log;
}
