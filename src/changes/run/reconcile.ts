import type { PlatformClient } from '../../client/platformClient.ts';
import { jsonEquals } from '../../base/canonicalJson.ts';
import { type JsonObject, type JsonValue, isJsonObject } from '../../base/json.ts';
import { type ResourceRef, containsRef, getRefKey } from '../../catalog/resourceRef.ts';
import { getWrittenTarget } from '../endpoints/verifyWrites.ts';
import { loadWriteKinds } from '../endpoints/writeKinds.ts';
import type { ReadDocument } from '../model/readDocument.ts';
import { type CompletedWrite, findCreatedItems } from '../journal/createdItems.ts';
import { type HistoryEntry, isInDoubt, isUnresolved, type WriteState } from '../journal/entry.ts';
import { changesCustomData, mayOverwrite, needsTargetCheck, replacesContainer } from './changedTarget.ts';
import { createConflictError, findConflict, toExpectedVersion } from './conflicts.ts';
import { isCompleteResponse, showsDocument } from './documentsAfter.ts';
import { maskDocument } from '../../base/secrets/maskSecrets.ts';
import { hashDocument } from '../model/documentHash.ts';
import type { DocumentReader, RetryRead } from '../model/documentReader.ts';
import { resolveOutputs } from '../model/outputRefs.ts';
import type { Write } from '../model/operation.ts';
import type { ExpectedVersion } from './runOptions.ts';
import { isUnderivableUpdate, isAsUpdated, omitGenerated, verifyWrite } from './documentsAfterUpdates.ts';
import { OperationProgress } from './operationProgress.ts';
import { UnverifiedError } from './writeErrors.ts';
import { isGroupedRuleWrite } from '../rules/ruleAction.ts';

/**
 * Determines the outcomes of the writes of an interrupted operation, as far as the server shows them.
 * @param options `willContinue`: the remaining writes will be sent, so that documents of writes that did not happen
 *   must be unchanged too, also those of writes that have failed and would overwrite changes (see
 *   {@link mayOverwrite}); `verifiesFailed`: then all that have failed are verified; `retryRead` runs each read, and
 *   may run it again if it fails
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
    retryRead = (read) => read(),
  }: {
    readonly willContinue: boolean;
    readonly verifiesFailed?: boolean;
    readonly retryRead?: RetryRead;
  },
): Promise<readonly WriteState[]> {
  const states = [...entry.writeStates];
  // A failed write is verified before it is sent again. If it won't be sent again, it has to be verified here.
  const isOpen = (state: WriteState | undefined, write: Write): boolean =>
    willContinue
      ? isUnresolved(state?.state) || (state?.state === 'failed' && (verifiesFailed || mayOverwrite(write)))
      : isInDoubt(state);
  const progress = await createProgress(entry, states);
  for (const index of entry.operation.writes.keys()) {
    const write = resolveSentWrite(entry, states, index);
    const isNext = willContinue && isUncheckedNext(index, progress);
    if (write === undefined || !(isOpen(states[index], write) || isNext) || isGroupedRuleWrite(write)) {
      // Rule changes are continued or undone based on the server's current rules.
      continue;
    }
    const hasFailed = states[index]?.state === 'failed';
    const outcome = await retryRead(() => verifyWrite(index, write, client, progress));
    if (outcome.state === 'happened' && isNext) {
      // The target is already as this write would leave it, so the write won't be sent.
      continue;
    }
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
    } else if (isUnresolved(states[index]?.state)) {
      states[index] = { state: 'failed', path: '', ms: 0 };
    }
  }
  return states;
}

/** Returns the progress of an operation. `states` may change: later calls see that. */
const createProgress = async (
  { operation, before }: HistoryEntry,
  states: readonly WriteState[],
): Promise<OperationProgress> =>
  new OperationProgress({
    operation,
    before: before.map(({ ref, document }) => ({ ref, document })),
    states,
    getWriteKind: await loadWriteKinds(operation.writes),
  });

/**
 * Returns whether a write has not been sent, and `checkUnwrittenDocuments` doesn't compare its target: the last write
 * to it is done, or the target contains what earlier writes have changed.
 */
function isUncheckedNext(index: number, progress: OperationProgress): boolean {
  const { operation, states, getWriteKind } = progress;
  const write = operation.writes[index];
  if (states[index]?.state === 'waiting' && (replacesContainer(write) || changesCustomData(write))) {
    return true;
  }
  const { target } = write ?? {};
  if (states[index]?.state !== 'waiting' || target === undefined || !needsTargetCheck({ target })) {
    return false;
  }
  const earlierIndex = progress.getWritesTo(target).findLast((earlier) => {
    const write = operation.writes[earlier];
    return earlier < index && write !== undefined && isUnderivableUpdate(write, target, getWriteKind);
  });
  return earlierIndex !== undefined && states[earlierIndex]?.state === 'done';
}

/** A completed write, and its place in the operation. */
interface IndexedWrite extends CompletedWrite {
  readonly index: number;
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
  const progress = await createProgress(entry, states);
  const completedWrites = [...entry.operation.writes.keys()].flatMap((index): readonly IndexedWrite[] => {
    const [state, write] = [states[index], resolveSentWrite(entry, states, index)];
    return state?.state === 'done' && write !== undefined
      ? [
          {
            index,
            write,
            kind: progress.getWriteKind(write),
            response: state.answer,
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
  const readHashes = new Map(entry.versionsAfter.map(({ ref, hash }) => [getRefKey(ref), hash]));
  const changed = new Map(
    completedWrites.flatMap((completed) =>
      getChangedRefs(completed, progress.before).map((ref) => [getRefKey(ref), { ref, completed }]),
    ),
  );
  for (const { ref, completed } of changed.values()) {
    if (!isGone(ref)) {
      await checkDocument(ref, (current) =>
        isUnchangedSinceWrite(
          completed,
          { ref, document: current },
          readHashes.get(getRefKey(ref)),
          progress,
        ),
      );
    }
  }
  for (const { ref, isUnchanged } of findCreatedItems(completedWrites)) {
    if (!isGone(ref) && !changed.has(getRefKey(ref))) {
      await checkDocument(ref, isUnchanged);
    }
  }
  return expected;
}

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

const getDeletedRefs = ({ write, kind }: CompletedWrite): readonly ResourceRef[] =>
  kind.action === 'delete' && write.target !== undefined ? [getWrittenTarget(write, write.target)] : [];

function getChangedRefs(
  { write, kind: { action } }: CompletedWrite,
  before: readonly ReadDocument[],
): readonly ResourceRef[] {
  if (action === 'update-many' && write.target?.kind !== 'customDataObject') {
    return before.map(({ ref }) => ref).filter(({ kind }) => kind === 'customDataObject');
  }
  return write.target !== undefined && (action === 'update' || action === 'update-many')
    ? [write.target]
    : [];
}

/**
 * Returns whether a document is unchanged since a write. If the response shows the document, they must be equal.
 * Otherwise, the document must match the request, and those of earlier writes whose responses don't show it, and equal
 * the document from before in all other members. It must also equal the version that was read when the operation
 * stopped, because what another user adds can't be distinguished from what the server adds to a request.
 * @param readHash the hash of that version, if there is one
 */
function isUnchangedSinceWrite(
  { index, write, kind, response }: IndexedWrite,
  { ref, document: current }: ReadDocument,
  readHash: string | undefined,
  progress: OperationProgress,
): boolean {
  const previous = progress.getDocumentBefore(index, ref)[0]?.document;
  if (!isJsonObject(previous) || !isJsonObject(current)) {
    return false;
  }
  if (kind.applyTo !== undefined) {
    return jsonEquals(current, kind.applyTo(write, previous));
  }
  // Documents of other kinds contain what further writes have changed.
  const isWhole = needsTargetCheck({ target: ref });
  const hash = (document: JsonObject, other: JsonObject): string =>
    hashDocument(ref.kind, maskDocument(ref.kind, omitGenerated({ ref, document }, other, progress)));
  if (isJsonObject(response) && isCompleteResponse(response, previous, ref)) {
    const isSame = hash(response, current) === hash(current, response);
    if (isSame || (isWhole && showsDocument(response, previous, ref))) {
      return isSame;
    }
  }
  const currentHash = hash(current, current);
  const isComparable = isWhole && currentHash === hashDocument(ref.kind, current);
  return (
    (!isComparable || readHash === undefined || readHash === currentHash) &&
    isAsUpdated(index, write, { ref, document: current }, progress)
  );
}
