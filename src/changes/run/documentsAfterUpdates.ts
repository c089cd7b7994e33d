import { jsonEquals } from '../../base/canonicalJson.ts';
import { type JsonObject, type JsonValue, isJsonObject } from '../../base/json.ts';
import { type ResourceRef, isSameRef } from '../../catalog/resourceRef.ts';
import type { PlatformClient } from '../../client/platformClient.ts';
import { isServerManagedField } from '../../contract/serverManagedFields.ts';
import type { WriteKindLookup } from '../endpoints/writeKinds.ts';
import { getWrittenObjectId } from '../journal/undoCustomData.ts';
import type { Write } from '../model/operation.ts';
import { resolveKnownOutputs } from '../model/outputRefs.ts';
import type { ReadDocument } from '../model/readDocument.ts';
import { asObject, omitMembers } from '../model/jsonMembers.ts';
import type { VerifyContext, Versions } from '../model/writeKind.ts';
import type { WriteOutcome } from '../model/writeOutcome.ts';
import { changesCustomData, needsTargetCheck } from './changedTarget.ts';
import { getDocumentsBefore, getWrittenIds, getWrittenRules, showsDocument } from './documentsAfter.ts';
import type { OperationProgress } from './operationProgress.ts';
import { isRefused } from './resultRecorder.ts';

/**
 * Checks on the server whether a write has happened. What the earlier writes of the operation have changed doesn't
 * count as a change by others.
 * @throws ApiError
 */
export async function verifyWrite(
  index: number,
  write: Write,
  client: PlatformClient,
  progress: OperationProgress,
): Promise<WriteOutcome> {
  const context = createVerifyContext(index, write, client, progress);
  const outcome = await progress.getWriteKind(write).verifyOutcome(write, context);
  return outcome.state === 'happened'
    ? { ...outcome, response: toResponse(index, write, outcome.response, progress) }
    : outcome;
}

function createVerifyContext(
  index: number,
  write: Write,
  client: PlatformClient,
  progress: OperationProgress,
): VerifyContext {
  const { operation, states, getWriteKind } = progress;
  // If the target of a write is checked, or if it affects a single custom data object, only that document is compared,
  // and no other write changes just a part of it.
  const onlyRef =
    needsTargetCheck(write) && getWriteKind(write).action !== 'create' ? write.target : getObjectRef(write);
  return {
    client,
    ...(onlyRef !== undefined
      ? { before: progress.getDocumentBefore(index, onlyRef) }
      : {
          before: getDocumentsBefore(index, operation, progress),
          writtenIds: getWrittenIds(index, operation, states),
          writtenRules: getWrittenRules(index, operation, states),
        }),
    isRefused: isRefused(states[index]),
    matchesEarlierWrites: ({ ref, document }) => {
      if (ref.kind === 'customDataObject') {
        return jsonEquals(document, getObjectAfter(index, ref, progress));
      }
      const { previous, writes } = findUpdatesWithoutResponse(index, ref, progress);
      return writes.length > 0 && isResultOfWrites(writes, { previous, current: document }, getWriteKind);
    },
  };
}

/**
 * Returns a custom data object as the writes before a write have left it. A filter that isn't for a single ID is
 * treated as if it matched all objects that were read before the operation, as for an undo.
 */
function getObjectAfter(
  index: number,
  ref: Extract<ResourceRef, { kind: 'customDataObject' }>,
  progress: OperationProgress,
): JsonValue | undefined {
  const { operation, states, getWriteKind } = progress;
  return operation.writes.slice(0, index).reduce<JsonValue | undefined>((object, write, earlier) => {
    const isChanged =
      changesCustomData(write) && [undefined, ref.objectId].includes(getWrittenObjectId(write));
    return states[earlier]?.state !== 'done' || !isChanged || !isJsonObject(object)
      ? object
      : getWriteKind(write).applyTo?.(write, object);
  }, progress.getOriginal(ref));
}

/** Returns the only custom data object that a write changes or deletes; `undefined` for any other write. */
function getObjectRef(write: Write): ResourceRef | undefined {
  const objectId = changesCustomData(write) ? getWrittenObjectId(write) : undefined;
  return objectId === undefined ? undefined : { kind: 'customDataObject', objectId };
}

/**
 * Returns whether a write is an update of a document whose result has to be read, since it can't be derived from the
 * request.
 */
export const isUnderivableUpdate = (
  write: Write,
  ref: ResourceRef,
  getWriteKind: WriteKindLookup,
): boolean => {
  const { action, applyTo } = getWriteKind(write);
  // The target of a creation is the container of the new item.
  return write.target !== undefined && isSameRef(write.target, ref) && action === 'update' && !applyTo;
};

/**
 * Returns the writes before a write that have updated a document since its content was last known, and that content.
 * Empty if there is none, or if the response of the last one shows the whole document.
 */
function findUpdatesWithoutResponse(
  index: number,
  ref: ResourceRef,
  progress: OperationProgress,
): { readonly previous: JsonValue | undefined; readonly writes: readonly Write[] } {
  const { operation, states, getWriteKind } = progress;
  const original = progress.getOriginal(ref);
  const updates = progress.getWritesTo(ref).flatMap((earlier) => {
    const write = operation.writes[earlier];
    return write !== undefined &&
      earlier < index &&
      states[earlier]?.state === 'done' &&
      isUnderivableUpdate(write, ref, getWriteKind)
      ? [{ write, response: progress.getResponse(earlier) }]
      : [];
  });
  const shownIndex = updates.findLastIndex(({ response }) => showsDocument(response, original, ref));
  return {
    previous: shownIndex < 0 ? original : updates[shownIndex]?.response,
    writes: updates
      .slice(shownIndex + 1)
      .map(({ write }) =>
        write.outputRefs === undefined ? write : resolveKnownOutputs(write, progress.getResponses()),
      ),
  };
}

/**
 * Returns the stand-in for the response of a write whose target was read afterward: the document that was read. If the
 * document isn't as an update has left it, another user may have changed it in between. Then only the members that the
 * update has sent are returned, since they have the IDs of what it has created.
 */
export function toResponse(
  index: number,
  write: Write,
  document: JsonValue | undefined,
  progress: OperationProgress,
): JsonValue | undefined {
  const { target } = write;
  return target === undefined ||
    !isJsonObject(document) ||
    !isUnderivableUpdate(write, target, progress.getWriteKind) ||
    isAsUpdated(index, write, { ref: target, document }, progress)
    ? document
    : Object.fromEntries(
        Object.keys(asObject(write.body)).flatMap((name) => {
          const value = identityFields.has(name) ? undefined : document[name];
          return value === undefined ? [] : [[name, value] as const];
        }),
      );
}

/** A response without these members doesn't count as a whole document ({@link showsDocument}). */
const identityFields: ReadonlySet<string> = new Set(['oid', '_id', 'id']);

/**
 * Returns a document without what the server generates again from what the completed writes have sent.
 * @param other the version to compare it with
 */
export function omitGenerated(
  { ref, document }: { readonly ref: ResourceRef; readonly document: JsonObject },
  other: JsonObject,
  progress: OperationProgress,
): JsonObject {
  const { operation, states, getWriteKind } = progress;
  const versions = { previous: asObject(progress.getOriginal(ref)), other };
  return progress.getWritesTo(ref).reduce((rest, index) => {
    const write = operation.writes[index];
    return write === undefined || states[index]?.state !== 'done'
      ? rest
      : (getWriteKind(write).omitGenerated?.(write, rest, versions) ?? rest);
  }, document);
}

/**
 * Returns whether a document is as an update has left it, together with earlier updates whose responses don't show it.
 */
export function isAsUpdated(
  index: number,
  write: Write,
  { ref, document }: ReadDocument,
  progress: OperationProgress,
): boolean {
  const { previous, writes } = findUpdatesWithoutResponse(index, ref, progress);
  return isResultOfWrites([...writes, write], { previous, current: document }, progress.getWriteKind);
}

/**
 * Returns whether a document shows everything that the updates of an operation have sent to it, so that nobody else has
 * changed what their undo would give back. True if no update of it is done, or for rules and custom data, whose undo
 * doesn't rely on that.
 */
export function showsUpdates({ ref, document }: ReadDocument, progress: OperationProgress): boolean {
  const { operation, states, getWriteKind } = progress;
  const lastIndex = progress.getWritesTo(ref).findLast((index) => {
    const write = operation.writes[index];
    return (
      states[index]?.state === 'done' && write !== undefined && isUnderivableUpdate(write, ref, getWriteKind)
    );
  });
  const lastWrite = lastIndex === undefined ? undefined : operation.writes[lastIndex];
  if ('subject' in ref || lastIndex === undefined || lastWrite === undefined) {
    return true;
  }
  const { previous, writes } = findUpdatesWithoutResponse(lastIndex, ref, progress);
  const last = resolveKnownOutputs(lastWrite, progress.getResponses());
  return (
    isJsonObject(previous) &&
    isJsonObject(document) &&
    findSentNames([...writes, last], { previous, current: document }, getWriteKind) !== undefined
  );
}

/** Returns whether a document is as its updates left it: it matches the requests, and is otherwise as before them. */
function isResultOfWrites(
  writes: readonly Write[],
  {
    previous,
    current,
  }: { readonly previous: JsonValue | undefined; readonly current: JsonValue | undefined },
  getWriteKind: WriteKindLookup,
): boolean {
  if (!isJsonObject(previous) || !isJsonObject(current)) {
    return false;
  }
  const sentNames = findSentNames(writes, { previous, current }, getWriteKind);
  const omitSent = (document: JsonObject, other: JsonObject): JsonObject =>
    writes.reduce(
      (rest, write) => getWriteKind(write).omitGenerated?.(write, rest, { previous, other }) ?? rest,
      omitMembers(document, ...(sentNames ?? [])),
    );
  return (
    sentNames !== undefined &&
    jsonEquals(omitSent(previous, current), omitSent(current, previous), isServerManagedField)
  );
}

/** Returns the names of the members that updates have sent; `undefined` if a document doesn't match the requests. */
function findSentNames(
  writes: readonly Write[],
  versions: Versions,
  getWriteKind: WriteKindLookup,
): ReadonlySet<string> | undefined {
  const sentNames = new Set<string>();
  for (const write of writes.toReversed()) {
    const { matchesRequest, getWrittenMembers } = getWriteKind(write);
    const body = asObject(write.body);
    // Of an earlier write, only what later ones haven't sent again can still be seen.
    const remaining = sentNames.size === 0 ? body : omitMembers(body, ...sentNames);
    const isReplaced = sentNames.size > 0 && Object.keys(remaining).length === 0;
    if (!isReplaced && matchesRequest?.({ ...write, body: remaining }, versions) !== true) {
      return undefined;
    }
    (getWrittenMembers?.(write, versions.previous) ?? Object.keys(body)).forEach((name) =>
      sentNames.add(name),
    );
  }
  return sentNames;
}
