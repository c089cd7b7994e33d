import type { PlatformClient } from '../../client/platformClient.ts';
import type { Log } from '../../base/log.ts';
import { type JsonObject, type JsonValue, isJsonObject } from '../../base/json.ts';
import { containsRef, getRefId, getRefKey, type ResourceRef, isSameRef } from '../../catalog/resourceRef.ts';
import type { WriteKindLookup } from '../endpoints/writeKinds.ts';
import type { ReadDocument } from '../model/readDocument.ts';
import type { WriteState } from '../journal/entry.ts';
import { DocumentReader } from '../model/documentReader.ts';
import { isPartOfReplacement } from '../model/liveRuleReplacement.ts';
import type { Operation, Write } from '../model/operation.ts';
import { asObject, getObjects, getText } from '../model/readJson.ts';
import { Documents } from '../model/snapshot.ts';
import type { WriteKind } from '../model/writeKind.ts';
import { hasSameForm } from './sameForm.ts';

/**
 * Returns the documents right before a write: as the earlier writes of the operation left them, if responses show it.
 */
export function getDocumentsBefore(
  index: number,
  { writes }: Operation,
  { before, states }: { readonly before: readonly ReadDocument[]; readonly states: readonly WriteState[] },
): readonly ReadDocument[] {
  const answers = writes.slice(0, index).flatMap(({ target }, earlierIndex) => {
    const state = states[earlierIndex];
    return target !== undefined && state?.state === 'done' && state.answer !== undefined
      ? [{ key: getRefKey(target), answer: state.answer }]
      : [];
  });
  // Grouped, since an operation may have thousands of writes and documents, and this runs for each write.
  const answersByKey = Map.groupBy(answers, ({ key }) => key);
  return before.map((documentBefore) => {
    const { ref, document } = documentBefore;
    const last = answersByKey
      .get(getRefKey(ref))
      ?.findLast(({ answer }) => isCompleteResponse(answer, document, ref));
    return last === undefined ? documentBefore : { ref, document: last.answer };
  });
}

/** Returns the IDs of what the writes before a write have created, changed, or deleted, or may have. */
export const getWrittenIds = (
  index: number,
  { writes }: Operation,
  states: readonly WriteState[],
): ReadonlySet<string> =>
  new Set(
    writes.slice(0, index).flatMap(({ target }, earlierIndex) => {
      const state = states[earlierIndex];
      const answer = state?.state === 'done' ? asObject(state.answer) : {};
      // For a creation, the target is the container.
      return state === undefined || state.state === 'waiting'
        ? []
        : getText(answer['oid']) || (target && getRefId(target)) || [];
    }),
  );

/** Returns the targets of an operation after its writes. Logs and omits those that can't be read. */
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
): Promise<readonly ReadDocument[]> {
  const reader = new DocumentReader(client);
  const documentsBefore = new Documents(before);
  const documents = new Map<string, ReadDocument>();
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
        reader,
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
    readonly reader: DocumentReader;
  },
): Promise<{ readonly document: JsonValue | undefined } | 'container'> {
  const { target, batch } = write;
  const { action, applyTo } = context.kind;
  if (target !== undefined && batch !== undefined) {
    return { document: await context.reader.readDocument(target) };
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
    : { document: await context.reader.readDocument(target) };
}

/**
 * Returns whether a response is the complete document: it has all members that the document had; for a rule, it has the
 * same ID, and its shares use no other party fields.
 */
export function isCompleteResponse(
  response: JsonValue | undefined,
  previous: JsonValue | undefined,
  { kind }: ResourceRef,
): boolean {
  return (
    isJsonObject(response) &&
    isJsonObject(previous) &&
    Object.keys(previous).every((name) => name in response) &&
    (kind !== 'rule' ||
      (response['_id'] === previous['_id'] &&
        getPartyFieldNames(previous).isSupersetOf(getPartyFieldNames(response))))
  );
}

/**
 * Returns whether a response shows a document as a request for the document would: with all its members, also the nested
 * ones, and in the same form. The response bodies of writes are not specified (rest-api.md, "What is not described").
 * @param previous an earlier version of the document
 */
export const showsDocument = (
  response: JsonValue | undefined,
  previous: JsonValue | undefined,
  ref: ResourceRef,
): boolean => isCompleteResponse(response, previous, ref) && hasSameForm(response, previous);

/**
 * Returns the names of the party fields that a rule uses: `party` when written, often `partyId` when read
 * (platform-facts.md, 3.1).
 */
const getPartyFieldNames = ({ shares }: JsonObject): ReadonlySet<string> =>
  new Set(getObjects(shares).flatMap((share) => ['party', 'partyId'].filter((name) => name in share)));
