import { ApiError, PartlyCreatedError } from '../client/errors.ts';
import { isSameRef } from '../catalog/resourceRef.ts';
import { getRecovery, leavesDenyRules } from '../changes/journal/interrupted.ts';
import type { RecoveryResult } from '../changes/run/recovery.ts';
import {
  ConflictError,
  PlanNeededError,
  type OperationReport,
  StoppedError,
} from '../changes/run/problems.ts';
import type { Expected } from '../changes/run/runOptions.ts';
import type { DocumentState, InterruptedSave } from './documentState.ts';
import { IncompleteSaveError } from './saveProblems.ts';
import type { SaveHost } from './saveHost.ts';

/**
 * Returns the error to report for a save that stopped. A stopped change that has to be undone is rolled back at once if
 * the server allows it, so that nothing is changed; otherwise the next save recovers it.
 */
export async function handleStoppedSave(
  state: DocumentState,
  host: SaveHost,
  { report, cause, changedNothing }: StoppedError,
): Promise<unknown> {
  host.invalidate();
  // Another user changed the document before any of the writes: an ordinary conflict.
  const isConflict =
    cause instanceof ConflictError && !report.writes.some(({ state: one }) => one === 'done');
  if (changedNothing || isConflict) {
    return cause;
  }
  const facts = getSaveProgress(report);
  const how = getRecovery(report);
  const { entryId } = report;
  if (how === 'take-back' && !facts.isUnknown && (await isRolledBack(state, host, entryId))) {
    // The rules that had been added are removed again, so the reason for the failure is all there is to report.
    return cause instanceof PartlyCreatedError ? cause.failure : cause;
  }
  if (report.writes.length > 1 || leavesDenyRules(report)) {
    const isBinding = leavesDenyRules(report) || (host.intent.additionalWrites ?? []).length > 0;
    state.interruptedSave = { entryId, wanted: state.attempted ?? '', how, isBinding, facts };
  }
  return new IncompleteSaveError(facts, cause);
}

/**
 * Finishes or rolls back the previous interrupted save, so that no temporary deny rules remain and nothing is sent
 * twice.
 * @returns the result if the interrupted save is now finished and contained exactly the text to be saved; without a
 *   report if the user finished it from the history
 * @throws IncompleteSaveError when it stopped again, and ApiError when the server can't be reached
 */
export async function recoverInterruptedSave(
  state: DocumentState,
  host: SaveHost,
  wanted: string,
): Promise<{ readonly report: OperationReport | undefined } | undefined> {
  const { interruptedSave } = state;
  if (interruptedSave === undefined) {
    return undefined;
  }
  // This needs no request for the document: the editor has just checked the file.
  if (await isInterruptedSaveFinished(state, () => host.writer())) {
    delete state.interruptedSave;
    // Additional writes may have changed the document further, which the next check finds and the editor reads.
    delete state.source;
    if (state.document.resource.kind === 'rule') {
      // The rule has another ID now, which the text does not contain.
      await host.adoptOwnChanges();
      return undefined;
    }
    return interruptedSave.wanted === wanted ? { report: undefined } : undefined;
  }
  const ended = await recoverNow(state, host, interruptedSave);
  delete state.interruptedSave;
  if (ended?.how === 'finished' && interruptedSave.wanted === wanted) {
    return { report: ended.report };
  }
  const { kind } = state.document.resource;
  if (ended !== undefined && (kind === 'rule' || kind === 'columnRules')) {
    // Recovery stops at rules that another user has changed meanwhile, so the current rules result from our writes.
    await host.adoptOwnChanges();
  }
  return undefined;
}

/**
 * Returns whether the user has finished the interrupted save from the history and the document is unchanged since: then
 * the server's version is the result of our own writes.
 */
export async function isInterruptedSaveFinished(
  { interruptedSave, document: { connectionId }, handler, source }: DocumentState,
  writer: SaveHost['writer'],
): Promise<boolean> {
  if (interruptedSave === undefined || source?.value === undefined) {
    return false;
  }
  const left = await (await writer()).getVersionsLeftBy({ connectionId, entryId: interruptedSave.entryId });
  const isLeft = ({ ref, hash }: Expected): boolean =>
    left?.some((one) => isSameRef(one.ref, ref) && one.hash === hash) === true;
  return handler.expected(source.value).every(isLeft);
}

async function recoverNow(
  { document: { connectionId } }: DocumentState,
  host: SaveHost,
  { entryId, facts, isBinding }: InterruptedSave,
): Promise<RecoveryResult | undefined> {
  const writer = await host.writer();
  try {
    return await writer.recover({ connectionId, entryId }, { onUnknown: () => host.onUnknown() });
  } catch (error) {
    if (error instanceof ConflictError && !isBinding) {
      // Another user has changed an item that remained to be written: the save compares the text with that version.
      return undefined;
    }
    if (error instanceof ApiError) {
      throw error;
    }
    const stopped = error instanceof StoppedError ? error : undefined;
    const isSame = stopped?.report.entryId === entryId;
    throw new IncompleteSaveError(isSame ? getSaveProgress(stopped.report) : facts, stopped?.cause ?? error);
  } finally {
    host.invalidate();
  }
}

async function isRolledBack(
  { document: { connectionId } }: DocumentState,
  host: SaveHost,
  entryId: string,
): Promise<boolean> {
  const writer = await host.writer();
  try {
    return (await writer.recover({ connectionId, entryId }))?.how === 'taken-back';
  } catch (error) {
    const isRefused =
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

function getSaveProgress(report: OperationReport): InterruptedSave['facts'] {
  const states = report.writes.map(({ state }) => state);
  return {
    done: states.filter((state) => state === 'done').length,
    total: states.length,
    isPartly: report.writes.some((write) => 'partly' in write && write.partly === true),
    isUnknown: states.some((state) => state === 'unknown' || state === 'sending'),
    hidesValues: leavesDenyRules(report),
  };
}
