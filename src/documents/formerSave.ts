import { ApiError } from '../api/errors.ts';
import { sameRef } from '../catalog/resourceRef.ts';
import { endingOf, leavesGuard } from '../history/unfinished.ts';
import type { Ended } from '../writes/endStopped.ts';
import { ConflictError, PlanNeededError, type Report, StoppedError } from '../writes/problems.ts';
import type { Expected } from '../writes/runOptions.ts';
import type { DocumentState, FormerSave } from './documentState.ts';
import { IncompleteSave } from './saveProblems.ts';
import type { SaveHost } from './saveHost.ts';

/**
 * What to tell of a save that stopped. Rules behind a guard are taken back at once where the server lets us, and then
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
    return cause;
  }
  if (report.writes.length > 1) {
    const isBinding = leavesGuard(report) || (state.along ?? []).length > 0;
    state.former = { entryId, wanted: state.attempted ?? '', how, isBinding, facts };
  }
  return new IncompleteSave(facts, cause);
}

/**
 * Ends the save that stopped before, lest a guard of it stand for good or what it has done be done twice.
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
    return former.wanted === wanted ? { report: undefined } : undefined;
  }
  const ended = await endedNow(state, host, former);
  delete state.former;
  return ended?.how === 'finished' && former.wanted === wanted ? { report: ended.report } : undefined;
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
    isUnknown: states.some((state) => state === 'unknown' || state === 'sending'),
    hidesValues: leavesGuard(report),
  };
}
