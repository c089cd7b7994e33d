import type * as vscode from 'vscode';
import type { Clock } from '../../base/clock.ts';
import type { Log } from '../../base/log.ts';
import type { ValueStorage } from '../../base/valueStorage.ts';
import type { UserDirectories } from '../../connections/userDirectories.ts';
import type { MembershipStore } from '../../connections/membershipStore.ts';
import type { Sessions } from '../../connections/sessions.ts';
import type { ActivePanels } from '../../platform/activePanels.ts';
import type { ConnectionPickerDeps } from '../../platform/pickConnection.ts';
import type { Operation } from '../../changes/model/operation.ts';
import type { FileCatalogs } from '../../platform/projects/fileCatalogs.ts';
import type { OperationReport } from '../../changes/run/writeErrors.ts';
import type { RunOptions } from '../../changes/run/runOptions.ts';
import type { MatrixDrafts } from './matrixDrafts.ts';

/** The dependencies of Effective Access, the rule matrix and the security check. */
export interface AccessFeatureDeps extends ConnectionPickerDeps {
  readonly sessions: Sessions;
  readonly userDirectories: UserDirectories;
  /** The imported membership lists. */
  readonly memberships: MembershipStore;
  readonly activePanels: ActivePanels;
  /** The projects of the workspace. */
  readonly loadFileCatalogs: () => Promise<FileCatalogs>;
  readonly extensionUri: vscode.Uri;
  /** Performs an operation after the user has reviewed its plan; `undefined` if the user canceled. */
  readonly changeReview: {
    perform(operation: Operation, options?: RunOptions): Promise<OperationReport | undefined>;
  };
  /** Stores the rule changes that were not applied yet. */
  readonly matrixDraftStorage: ValueStorage;
  /** Stores the accepted findings of security checks while no folder is open. */
  readonly securityBaselineStorage: ValueStorage;
  readonly clock: Clock;
  readonly log: Log;
}

/** The dependencies of the pages with rules: Effective Access and the rule matrix. */
export interface RulesPageDeps extends AccessFeatureDeps {
  readonly matrixDrafts: MatrixDrafts;
}
