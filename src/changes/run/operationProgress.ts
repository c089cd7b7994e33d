import type { JsonValue } from '../../base/json.ts';
import { getRefKey, type ResourceRef } from '../../catalog/resourceRef.ts';
import type { WriteKindLookup } from '../endpoints/writeKinds.ts';
import type { WriteState } from '../journal/entry.ts';
import type { Operation } from '../model/operation.ts';
import type { ReadDocument } from '../model/readDocument.ts';
import { isCompleteResponse } from './documentsAfter.ts';

interface ProgressInput {
  readonly operation: Operation;
  /** The documents from before the operation. */
  readonly before: readonly ReadDocument[];
  /** The states of its writes. They may change later. */
  readonly states: readonly WriteState[];
  readonly getWriteKind: WriteKindLookup;
}

/**
 * An operation that may have made some of its writes. The writes and the versions of one document are found without a
 * search: an operation may have thousands of writes and documents, and they are needed before and after each write.
 */
export class OperationProgress {
  readonly operation: Operation;
  readonly before: readonly ReadDocument[];
  readonly states: readonly WriteState[];
  readonly getWriteKind: WriteKindLookup;
  readonly #documents: ReadonlyMap<string, JsonValue | undefined>;
  readonly #indices: ReadonlyMap<string | undefined, readonly number[]>;

  constructor({ operation, before, states, getWriteKind }: ProgressInput) {
    this.operation = operation;
    this.before = before;
    this.states = states;
    this.getWriteKind = getWriteKind;
    this.#documents = new Map(before.map(({ ref, document }) => [getRefKey(ref), document]));
    const { writes } = operation;
    const keys = writes.map(({ target }) => (target === undefined ? undefined : getRefKey(target)));
    this.#indices = Map.groupBy(keys.keys(), (index) => keys[index]);
  }

  /** Returns a document from before the operation; `undefined` if it didn't exist, or wasn't read. */
  getOriginal(ref: ResourceRef): JsonValue | undefined {
    return this.#documents.get(getRefKey(ref));
  }

  /** Returns the indices of the writes with a target, in order. */
  getWritesTo(target: ResourceRef): readonly number[] {
    return this.#indices.get(getRefKey(target)) ?? [];
  }

  /** Returns the response of a write that is done, as far as there is one. */
  getResponse(index: number): JsonValue | undefined {
    const state = this.states[index];
    return state?.state === 'done' ? state.answer : undefined;
  }

  /** Returns the responses of all writes, by index. */
  getResponses(): readonly (JsonValue | undefined)[] {
    return this.states.map((_state, index) => this.getResponse(index));
  }

  /**
   * Returns a document right before a write: as the earlier writes left it, if a response shows it (see
   * `getDocumentsBefore`). Empty if it wasn't read.
   */
  getDocumentBefore(index: number, ref: ResourceRef): readonly ReadDocument[] {
    if (!this.#documents.has(getRefKey(ref))) {
      return [];
    }
    const original = this.getOriginal(ref);
    const last = this.getWritesTo(ref).findLast(
      (earlier) => earlier < index && isCompleteResponse(this.getResponse(earlier), original, ref),
    );
    return [{ ref, document: last === undefined ? original : this.getResponse(last) }];
  }
}
