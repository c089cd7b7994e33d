import type { AutomaticRecoveryOptions, RecoveryResult } from '../changes/run/recovery.ts';
import type { Operation } from '../changes/model/operation.ts';
import type { OperationReport } from '../changes/run/writeErrors.ts';
import type { ExpectedVersion, RunOptions } from '../changes/run/runOptions.ts';
import type { DocumentRef } from './documentAddress.ts';
import type { ShownVersion } from './documentState.ts';
import type { SaveIntent } from './saveIntent.ts';

type RuleRef = Extract<DocumentRef, { kind: 'rule' }>;

/** Sends the writes of a save, after creating a plan and a history entry for them. */
export interface DocumentWriter {
  run(operation: Operation, options: RunOptions): Promise<OperationReport>;
  /**
   * Finishes or rolls back an operation that stopped halfway. Returns `undefined` if that has already been done.
   * @throws PlanNeededError if a review is asked for and needed; nothing was sent
   */
  recover(
    interrupted: { readonly connectionId: string; readonly entryId: string },
    options?: AutomaticRecoveryOptions,
  ): Promise<RecoveryResult | undefined>;
  /** Returns the versions of the documents that an operation left on the server; `undefined` if it did not complete. */
  getVersionsAfter(operation: {
    readonly connectionId: string;
    readonly entryId: string;
  }): Promise<readonly ExpectedVersion[] | undefined>;
}

/** The functions that a save needs from {@link RemoteDocuments}. */
export interface SaveHost {
  /** The user's decisions about this save. */
  readonly intent: SaveIntent;
  /** Whether the user reviews a change of rules or relations that may give someone access. */
  readonly reviewsGains: boolean;
  /** Returns the server's current version. Sends a request if the document was invalidated. */
  refresh(): Promise<ShownVersion>;
  /** Returns the current ID of a rule, which may have been restored or replaced under another ID. */
  readonly getCurrentRuleId: (rule: RuleRef) => string;
  /** Invalidates the cached response, so that the next {@link refresh} sends a request. */
  invalidate(): void;
  /** Makes the server's current version, the result of our own writes, the base of the user's text. */
  adoptOwnChanges(): Promise<void>;
  getWriter(): Promise<DocumentWriter>;
  /**
   * Called before anything is planned or sent.
   * @throws ConnectionLockedError if the connection must be unlocked first
   */
  assertUnlocked(): void;
  /**
   * Called before anything is planned or sent.
   * @param ignored.replacedNames the names that the save replaces: the review of the save lists what still uses them
   * @throws ErrorsFoundError if the user has to decide about other errors first
   */
  assertNoErrors(ignored: { readonly replacedNames: readonly string[] }): void;
  /** Called when the response to a write was lost, before it is verified. */
  onResponseLost(): void;
}
