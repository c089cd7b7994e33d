import { ApiError, PartlyCreatedError, ReadOnlyError } from '../client/errors.ts';
import { isSameRef } from '../catalog/resourceRef.ts';
import { getRecovery, leavesDenyRules } from '../changes/journal/stoppedOperation.ts';
import type { RecoveryResult } from '../changes/run/recovery.ts';
import {
  AbandonedUndoError,
  ConflictError,
  PlanNeededError,
  type OperationReport,
  StoppedError,
} from '../changes/run/writeErrors.ts';
import type { ExpectedVersion } from '../changes/run/runOptions.ts';
import type { DocumentState, InterruptedSave } from './documentState.ts';
import { IncompleteSaveError, RecoveryReviewNeededError } from './saveErrors.ts';
import type { SaveHost } from './saveHost.ts';

/**
 * Returns the error to report for a save that stopped. A stopped change that has to be undone is rolled back at once,
 * if the server allows it.
 * - If nothing was changed, the error is the reason why the save stopped. But if the user canceled the save while a
 *   request may still take effect, it is the StoppedError, which says so.
 * - If everything was rolled back, the error is the reason why the save stopped.
 * - If another user had changed the document before any of the writes, the error is that conflict.
 * - Otherwise, it is an IncompleteSaveError. If the save had several writes, or has left temporary deny rules, the
 *   document remembers it as its interrupted save, and the next save recovers it.
 */
export async function handleStoppedSave(
  state: DocumentState,
  host: SaveHost,
  error: StoppedError,
): Promise<unknown> {
  const { report, cause, changedNothing, mayTakeEffectLater } = error;
  host.invalidate();
  // Another user changed the document before any of the writes: an ordinary conflict.
  const isConflict =
    cause instanceof ConflictError &&
    !report.writeStates.some(({ state: writeState }) => writeState === 'done');
  if (changedNothing || isConflict) {
    // Unlike the server's errors, that of a cancellation doesn't say that a request may still take effect.
    const hidesLaterEffect = mayTakeEffectLater && !isConflict && !(cause instanceof ApiError);
    return hidesLaterEffect ? error : cause;
  }
  const progress = getSaveProgress(report);
  const recovery = getRecovery(report);
  const { entryId } = report;
  if (recovery === 'roll-back' && !progress.hasUnknownOutcome && (await tryRollBack(state, host, entryId))) {
    // The rules that had been added are removed again, so the reason for the failure is all there is to report.
    return cause instanceof PartlyCreatedError ? cause.failure : cause;
  }
  if (report.writeStates.length > 1 || leavesDenyRules(report)) {
    const mustRecover = leavesDenyRules(report) || (host.intent.additionalWrites ?? []).length > 0;
    state.interruptedSave = {
      entryId,
      versionHash: state.attemptedHash ?? '',
      recovery,
      mustRecover,
      progress,
    };
  }
  return new IncompleteSaveError(progress, cause);
}

/**
 * Finishes or rolls back the previous interrupted save, so that no temporary deny rules remain and nothing is sent
 * twice.
 * @returns the result if the interrupted save is now finished and contained exactly the text to be saved; without a
 *   report if the user finished it from the history
 * @throws IncompleteSaveError when it stopped again, ApiError if a request fails, and RecoveryReviewNeededError,
 *   ConnectionLockedError, or ErrorsFoundError if the user must act first
 */
export async function recoverInterruptedSave(
  state: DocumentState,
  host: SaveHost,
  versionHash: string,
): Promise<{ readonly report: OperationReport | undefined } | undefined> {
  const { interruptedSave } = state;
  if (interruptedSave === undefined) {
    return undefined;
  }
  // This needs no request for the document: the editor has just checked the file.
  if (await isInterruptedSaveFinished(state, () => host.getWriter())) {
    delete state.interruptedSave;
    // Additional writes may have changed the document further, which the next check finds and the editor reads.
    delete state.serverDocument;
    if (state.identity.resource.kind === 'rule') {
      // The rule has another ID now, which the text does not contain.
      await host.adoptOwnChanges();
      return undefined;
    }
    return interruptedSave.versionHash === versionHash ? { report: undefined } : undefined;
  }
  // For the text of the interrupted save, the user has already decided about the errors.
  if (interruptedSave.versionHash !== versionHash) {
    host.assertNoErrors({ replacedNames: [] });
  }
  const result = await recoverNow(state, host, interruptedSave);
  delete state.interruptedSave;
  if (result?.ending === 'finished' && interruptedSave.versionHash === versionHash) {
    return { report: result.report };
  }
  if (result !== undefined && containsRules(state)) {
    // Recovery stops at rules that another user has changed meanwhile, so the current rules result from our writes.
    await host.adoptOwnChanges();
  }
  return undefined;
}

/** Returns whether a document has rules, whose IDs differ after a rollback. */
export const containsRules = ({ identity: { resource } }: Pick<DocumentState, 'identity'>): boolean =>
  resource.kind === 'rule' || resource.kind === 'columnRules';

/**
 * Returns whether the user has finished the interrupted save from the history and the document is unchanged since: then
 * the server's version is the result of our own writes.
 */
export async function isInterruptedSaveFinished(
  { interruptedSave, identity: { connectionId }, handler, serverDocument }: DocumentState,
  getWriter: SaveHost['getWriter'],
): Promise<boolean> {
  if (interruptedSave === undefined || serverDocument?.value === undefined) {
    return false;
  }
  const versionsAfter = await (await getWriter()).getVersionsAfter({
    connectionId,
    entryId: interruptedSave.entryId,
  });
  const isUnchanged = ({ ref, hash }: ExpectedVersion): boolean =>
    versionsAfter?.some((version) => isSameRef(version.ref, ref) && version.hash === hash) === true;
  return handler.getExpectedVersions(serverDocument.value).every(isUnchanged);
}

/**
 * Finishes or rolls back an interrupted save.
 * @returns `undefined` if that has already been done, or if it is no longer possible and the save may stay as it is
 * @throws RecoveryReviewNeededError if the user has to review first what would be written, as for a new save
 */
async function recoverNow(
  { identity: { connectionId }, handler }: DocumentState,
  host: SaveHost,
  interruptedSave: InterruptedSave,
): Promise<RecoveryResult | undefined> {
  const { entryId, progress, mustRecover } = interruptedSave;
  const writer = await host.getWriter();
  const { signal, onWait, onQueued } = host.intent.control ?? {};
  try {
    return await writer.recover(
      { connectionId, entryId },
      {
        onResponseLost: () => host.onResponseLost(),
        signal,
        onWait,
        onQueued,
        review: { alwaysReview: handler.getCreatedName !== undefined, reviewsGains: host.reviewsGains },
      },
    );
  } catch (error) {
    if (error instanceof PlanNeededError) {
      // The page of the review unlocks the connection.
      throw new RecoveryReviewNeededError(connectionId, interruptedSave);
    }
    if (error instanceof ReadOnlyError) {
      host.assertUnlocked();
    }
    const isSuperseded = error instanceof ConflictError || error instanceof AbandonedUndoError;
    if (isSuperseded && !mustRecover) {
      // Another user has changed an item that remained to be written, or the user has abandoned the rollback of the
      // interrupted save: the save compares the text with the current version.
      return undefined;
    }
    if (error instanceof ApiError || error instanceof AbandonedUndoError) {
      throw error;
    }
    const stoppedError = error instanceof StoppedError ? error : undefined;
    const isSameOperation = stoppedError?.report.entryId === entryId;
    throw new IncompleteSaveError(
      isSameOperation ? getSaveProgress(stoppedError.report) : progress,
      stoppedError?.cause ?? error,
    );
  } finally {
    host.invalidate();
  }
}

async function tryRollBack(
  { identity: { connectionId } }: DocumentState,
  host: SaveHost,
  entryId: string,
): Promise<boolean> {
  const writer = await host.getWriter();
  const { signal, onWait, onQueued } = host.intent.control ?? {};
  // What a canceled save has changed is rolled back, too, but without waiting for a busy server.
  const options = signal?.aborted === true ? {} : { signal, onWait, onQueued };
  try {
    return (await writer.recover({ connectionId, entryId }, options))?.ending === 'rolled-back';
  } catch (error) {
    const isRefused =
      (options.signal?.aborted === true && error === options.signal.reason) ||
      error instanceof ApiError ||
      error instanceof StoppedError ||
      error instanceof PlanNeededError ||
      error instanceof ConflictError;
    if (isRefused) {
      return false;
    }
    throw error;
  } finally {
    host.invalidate();
  }
}

function getSaveProgress(report: OperationReport): InterruptedSave['progress'] {
  const states = report.writeStates.map(({ state }) => state);
  return {
    doneCount: states.filter((state) => state === 'done').length,
    totalCount: states.length,
    hasPartialWrite: report.writeStates.some(({ partly }) => partly === true),
    hasUnknownOutcome: states.some((state) => state === 'unknown' || state === 'sending'),
    hasDenyRules: leavesDenyRules(report),
  };
}
