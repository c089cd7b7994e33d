import type { PlatformClient } from '../../client/platformClient.ts';
import type { InstanceCatalog } from '../../catalog/instanceCatalog.ts';
import type { ResourceRef } from '../../catalog/resourceRef.ts';
import type { MovedId } from '../model/inverseWrites.ts';
import type { PlanHash } from './problems.ts';
import type { WriteState } from '../journal/entry.ts';
import type { Operation } from '../model/operation.ts';
import type { ReadDocument } from '../model/readDocument.ts';

/** A connection in use, as far as writing needs it. */
export interface WriteSession {
  readonly client: PlatformClient;
  readonly catalog: InstanceCatalog;
}

/** Lets one operation pass that deletes or breaks something; made by {@link Writer.permit}, good for one run. */
export interface ApprovalToken {
  readonly planHash: PlanHash;
}

/** The version of a document that a person started from. */
export interface Expected {
  readonly ref: ResourceRef;
  /** `hashDocument(ref.kind, document)` of that version. */
  readonly hash: string;
}

export interface RunOptions {
  readonly approval?: ApprovalToken | undefined;
  /** A person wants to see the plan first, however harmless it is. */
  readonly review?: boolean | undefined;
  /** Every document must still be as it was, or nothing is sent. */
  readonly expect?: readonly Expected[] | undefined;
  /**
   * What a person was asked about, harmless as it may be: when the writes would reach other documents by now, or these
   * as they no longer were, nothing is sent and the plan of today is needed.
   */
  readonly confirmed?: PlanHash | undefined;
  /** The entry that the operation takes back. */
  readonly undoes?: string | undefined;
  /** How often that was taken back when it was worked out how: when it was since, nothing is sent. */
  readonly timesBefore?: number | undefined;
  /** Where the operation that this one undoes has put temporary deny rules, or may have. */
  readonly denied?: readonly string[] | undefined;
  /** What comes back under another id, as `UndoOperation` tells it; the history remembers it. */
  readonly moved?: readonly MovedId[] | undefined;
  /** The operation is written down under this id, and nothing was sent yet. */
  readonly onBegin?: ((entryId: string) => void) | undefined;
  /** An answer was lost: the server is looked at to find out what happened. The argument is the write's index. */
  readonly onUnknown?: ((write: number) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
  /** A write of many rules has dealt with so many of them. */
  readonly onProgress?: ((progress: { readonly write: number; readonly done: number }) => void) | undefined;
  /** The server is busy and asks for a wait of so many milliseconds. */
  readonly onWait?: ((ms: number) => void) | undefined;
  /** Pause between two looks at the rules after a lost answer, in milliseconds. */
  readonly verifyDelayMs?: number | undefined;
}

/** What an execution starts from. */
export interface ExecutionFacts {
  readonly operation: Operation;
  /** The documents as they were before the operation. */
  readonly before: readonly ReadDocument[];
  readonly options: Pick<
    RunOptions,
    'onUnknown' | 'signal' | 'moved' | 'onProgress' | 'onWait' | 'verifyDelayMs'
  >;
  /** What became of the writes so far, where the operation is taken up again. */
  readonly states?: readonly WriteState[];
  /** Where temporary deny rules were put by an earlier attempt, or by the operation that this one undoes. */
  readonly denied?: readonly string[] | undefined;
  /** The rules that an earlier attempt was answered to have made. */
  readonly made?: readonly string[] | undefined;
}
