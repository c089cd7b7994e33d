import type * as vscode from 'vscode';
import type { Log } from '../../base/log.ts';
import type { Sessions } from '../../connections/sessions.ts';
import type { WriteAccessDeps } from '../../platform/ensureWritable.ts';
import type { TreeSelection } from '../../platform/treeSelection.ts';
import type { SqlFile } from '../../changes/plan/rename/renameInFiles.ts';
import type { Operation } from '../../changes/model/operation.ts';
import type { RunOptions } from '../../changes/run/runOptions.ts';
import type { OperationReport } from '../../changes/run/writeErrors.ts';

/** An SQL file of the workspace, with the text in the editor if it is open. */
export interface WorkspaceSqlFile extends SqlFile {
  readonly uri: vscode.Uri;
}

/** A file that changes together with an operation, as Review Changes lists it. */
export interface ChangedFile {
  readonly name: string;
  readonly detail: string;
}

export interface RenameDeps extends WriteAccessDeps {
  readonly sessions: Sessions;
  /** The selected nodes, used by F2, since a keybinding passes no node. */
  readonly selection: TreeSelection;
  /**
   * Performs an operation that the user requested; shows Review Changes first if required, or if `alwaysReview` is set.
   */
  readonly changeReview: {
    /** Resolves to `undefined` if the user canceled. */
    perform(
      operation: Operation,
      options?: Pick<RunOptions, 'alwaysReview'>,
      files?: readonly ChangedFile[],
    ): Promise<OperationReport | undefined>;
  };
  /**
   * Finds the SQL files of the workspace that belong to a datamodel. `exceededLimit` is set if more files than this
   * have no datamodel of their own; those were not searched.
   */
  readonly findSqlFiles: (datamodel: {
    readonly connectionId: string;
    readonly datamodelId: string;
  }) => Promise<{ readonly files: readonly WorkspaceSqlFile[]; readonly exceededLimit?: number }>;
  readonly log: Log;
}
