import { ApiError, PartlyCreatedError } from '../client/errors.ts';
import { sameRef } from '../catalog/resourceRef.ts';
import { endingOf, leavesDenied } from '../changes/journal/unfinished.ts';
import type { Ended } from '../changes/run/recovery.ts';
import { ConflictError, PlanNeededError, type Report, StoppedError } from '../changes/run/problems.ts';
import type { Expected } from '../changes/run/runOptions.ts';
import type { DocumentState, FormerSave } from './documentState.ts';
import { IncompleteSave } from './saveProblems.ts';
import type { SaveHost } from './saveHost.ts';

/**
 * What to tell of a save that stopped. A change of rules that left temporary deny rules is undone at once where the server lets us, and then
 * nothing was changed; else the next save ends what this one began.
 */
export async function stoppedSave(
  state: DocumentState,
  host: SaveHost,
  { report, cause, changedNothing }: StoppedError,
): Promise<unknown> {
  host.invalidate();
  // An answer that was lost while somebody else changed the document: that is a conflict like any other.
  const isConflict =
    cause instanceof ConflictError && !report.writes.some(({ state: one }) => one === 'done');
  if (changedNothing || isConflict) {
    return cause;
  }
  const facts = factsOf(report);
  const how = endingOf(report);
  const { entryId } = report;
  if (how === 'take-back' && !facts.isUnknown && (await isTakenBack(state, host, entryId))) {
    // What was added in part is gone again.
    return cause instanceof PartlyCreatedError ? cause.failure : cause;
  }
  if (report.writes.length > 1 || leavesDenied(report)) {
    const isBinding = leavesDenied(report) || (host.intent.along ?? []).length > 0;
    state.former = { entryId, wanted: state.attempted ?? '', how, isBinding, facts };
  }
  return new IncompleteSave(facts, cause);
}

/**
 * Ends the save that stopped before, lest a temporary deny rule of it stay for good or what it has done be done twice.
 * @returns its end when it is finished and held the very text that is to be saved; without a report where a person has
 * finished it from the history
 * @throws IncompleteSave when it stopped again, and ApiError when the server cannot be asked
 */
export async function endFormer(
  state: DocumentState,
  host: SaveHost,
  wanted: string,
): Promise<{ readonly report: Report | undefined } | undefined> {
  const { former } = state;
  if (former === undefined) {
    return undefined;
  }
  // The editor has looked at the file right before.
  if (await isFinished(state, () => host.writer())) {
    delete state.former;
    // What went along may have made something else of it, which the next look finds and the editor reads.
    delete state.source;
    if (state.document.resource.kind === 'rule') {
      // It goes by another name now, which the text does not know.
      await host.adoptOwnWork();
      return undefined;
    }
    return former.wanted === wanted ? { report: undefined } : undefined;
  }
  const ended = await endedNow(state, host, former);
  delete state.former;
  if (ended?.how === 'finished' && former.wanted === wanted) {
    return { report: ended.report };
  }
  const { kind } = state.document.resource;
  if (ended !== undefined && (kind === 'rule' || kind === 'columnRules')) {
    // Rules that somebody else has changed meanwhile are not ended: these are our own work.
    await host.adoptOwnWork();
  }
  return undefined;
}

/**
 * Whether a person has finished the save that stopped, from the history, and the document is as that left it: then
 * nothing newer is there than our own work.
 */
export async function isFinished(
  { former, document: { connectionId }, handler, source }: DocumentState,
  writer: SaveHost['writer'],
): Promise<boolean> {
  if (former === undefined || source?.value === undefined) {
    return false;
  }
  const left = await (await writer()).leftBy({ connectionId, entryId: former.entryId });
  const isLeft = ({ ref, hash }: Expected): boolean =>
    left?.some((one) => sameRef(one.ref, ref) && one.hash === hash) === true;
  return handler.expected(source.value).every(isLeft);
}

async function endedNow(
  { document: { connectionId } }: DocumentState,
  host: SaveHost,
  { entryId, facts, isBinding }: FormerSave,
): Promise<Ended | undefined> {
  const writer = await host.writer();
  try {
    return await writer.endStopped({ connectionId, entryId }, { onUnknown: () => host.onUnknown() });
  } catch (error) {
    if (error instanceof ConflictError && !isBinding) {
      // Somebody else has changed what was left to do: the person's text is compared with that.
      return undefined;
    }
    if (error instanceof ApiError) {
      throw error;
    }
    const stopped = error instanceof StoppedError ? error : undefined;
    const isSame = stopped?.report.entryId === entryId;
    throw new IncompleteSave(isSame ? factsOf(stopped.report) : facts, stopped?.cause ?? error);
  } finally {
    host.invalidate();
  }
}

async function isTakenBack(
  { document: { connectionId } }: DocumentState,
  host: SaveHost,
  entryId: string,
): Promise<boolean> {
  const writer = await host.writer();
  try {
    return (await writer.endStopped({ connectionId, entryId }))?.how === 'taken-back';
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

function factsOf(report: Report): FormerSave['facts'] {
  const states = report.writes.map(({ state }) => state);
  return {
    done: states.filter((state) => state === 'done').length,
    of: states.length,
    isPartly: report.writes.some((write) => 'partly' in write && write.partly === true),
    isUnknown: states.some((state) => state === 'unknown' || state === 'sending'),
    hidesValues: leavesDenied(report),
  };
}
