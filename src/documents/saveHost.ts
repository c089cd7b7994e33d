import type { RecoveryResult } from '../changes/run/recovery.ts';
import type { Operation } from '../changes/model/operation.ts';
import type { OperationReport } from '../changes/run/problems.ts';
import type { Expected, RunOptions } from '../changes/run/runOptions.ts';
import type { DocumentRef } from './documentAddress.ts';
import type { ShownVersion } from './documentState.ts';
import type { SaveIntent } from './saveIntent.ts';

type RuleRef = Extract<DocumentRef, { kind: 'rule' }>;

/** Sends the writes of a save, with a plan and a history entry before them. */
export interface DocumentWriter {
  run(operation: Operation, options: RunOptions): Promise<OperationReport>;
  /** Ends an operation that stopped halfway; returns `undefined` if someone has already done so. */
  recover(
    stopped: { readonly connectionId: string; readonly entryId: string },
    options?: Pick<RunOptions, 'onUnknown'>,
  ): Promise<RecoveryResult | undefined>;
  /** Returns the documents after a completed operation. */
  getVersionsLeftBy(of: {
    readonly connectionId: string;
    readonly entryId: string;
  }): Promise<readonly Expected[] | undefined>;
}

/** The functions that a save needs from the documents it belongs to. */
export interface SaveHost {
  /** The user's decisions about this save. */
  readonly intent: SaveIntent;
  /** Returns the server's current version, secrets included; asks the server if the document was invalidated. */
  refresh(): Promise<ShownVersion>;
  /** Returns the current ID of a rule. */
  readonly currentRule: (rule: RuleRef) => string;
  /** The next check asks the server. */
  invalidate(): void;
  /** The server's current version is the result of our own saves: the user's text is now based on it. */
  adoptOwnChanges(): Promise<void>;
  writer(): Promise<DocumentWriter>;
  onUnknown(): void;
}
