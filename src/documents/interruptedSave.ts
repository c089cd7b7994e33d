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
 * Returns the error to report for a save that stopped. A rule change that left temporary deny rules is rolled back at
 * once if the server allows it, so that nothing was changed; otherwise the next save ends what this one began.
 */
export async function handleStoppedSave(
  state: DocumentState,
  host: SaveHost,
  { report, cause, changedNothing }: StoppedError,
): Promise<unknown> {
  host.invalidate();
  // The response was lost while another user changed the document: that is a conflict like any other.
  const isConflict =
    cause instanceof ConflictError && !report.writes.some(({ state: one }) => one === 'done');
  if (changedNothing || isConflict) {
    return cause;
  }
  const facts = getSaveProgress(report);
  const how = getRecovery(report);
  const { entryId } = report;
  if (how === 'take-back' && !facts.isUnknown && (await isRolledBack(state, host, entryId))) {
    // The partially added rules have been removed again.
    return cause instanceof PartlyCreatedError ? cause.failure : cause;
  }
  if (report.writes.length > 1 || leavesDenyRules(report)) {
    const isBinding = leavesDenyRules(report) || (host.intent.additionalWrites ?? []).length > 0;
    state.interruptedSave = { entryId, wanted: state.attempted ?? '', how, isBinding, facts };
  }
  return new IncompleteSaveError(facts, cause);
}

/**
 * Ends the previous stopped save, so that its temporary deny rules don't remain and nothing is done twice.
 * @returns its result if it is finished and held exactly the text to be saved; without a report if the user has
 *   finished it from the history
 * @throws IncompleteSaveError when it stopped again, and ApiError when the server cannot be asked
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
  // The editor has just checked the file.
  if (await isInterruptedSaveFinished(state, () => host.writer())) {
    delete state.interruptedSave;
    // Additional writes may have changed the document further, which the next check finds and the editor reads.
    delete state.source;
    if (state.document.resource.kind === 'rule') {
      // It has another ID now, which the text does not know.
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
    // Rules that another user has meanwhile changed are not ended: the current ones are our own work.
    await host.adoptOwnChanges();
  }
  return undefined;
}

/**
 * Returns whether the user has finished the stopped save from the history, and the document is unchanged since: then
 * the server has nothing newer than our own work.
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
      // Another user has changed what was left to do: the user's text is compared with that.
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
