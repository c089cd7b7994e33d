import type { Uri } from 'vscode';
import type { Clock } from '../../base/clock.ts';
import type { Log } from '../../base/log.ts';
import type { CurrentConnection } from '../../connections/currentConnection.ts';
import type { Operation } from '../../changes/model/operation.ts';
import type { RunOptions } from '../../changes/run/runOptions.ts';
import type { OperationReport } from '../../changes/run/writeErrors.ts';
import type { UserDirectories } from '../../connections/userDirectories.ts';
import type { Sessions } from '../../connections/sessions.ts';
import type { JsonTrees } from '../../json/text/jsonTrees.ts';
import type { FileCatalogs } from '../../platform/projects/fileCatalogs.ts';
import type { WriteAccessDeps } from '../../platform/ensureWritable.ts';

/** The dependencies of the forms. */
export interface FormsDeps extends WriteAccessDeps {
  readonly extensionUri: Uri;
  readonly currentConnection: CurrentConnection;
  readonly sessions: Sessions;
  /** The users and groups of each instance. */
  readonly userDirectories: UserDirectories;
  /** Stores the datamodels that the user picked for workspace files. */
  readonly pickedDatamodelStorage: { read(): unknown; write(value: unknown): void };
  readonly changeReview: {
    perform(operation: Operation, options?: RunOptions): Promise<OperationReport | undefined>;
  };
  readonly jsonTrees: JsonTrees;
  /** Loads the catalogs of the projects in the workspace. */
  readonly loadFileCatalogs: () => Promise<FileCatalogs>;
  readonly clock: Clock;
  readonly log: Log;
}
