import type { PlatformClient } from '../../client/platformClient.ts';
import type { InstanceCatalog } from '../../catalog/instanceCatalog.ts';
import type { ResourceRef } from '../../catalog/resourceRef.ts';
import type { TakeOverOptions } from '../journal/claimedError.ts';
import type { RestoredId } from '../model/undoWrites.ts';
import type { ReadDocument } from '../model/readDocument.ts';
import type { PlanHash } from './writeErrors.ts';
import type { WaitListener } from './writeRetryPolicy.ts';

/** The parts of a session that writing needs. */
export interface WriteSession {
  readonly client: PlatformClient;
  readonly catalog: InstanceCatalog;
}

/** Allows one run of an operation that needs a review; created by `Writer.approve` after the review. */
export interface ApprovalToken {
  readonly planHash: PlanHash;
}

/** The expected version of a document. */
export interface ExpectedVersion {
  readonly ref: ResourceRef;
  /** Its hash: `hashDocument(ref.kind, document)`. */
  readonly hash: string;
}

/** The progress of a rule change. */
interface RuleProgressReport {
  /** The index of a write. */
  readonly writeIndex: number;
  /** The number of its rules that were processed. */
  readonly done: number;
  /** The number of rules that are changed, for each write of the rule change. */
  readonly totals: ReadonlyMap<number, number>;
}

/** Options of a plan. */
export interface PlanOptions {
  /** False to plan changes of rules without checking that they have a safe order. */
  readonly checksRules?: boolean;
  /** The documents that the writes change, as they were before; by default, they are read from the server. */
  readonly before?: readonly ReadDocument[];
}

export interface RunOptions {
  readonly approval?: ApprovalToken | undefined;
  /** Requires a review of the plan even if it is harmless. */
  readonly alwaysReview?: boolean | undefined;
  /** Requires a review of the plan if someone gains access through rules or relations, or may gain it. */
  readonly reviewsGains?: boolean | undefined;
  /** Expected versions of documents: if one has changed, nothing is sent. */
  readonly expectedVersions?: readonly ExpectedVersion[] | undefined;
  /**
   * The hash of the plan that the user has confirmed: if the payload, the affected documents, or the effects in the
   * hash have changed since, nothing is sent and a new plan is needed, even if it is harmless.
   */
  readonly confirmedPlanHash?: PlanHash | undefined;
  /** The ID of the entry that the operation undoes. */
  readonly undoneEntryId?: string | undefined;
  /** For an undo: the names of what it doesn't restore, since it was changed later. Recorded in the history. */
  readonly keptNames?: readonly string[] | undefined;
  /** The number of undos of that entry when this one was computed: if there are more now, nothing is sent. */
  readonly undoCountBefore?: number | undefined;
  /** Scopes for which the undone operation created, or may have created, temporary deny rules. */
  readonly denyScopes?: readonly string[] | undefined;
  /** Items that are restored under another ID: see `UndoOperation`. Recorded in the history. */
  readonly restoredIds?: readonly RestoredId[] | undefined;
  /** Called when the operation is recorded under this ID, before anything is sent. */
  readonly onBegin?: ((entryId: string) => void) | undefined;
  /**
   * Called with the index of a write whose response was lost, when it is about to be verified on the server.
   */
  readonly onResponseLost?: ((writeIndex: number) => void) | undefined;
  /** Stops the run before its next request, also while it waits for its turn; a write in progress is completed. */
  readonly signal?: AbortSignal | undefined;
  /** Called with the progress of a rule change. */
  readonly onProgress?: ((progress: RuleProgressReport) => void) | undefined;
  /** Called with true while the run waits for another change of the same connection in this window, then with false. */
  readonly onQueued?: ((isQueued: boolean) => void) | undefined;
  /** Called when a wait begins, because the server is busy or has failed for a moment. */
  readonly onWait?: WaitListener | undefined;
  /** The pause between two checks of the rules after a lost response, in milliseconds. */
  readonly verifyDelayMs?: number | undefined;
}

/** Options of ending an operation without sending a write. */
export type AbandonOptions = Pick<RunOptions, 'signal' | 'onWait' | 'onQueued'> & TakeOverOptions;
