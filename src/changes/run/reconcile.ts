import type { PlatformClient } from '../../client/platformClient.ts';
import { jsonEquals } from '../../base/canonicalJson.ts';
import { type JsonValue, isJsonObject } from '../../base/json.ts';
import { type ResourceRef, getRefKey, isSameRef } from '../../catalog/resourceRef.ts';
import { getOwnTarget } from '../endpoints/verifyOutcome.ts';
import { loadWriteKind, loadWriteKinds } from '../endpoints/writeKinds.ts';
import type { ReadDocument } from '../model/readDocument.ts';
import { isServerManagedField } from '../../contract/serverManagedFields.ts';
import type { CreatedResource, WriteKind } from '../model/writeKind.ts';
import type { HistoryEntry, WriteState } from '../journal/entry.ts';
import { createConflict, toExpected } from './conflicts.ts';
import { getDocumentsBefore, isCompleteAnswer } from './documentsAfter.ts';
import { hashDocument } from '../model/documentHash.ts';
import { DocumentReader } from '../model/documentReader.ts';
import { resolveOutputs } from '../model/outputRefs.ts';
import type { Write } from '../model/operation.ts';
import type { Expected } from './runOptions.ts';
import { isRuleChangeWrite } from '../rules/ruleAction.ts';

/**
 * Determines the outcomes of the writes of an interrupted operation, as far as the server shows them.
 * @param options `willContinue`: the remaining writes will be sent, so that documents of writes that did not happen
 *   must be unchanged too
 * @throws ConflictError if another user has changed a document, so that the outcome of a write is unknown
 * @throws ApiError
 */
export async function reconcile(
  entry: HistoryEntry,
  client: PlatformClient,
  { goesOn }: { readonly goesOn: boolean },
): Promise<readonly WriteState[]> {
  const states = [...entry.writes];
  for (const index of entry.operation.writes.keys()) {
    const state = states[index]?.state;
    const write = toSentWrite(entry, states, index);
    if ((state !== 'sending' && state !== 'unknown') || write === undefined || isRuleChangeWrite(write)) {
      // Rule changes are continued or undone based on the server's current rules.
      continue;
    }
    const kind = await loadWriteKind(write);
    const settled = await kind.verifyOutcome(write, {
      client,
      before: getDocumentsBeforeWrite(entry, states, index),
    });
    if (settled.state === 'happened') {
      const { answer } = settled;
      states[index] = { state: 'done', path: '', ms: 0, ...(answer === undefined ? {} : { answer }) };
    } else if (settled.changed !== undefined && (goesOn || settled.state === 'unknown')) {
      throw createConflict(settled.changed);
    }
  }
  return states;
}

/** A completed write, its response, and the documents right before it. */
interface CompletedWrite {
  readonly write: Write;
  readonly kind: WriteKind;
  readonly answer: JsonValue | undefined;
  readonly before: readonly ReadDocument[];
}

/**
 * Checks that the documents that an interrupted operation has changed or created are still as it left them.
 * @param states the states of its writes
 * @returns the expectation that they stay so
 * @throws ConflictError if another user has changed one since
 * @throws ApiError
 */
export async function verifyUnchanged(
  entry: HistoryEntry,
  states: readonly WriteState[],
  client: PlatformClient,
): Promise<readonly Expected[]> {
  const getWriteKind = await loadWriteKinds(entry.operation.writes);
  const reader = new DocumentReader(client);
  const all = [...entry.operation.writes.keys()].flatMap((index): readonly CompletedWrite[] => {
    const [state, write] = [states[index], toSentWrite(entry, states, index)];
    return state?.state === 'done' && write !== undefined
      ? [
          {
            write,
            kind: getWriteKind(write),
            answer: state.answer,
            before: getDocumentsBeforeWrite(entry, states, index),
          },
        ]
      : [];
  });
  const deletedRefs = all.flatMap(getDeletedRefs);
  const expected: Expected[] = [];
  const look = async (ref: ResourceRef, isAsLeft: (now: JsonValue | undefined) => boolean): Promise<void> => {
    const now = { ref, document: await reader.document(ref) };
    if (!isAsLeft(now.document)) {
      throw createConflict(now);
    }
    expected.push(toExpected(now));
  };
  const isGone = (ref: ResourceRef): boolean => deletedRefs.some((other) => isWithin(ref, other));
  const changed = new Map(
    all.flatMap((done) => getChangedRefs(done).map((ref) => [getRefKey(ref), { ref, done }])),
  );
  for (const { ref, done } of changed.values()) {
    if (!isGone(ref)) {
      await look(ref, (now) => isAsLeft(done, { ref, document: now }));
    }
  }
  const own = new Set(all.flatMap(({ answer }) => (isJsonObject(answer) ? [answer['oid'] ?? null] : [])));
  for (const { ref, isUnchanged } of all.flatMap(getCreatedResources)) {
    if (!isGone(ref) && !changed.has(getRefKey(ref))) {
      await look(ref, (now) => isUnchanged(now, own));
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
function toSentWrite(
  { operation }: HistoryEntry,
  states: readonly WriteState[],
  index: number,
): Write | undefined {
  const write = operation.writes[index];
  const answers = states.map((state) => (state.state === 'done' ? state.answer : undefined));
  const isKnown = write?.made?.every((made) => answers[made.write] !== undefined) ?? true;
  return write === undefined || write.batch !== undefined || !isKnown
    ? undefined
    : resolveOutputs(write, answers);
}

const getCreatedResources = ({ write, kind, answer }: CompletedWrite): readonly CreatedResource[] =>
  kind.getCreated?.(write, answer) ?? [];

const getDeletedRefs = ({ write, kind }: CompletedWrite): readonly ResourceRef[] =>
  kind.action === 'delete' && write.target !== undefined ? [getOwnTarget(write, write.target)] : [];

/** Returns whether a document is a deleted one, or was deleted with it. */
const isWithin = (ref: ResourceRef, deletedRefs: ResourceRef): boolean =>
  isSameRef(ref, deletedRefs) ||
  ('datamodelId' in deletedRefs &&
    Object.entries(deletedRefs).every(([name, id]) => name === 'kind' || Reflect.get(ref, name) === id));

function getChangedRefs({ write, kind: { action }, before }: CompletedWrite): readonly ResourceRef[] {
  if (action === 'update-many') {
    return before.map(({ ref }) => ref).filter(({ kind }) => kind === 'customDataObject');
  }
  return write.target === undefined || action !== 'update' ? [] : [write.target];
}

/**
 * Returns whether a document is as a write left it: it equals the response, if that is complete; otherwise, it matches
 * the request and equals the document from before in all other members.
 */
function isAsLeft(
  { write, kind, answer, before }: CompletedWrite,
  { ref, document: now }: ReadDocument,
): boolean {
  const old = before.find((one) => isSameRef(one.ref, ref))?.document;
  if (!isJsonObject(old) || !isJsonObject(now)) {
    return false;
  }
  const { applyTo, matchesRequest, getSentMembers } = kind;
  if (applyTo !== undefined) {
    return jsonEquals(now, applyTo(write, old));
  }
  if (isCompleteAnswer(answer, old, ref) && hashDocument(ref.kind, answer) === hashDocument(ref.kind, now)) {
    return true;
  }
  const own = new Set(
    getSentMembers?.(write, old) ?? (isJsonObject(write.body) ? Object.keys(write.body) : []),
  );
  return (
    matchesRequest?.(write, { now, old }) === true &&
    jsonEquals(old, now, (name) => own.has(name) || isServerManagedField(name))
  );
}
