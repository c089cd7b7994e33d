import type * as vscode from 'vscode';
import type { Clock } from '../../base/clock.ts';
import type { Log } from '../../base/log.ts';
import type { ValueStorage } from '../../base/valueStorage.ts';
import type { UserDirectories } from '../../connections/userDirectories.ts';
import type { Sessions } from '../../connections/sessions.ts';
import type { JsonTrees } from '../../json/text/jsonTrees.ts';
import type { WriteAccessDeps } from '../../platform/ensureWritable.ts';
import type { Plan } from '../../changes/model/plan.ts';
import type { Write } from '../../changes/model/operation.ts';
import type { PlanNeededError, OperationReport } from '../../changes/run/writeErrors.ts';
import type { ApprovalToken } from '../../changes/run/runOptions.ts';
import type { SaveControl } from '../../documents/saveIntent.ts';
import type { Writer } from '../../changes/run/writer.ts';

/** The dependencies of the document file system and its commands. */
export interface DocumentsDeps extends WriteAccessDeps {
  readonly sessions: Sessions;
  /** Loads the services for changes. Everything that writes to a server uses the same writer. */
  readonly changeServices: () => Promise<{ readonly writer: Writer }>;
  /** Shows the plan of a change for review, and runs the change once the user has approved it. */
  readonly changeReview: {
    review(
      planNeededError: PlanNeededError,
      run: (approval: ApprovalToken, control: SaveControl) => Promise<OperationReport>,
    ): Promise<OperationReport | undefined>;
  };
  /** For a save that renames something, asks which references to update, and returns the writes that update them. */
  readonly planReferenceUpdates: (plan: Plan) => Promise<readonly Write[] | 'cancel'>;
  readonly userDirectories: Pick<UserDirectories, 'get'>;
  /** The folder for the bases of unsaved documents. */
  readonly storageFolder: vscode.Uri;
  /** Stores the current IDs of rules that were replaced, by the former IDs of these rules. */
  readonly ruleAliasStorage: ValueStorage;
  /** Stores the origins of workspace files: the documents that they are copies of. */
  readonly fileOriginStorage: ValueStorage;
  readonly jsonTrees: JsonTrees;
  readonly clock: Clock;
  readonly log: Log;
}
