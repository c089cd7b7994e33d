import type * as vscode from 'vscode';
import type { Clock } from '../../base/clock.ts';
import type { Log } from '../../base/log.ts';
import type { ValueStorage } from '../../base/valueStorage.ts';
import type { Directories } from '../../connections/directories.ts';
import type { MembershipStore } from '../../connections/membershipStore.ts';
import type { Sessions } from '../../connections/sessions.ts';
import type { ConnectionPickerDeps } from '../../platform/pickConnection.ts';
import type { Operation } from '../../changes/model/operation.ts';
import type { OperationReport } from '../../changes/run/problems.ts';
import type { RunOptions } from '../../changes/run/runOptions.ts';

/** What the access explorer and the matrix of rules are made from. */
export interface AccessFeatureDeps extends ConnectionPickerDeps {
  readonly sessions: Sessions;
  readonly directories: Directories;
  /** The membership lists that were imported. */
  readonly memberships: MembershipStore;
  readonly extensionUri: vscode.Uri;
  /** Carries out what a person asked for, with the plan in between; `undefined` when they gave up. */
  readonly performer: {
    perform(operation: Operation, options?: RunOptions): Promise<OperationReport | undefined>;
  };
  /** Where changes of rules are kept that were not applied yet. */
  readonly matrixDrafts: ValueStorage;
  readonly clock: Clock;
  readonly log: Log;
}
