import type { PlatformClient } from '../../client/platformClient.ts';
import type { InstanceCatalog } from '../../catalog/instanceCatalog.ts';
import type { ResourceRef } from '../../catalog/resourceRef.ts';
import type { MovedId } from '../model/inverseWrites.ts';
import type { PlanHash } from './problems.ts';

/** A connection in use, as far as writing needs it. */
export interface WriteSession {
  readonly client: PlatformClient;
  readonly catalog: InstanceCatalog;
}

/** Allows one operation that deletes or breaks something; created by {@link Writer.approve}, valid for one run. */
export interface ApprovalToken {
  readonly planHash: PlanHash;
}

/** The version of a document that the user started from. */
export interface Expected {
  readonly ref: ResourceRef;
  /** `hashDocument(ref.kind, document)` of that version. */
  readonly hash: string;
}

export interface RunOptions {
  readonly approval?: ApprovalToken | undefined;
  /** The user wants to review the plan first, however harmless it is. */
  readonly review?: boolean | undefined;
  /** Every document must be unchanged, or nothing is sent. */
  readonly expect?: readonly Expected[] | undefined;
  /**
   * The state that the user has confirmed, even if harmless: if the writes would now reach other documents, or the
   * documents have changed, nothing is sent and a current plan is needed.
   */
  readonly confirmed?: PlanHash | undefined;
  /** The entry that the operation undoes. */
  readonly undoes?: string | undefined;
  /** The number of its undos when this one was computed: if there have been more since, nothing is sent. */
  readonly timesBefore?: number | undefined;
  /** Spots where the operation that this one undoes has, or may have, created temporary deny rules. */
  readonly denied?: readonly string[] | undefined;
  /** Items that are restored under another ID, from `UndoOperation`; recorded in the history. */
  readonly moved?: readonly MovedId[] | undefined;
  /** Called when the operation is recorded under this ID, before anything is sent. */
  readonly onBegin?: ((entryId: string) => void) | undefined;
  /**
   * Called when a response was lost and the server is checked to find out what happened. The argument is the write's
   * index.
   */
  readonly onUnknown?: ((write: number) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Called with the number of rules that a write of many has processed. */
  readonly onProgress?: ((progress: { readonly write: number; readonly done: number }) => void) | undefined;
  /** Called when the server is busy and asks for a wait of so many milliseconds. */
  readonly onWait?: ((ms: number) => void) | undefined;
  /** The pause between two checks of the rules after a lost response, in milliseconds. */
  readonly verifyDelayMs?: number | undefined;
}
