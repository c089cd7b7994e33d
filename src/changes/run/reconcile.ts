import type { PlatformClient } from '../../client/platformClient.ts';
import { jsonEquals } from '../../base/canonicalJson.ts';
import { type JsonValue, isJsonObject } from '../../base/json.ts';
import { type ResourceRef, containsRef, getRefKey, isSameRef } from '../../catalog/resourceRef.ts';
import { getWrittenTarget } from '../endpoints/verifyOutcome.ts';
import { loadWriteKind, loadWriteKinds } from '../endpoints/writeKinds.ts';
import type { ReadDocument } from '../model/readDocument.ts';
import { isServerManagedField } from '../../contract/serverManagedFields.ts';
import type { CreatedResource, WriteKind } from '../model/writeKind.ts';
import { type HistoryEntry, isInDoubt, isUnresolved, type WriteState } from '../journal/entry.ts';
import { createConflictError, findConflict, toExpectedVersion } from './conflicts.ts';
import { getDocumentsBefore, getWrittenIds, isCompleteResponse } from './documentsAfter.ts';
import { hashDocument } from '../model/documentHash.ts';
import type { DocumentReader, RepeatRead } from '../model/documentReader.ts';
import { resolveOutputs } from '../model/outputRefs.ts';
import type { Write } from '../model/operation.ts';
import type { ExpectedVersion } from './runOptions.ts';
import { isRefused } from './resultRecorder.ts';
import { UnverifiedError } from './writeErrors.ts';
import { isGroupedRuleWrite } from '../rules/ruleAction.ts';

/**
 * Determines the outcomes of the writes of an interrupted operation, as far as the server shows them.
 * @param options `willContinue`: the remaining writes will be sent, so that documents of writes that did not happen
 *   must be unchanged too; `verifiesFailed`: then those that have failed are verified as well; `repeat` reads an outcome,
 *   again if that fails for some reason
 * @throws ConflictError if another user has changed a document, so that the outcome of a write is unknown
 * @throws UnverifiedError if the outcome of a write that has failed is unknown, so that it must not be sent again
 * @throws ApiError
 */
export async function reconcile(
  entry: HistoryEntry,
  client: PlatformClient,
  {
    willContinue,
    verifiesFailed = false,
    repeat = (read) => read(),
  }: {
    readonly willContinue: boolean;
    readonly verifiesFailed?: boolean;
    readonly repeat?: RepeatRead;
  },
): Promise<readonly WriteState[]> {
  const states = [...entry.writes];
  // What has failed is verified before it's sent again, but nothing else does that for what won't be sent again.
  const isOpen = (state: WriteState | undefined): boolean =>
    willContinue
      ? isUnresolved(state?.state) || (verifiesFailed && state?.state === 'failed')
      : isInDoubt(state);
  for (const index of entry.operation.writes.keys()) {
    const write = resolveSentWrite(entry, states, index);
    if (!isOpen(states[index]) || write === undefined || isGroupedRuleWrite(write)) {
      // Rule changes are continued or undone based on the server's current rules.
      continue;
    }
    const kind = await loadWriteKind(write);
    const before = getDocumentsBeforeWrite(entry, states, index);
    const writtenIds = getWrittenIds(index, entry.operation, states);
    const hasFailed = states[index]?.state === 'failed';
    const context = { client, before, writtenIds, isRefused: hasFailed && isRefused(states[index]) };
    const outcome = await repeat(() => kind.verifyOutcome(write, context));
    if (outcome.state === 'happened') {
      const { response } = outcome;
      states[index] = {
        state: 'done',
        path: '',
        ms: 0,
        ...(response === undefined ? {} : { answer: response }),
      };
    } else if (willContinue || outcome.state === 'unknown') {
      const conflict = findConflict(outcome);
      if (conflict !== undefined) {
        throw conflict;
      }
      if (willContinue && hasFailed && outcome.state === 'unknown') {
        throw new UnverifiedError();
      }
    }
  }
  return states;
}

/** A completed write, its response, and the documents right before it. */
interface CompletedWrite {
  readonly write: Write;
  readonly kind: WriteKind;
  readonly response: JsonValue | undefined;
  readonly before: readonly ReadDocument[];
}

/**
 * Checks that the documents that an interrupted operation has changed or created are still as it left them.
 * @param states the states of its writes
 * @returns their versions, which must not change any more
 * @throws ConflictError if another user has changed one since
 * @throws ApiError
 */
export async function verifyUnchanged(
  entry: HistoryEntry,
  states: readonly WriteState[],
  reader: DocumentReader,
): Promise<readonly ExpectedVersion[]> {
  const getWriteKind = await loadWriteKinds(entry.operation.writes);
  const completedWrites = [...entry.operation.writes.keys()].flatMap((index): readonly CompletedWrite[] => {
    const [state, write] = [states[index], resolveSentWrite(entry, states, index)];
    return state?.state === 'done' && write !== undefined
      ? [
          {
            write,
            kind: getWriteKind(write),
            response: state.answer,
            before: getDocumentsBeforeWrite(entry, states, index),
          },
        ]
      : [];
  });
  const deletedRefs = completedWrites.flatMap(getDeletedRefs);
  const expected: ExpectedVersion[] = [];
  const checkDocument = async (
    ref: ResourceRef,
    isUnchanged: (current: JsonValue | undefined) => boolean,
  ): Promise<void> => {
    const current = { ref, document: await reader.readDocument(ref) };
    if (!isUnchanged(current.document)) {
      throw createConflictError(current);
    }
    expected.push(toExpectedVersion(current));
  };
  const isGone = (ref: ResourceRef): boolean =>
    deletedRefs.some((deletedRef) => containsRef(deletedRef, ref));
  const changed = new Map(
    completedWrites.flatMap((completed) =>
      getChangedRefs(completed).map((ref) => [getRefKey(ref), { ref, completed }]),
    ),
  );
  for (const { ref, completed } of changed.values()) {
    if (!isGone(ref)) {
      await checkDocument(ref, (current) => isUnchangedSinceWrite(completed, { ref, document: current }));
    }
  }
  const createdIds = new Set(
    completedWrites.flatMap(({ response }) => (isJsonObject(response) ? [response['oid'] ?? null] : [])),
  );
  for (const { ref, isUnchanged } of completedWrites.flatMap(getCreatedResources)) {
    if (!isGone(ref) && !changed.has(getRefKey(ref))) {
      await checkDocument(ref, (current) => isUnchanged(current, createdIds));
    }
  }
  return expected;
}

const getDocumentsBeforeWrite = (
  { operation, before }: HistoryEntry,
  states: readonly WriteState[],
  index: number,
): readonly ReadDocument[] =>
  getDocumentsBefore(index, operation, {
    before: before.map(({ ref, document }) => ({ ref, document })),
    states,
  });

/**
 * Returns a write with its output references resolved; `undefined` for a batch, or if a needed response is missing.
 */
function resolveSentWrite(
  { operation }: HistoryEntry,
  states: readonly WriteState[],
  index: number,
): Write | undefined {
  const write = operation.writes[index];
  const responses = states.map((state) => (state.state === 'done' ? state.answer : undefined));
  const isResolvable =
    write?.outputRefs?.every((outputRef) => responses[outputRef.write] !== undefined) ?? true;
  return write === undefined || write.batch !== undefined || !isResolvable
    ? undefined
    : resolveOutputs(write, responses);
}

const getCreatedResources = ({ write, kind, response }: CompletedWrite): readonly CreatedResource[] =>
  kind.getCreated?.(write, response) ?? [];

const getDeletedRefs = ({ write, kind }: CompletedWrite): readonly ResourceRef[] =>
  kind.action === 'delete' && write.target !== undefined ? [getWrittenTarget(write, write.target)] : [];

function getChangedRefs({ write, kind: { action }, before }: CompletedWrite): readonly ResourceRef[] {
  if (action === 'update-many' && write.target?.kind !== 'customDataObject') {
    return before.map(({ ref }) => ref).filter(({ kind }) => kind === 'customDataObject');
  }
  return write.target !== undefined && (action === 'update' || action === 'update-many')
    ? [write.target]
    : [];
}

/**
 * Returns whether a document is unchanged since a write: it equals the response, if that is complete; otherwise, it
 * matches the request and equals the document from before in all other members.
 */
function isUnchangedSinceWrite(
  { write, kind, response, before }: CompletedWrite,
  { ref, document: current }: ReadDocument,
): boolean {
  const previous = before.find((candidate) => isSameRef(candidate.ref, ref))?.document;
  if (!isJsonObject(previous) || !isJsonObject(current)) {
    return false;
  }
  const { applyTo, matchesRequest, getSentMembers } = kind;
  if (applyTo !== undefined) {
    return jsonEquals(current, applyTo(write, previous));
  }
  if (
    isCompleteResponse(response, previous, ref) &&
    hashDocument(ref.kind, response) === hashDocument(ref.kind, current)
  ) {
    return true;
  }
  const sentMembers = new Set(
    getSentMembers?.(write, previous) ?? (isJsonObject(write.body) ? Object.keys(write.body) : []),
  );
  return (
    matchesRequest?.(write, { current, previous }) === true &&
    jsonEquals(previous, current, (name) => sentMembers.has(name) || isServerManagedField(name))
  );
}
