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

/** The dependencies of documents. */
export interface DocumentsDeps {
  readonly connections: ConnectionStore;
  readonly sessions: Sessions;
  /** The only way to write; loaded with the first write. */
  readonly changeServices: () => Promise<{ readonly writer: Writer }>;
  /** Shows plans. */
  readonly performer: {
    review(
      needed: PlanNeededError,
      run: (approval: ApprovalToken) => Promise<OperationReport>,
    ): Promise<OperationReport | undefined>;
  };
  /** Returns the additional writes that the user chose for a save that renames something; `cancel` on cancel. */
  readonly followUps: (plan: Plan) => Promise<readonly Write[] | 'cancel'>;
  /** The folder that stores the bases of unsaved text. */
  readonly storageFolder: vscode.Uri;
  readonly ruleAliases: ValueStorage;
  /** The links from workspace files to the documents that they are copies of. */
  readonly documentLinks: ValueStorage;
  readonly jsonTrees: JsonTrees;
  readonly clock: Clock;
  readonly log: Log;
}
