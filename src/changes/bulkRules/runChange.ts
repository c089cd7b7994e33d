import type { Clock } from '../../base/clock.ts';
import type { HistoryEntry } from '../journal/entry.ts';
import type { Operation } from '../model/operation.ts';
import { type OperationReport, StoppedError } from '../run/problems.ts';
import type { RunOptions } from '../run/runOptions.ts';
import type { Writer } from '../run/writer.ts';
import type { Preview } from './preview.ts';

/** What a run tells on its way. */
export interface RunProgress {
  /** Rules that were dealt with. */
  readonly done: number;
  readonly total: number;
  /** Set where the server has asked to wait, in milliseconds. */
  readonly waitMs?: number;
}

export interface RunHandle {
  readonly signal: AbortSignal;
  readonly onProgress: (progress: RunProgress) => void;
  /** The change is written down under this id, and nothing was sent yet. */
  readonly onBegin?: (entryId: string) => void;
}

/** What changes of rules are made with. */
export interface ChangeDeps {
  readonly writer: Pick<Writer, 'plan' | 'approve' | 'run' | 'resume' | 'rollBack'>;
  readonly clock: Clock;
}

/** How a change went: to its end, or until it stopped. */
export interface ChangeRun {
  readonly report: OperationReport;
  /** What stopped it; absent where every write was done. */
  readonly stopped?: StoppedError;
  readonly startedAt: number;
  readonly endedAt: number;
  /** How often the server asked to wait, and how long that was in all. */
  readonly waits: { readonly count: number; readonly ms: number };
}

/**
 * Makes a change that a person has seen whole, so that no other plan is shown. The rules must still be those that it
 * was worked out from.
 * @throws ConflictError and what else keeps anything from being sent
 */
export const applyChange = (
  deps: ChangeDeps,
  { operation, expect }: Pick<Preview, 'operation' | 'expect'>,
  handle: RunHandle,
): Promise<ChangeRun> =>
  runObserved(deps, operation, handle, async (options) => {
    const { planHash } = await deps.writer.plan(operation, handle.signal);
    return deps.writer.run(operation, { ...options, expect, approval: deps.writer.approve(planHash) });
  });

/**
 * Goes on with a change that was stopped.
 * @throws EndedError, ClaimedError, ConflictError and what else keeps anything from being sent
 */
export const resumeChange = (deps: ChangeDeps, entry: HistoryEntry, handle: RunHandle): Promise<ChangeRun> =>
  runObserved(deps, entry.operation, handle, (options) => deps.writer.resume(entry, options));

/**
 * Takes back what a change did that was stopped.
 * @throws EndedError, ClaimedError, ConflictError and what else keeps anything from being sent
 */
export const rollBackChange = (
  deps: ChangeDeps,
  entry: HistoryEntry,
  handle: RunHandle,
): Promise<ChangeRun> =>
  runObserved(deps, entry.operation, handle, (options) => deps.writer.rollBack(entry, options));

async function runObserved(
  { clock }: ChangeDeps,
  operation: Operation,
  { signal, onProgress, onBegin }: RunHandle,
  run: (options: RunOptions) => Promise<OperationReport>,
): Promise<ChangeRun> {
  const startedAt = clock.now();
  const sizes = operation.writes.map((_write, index) => countRules(operation, index));
  const total = sizes.reduce((sum, size) => sum + size, 0);
  const waits = { count: 0, ms: 0 };
  // Rules are changed in the order that is safe, not in that of the writes.
  const doneByWrite = new Map<number, number>();
  let done = 0;
  const options: RunOptions = {
    signal,
    onBegin,
    onProgress: (progress) => {
      done += progress.done - (doneByWrite.get(progress.write) ?? 0);
      doneByWrite.set(progress.write, progress.done);
      onProgress({ done, total });
    },
    onWait: (ms) => {
      waits.count += 1;
      waits.ms += ms;
      onProgress({ done, total, waitMs: ms });
    },
  };
  try {
    const report = await run(options);
    return { report, startedAt, endedAt: clock.now(), waits };
  } catch (error) {
    if (!(error instanceof StoppedError)) {
      throw error;
    }
    return { report: error.report, stopped: error, startedAt, endedAt: clock.now(), waits };
  }
}

/** Rules that a write deals with. */
function countRules({ writes }: Operation, index: number): number {
  const write = writes[index];
  const lists = [write?.body, write?.batch?.ids].filter((list) => Array.isArray(list));
  // What is changed where it is, is one rule.
  return lists.length === 0 ? 1 : lists.reduce((sum, list) => sum + list.length, 0);
}
