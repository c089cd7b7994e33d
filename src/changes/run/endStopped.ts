import type { HistoryEntry } from '../journal/entry.ts';
import type { History } from '../journal/history.ts';
import { endingOf } from '../journal/unfinished.ts';
import { EndedError, type Report } from './problems.ts';
import type { RunOptions } from './runOptions.ts';

/** What goes on with operations that did not come to their end. */
interface Ending {
  resume(entry: HistoryEntry, options: Pick<RunOptions, 'onUnknown'>): Promise<Report>;
  rollBack(entry: HistoryEntry, options: Pick<RunOptions, 'onUnknown'>): Promise<Report>;
}

/** How a stopped operation was ended. */
export interface Ended {
  readonly how: 'finished' | 'taken-back';
  readonly report: Report;
}

/**
 * Finishes an operation that stopped, or takes it back where {@link endingOf} says so.
 * @returns `undefined` when a person has finished it meanwhile, or has taken it back
 * @throws ConflictError, SecretsNeededError, StoppedError, ClaimedError, ApiError
 */
export async function endStopped(
  { history, ending }: { readonly history: History; readonly ending: Ending },
  stopped: { readonly connectionId: string; readonly entryId: string },
  options: Pick<RunOptions, 'onUnknown'>,
): Promise<Ended | undefined> {
  const entry = await history.entry(stopped.connectionId, stopped.entryId);
  if (entry === undefined) {
    return undefined;
  }
  try {
    return endingOf(entry) === 'finish'
      ? { how: 'finished', report: await ending.resume(entry, options) }
      : { how: 'taken-back', report: await ending.rollBack(entry, options) };
  } catch (error) {
    if (error instanceof EndedError) {
      return undefined;
    }
    throw error;
  }
}
