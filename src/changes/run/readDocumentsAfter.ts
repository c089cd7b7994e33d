import type { PlatformClient } from '../../client/platformClient.ts';
import type { Log } from '../../base/log.ts';
import { type JsonValue, isJsonObject } from '../../base/json.ts';
import { containsRef, getRefKey, type ResourceRef, isSameRef } from '../../catalog/resourceRef.ts';
import type { WriteKindLookup } from '../endpoints/writeKinds.ts';
import type { HistoryEntry, WriteState } from '../journal/entry.ts';
import { hashDocument } from '../model/documentHash.ts';
import { DocumentReader } from '../model/documentReader.ts';
import { isPartOfReplacement } from '../model/liveRuleReplacement.ts';
import type { Operation, Write } from '../model/operation.ts';
import type { ReadDocument } from '../model/readDocument.ts';
import { Documents } from '../model/snapshot.ts';
import type { WriteKind } from '../model/writeKind.ts';
import { showsDocument } from './documentsAfter.ts';
import { showsUpdates } from './documentsAfterUpdates.ts';
import { OperationProgress } from './operationProgress.ts';

/** A target after the writes of an operation. */
export interface DocumentAfter extends ReadDocument {
  /** It doesn't show what the operation has sent: others may have changed it since. */
  readonly isChanged?: boolean;
}

/**
 * Returns the hashes of documents as they are recorded. A changed document gets a hash that no document has, so that an
 * undo finds that it was changed.
 */
export const hashDocumentsAfter = (documents: readonly DocumentAfter[]): HistoryEntry['versionsAfter'] =>
  documents.map(({ ref, document, isChanged = false }) => ({
    ref,
    hash: isChanged ? 'changed' : hashDocument(ref.kind, document),
  }));

/**
 * Returns the targets of an operation after its writes: from complete responses, otherwise read from the server. Logs
 * and omits those that can't be read.
 */
export async function readDocumentsAfter(
  operation: Operation,
  {
    states,
    before,
    client,
    log,
    getWriteKind,
  }: {
    readonly states: readonly WriteState[];
    readonly before: readonly ReadDocument[];
    readonly client: PlatformClient;
    readonly log: Log;
    readonly getWriteKind: WriteKindLookup;
  },
): Promise<readonly DocumentAfter[]> {
  const reader = new DocumentReader(client);
  const documentsBefore = new Documents(before);
  const documents = new Map<string, DocumentAfter>();
  const progress = new OperationProgress({ operation, before, states, getWriteKind });
  const deletedRefs = operation.writes.flatMap((write, index) =>
    states[index]?.state === 'done' && write.target !== undefined && getWriteKind(write).action === 'delete'
      ? [write.target]
      : [],
  );
  for (const [index, write] of operation.writes.entries()) {
    const { target } = write;
    const state = states[index];
    if (target === undefined || state === undefined || state.state === 'waiting') {
      continue;
    }
    if (isPartOfReplacement(write) && getWriteKind(write).action === 'create') {
      const replacement = getReplacement(write, state);
      if (replacement !== undefined) {
        documents.set(getRefKey(replacement.ref), replacement);
      }
      continue;
    }
    if (deletedRefs.some((ref) => containsRef(ref, target) && !isSameRef(ref, target))) {
      documents.set(getRefKey(target), { ref: target, document: undefined });
      continue;
    }
    try {
      const after = await readDocumentAfter(write, state, {
        kind: getWriteKind(write),
        previous: documentsBefore.get(target),
        isOnlyWrite: operation.writes.every(
          (other, otherIndex) =>
            other === write ||
            getArea(other) !== getArea(write) ||
            changesOnlyOtherObject(other, target) ||
            hasCreatedOtherRule(other, states[otherIndex], target),
        ),
        readTarget: async () => {
          const read = { ref: target, document: await reader.readDocument(target) };
          return { ...read, isChanged: !showsUpdates(read, progress) };
        },
      });
      if (after !== 'container') {
        documents.set(getRefKey(target), { ref: target, ...after });
      }
    } catch (error) {
      // The outcome of the write is already recorded; only the resulting document is unknown.
      log.warn('writes', 'A document was not read after its write', { reason: String(error) });
    }
  }
  return [...documents.values()];
}

const getArea = ({ endpoint }: Write): string => endpoint.split('.')[0] ?? '';

/** Returns whether a write changes a single object of custom data that is not `object`. */
const changesOnlyOtherObject = ({ target }: Write, object: ResourceRef): boolean =>
  target?.kind === 'customDataObject' &&
  object.kind === 'customDataObject' &&
  target.objectId !== object.objectId;

/** Returns whether a write has created the replacement of a live rule under an ID other than that of `rule`. */
function hasCreatedOtherRule(write: Write, state: WriteState | undefined, rule: ResourceRef): boolean {
  const replacement =
    isPartOfReplacement(write) && state !== undefined ? getReplacement(write, state) : undefined;
  return replacement !== undefined && !isSameRef(replacement.ref, rule);
}

/** Returns the live rule that replaced another, from the response that created it. */
function getReplacement({ target }: Write, state: WriteState): ReadDocument | undefined {
  const [rule] = state.state === 'done' && Array.isArray(state.answer) ? (state.answer as JsonValue[]) : [];
  const ruleId = rule !== undefined && isJsonObject(rule) ? rule['_id'] : undefined;
  return target !== undefined && 'subject' in target && typeof ruleId === 'string'
    ? { ref: { kind: 'rule', subject: target.subject, ruleId }, document: rule }
    : undefined;
}

/** Returns the target after a write; `container` if the target only contains the changed document. */
async function readDocumentAfter(
  write: Write,
  state: WriteState,
  context: {
    readonly kind: WriteKind;
    readonly previous: JsonValue | undefined;
    /**
     * No other write of the operation can have changed the target. Any other rule write can: a server may overwrite a
     * rule in the same scope.
     */
    readonly isOnlyWrite: boolean;
    readonly readTarget: () => Promise<DocumentAfter>;
  },
): Promise<Omit<DocumentAfter, 'ref'> | 'container'> {
  const { target, batch } = write;
  const { action, applyTo } = context.kind;
  if (target !== undefined && batch !== undefined) {
    return context.readTarget();
  }
  if (target === undefined || action === 'create' || target.kind === 'customData') {
    return 'container';
  }
  const isDerivable = context.isOnlyWrite || (target.kind !== 'rule' && target.kind !== 'customDataObject');
  if (state.state === 'done' && action === 'delete' && isDerivable) {
    return { document: undefined };
  }
  const hasResponse = state.state === 'done' && state.answer !== undefined;
  if (hasResponse && applyTo !== undefined && isJsonObject(context.previous) && isDerivable) {
    // The response body is not specified (rest-api.md, "What is not described").
    return { document: applyTo(write, context.previous) };
  }
  return state.state === 'done' && showsDocument(state.answer, context.previous, target)
    ? { document: state.answer }
    : context.readTarget();
}
