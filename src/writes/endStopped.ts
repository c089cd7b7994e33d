import type { HistoryEntry } from '../history/entry.ts';
import type { History } from '../history/history.ts';
import { undoneIds } from '../history/undone.ts';
import { canGoOn, endingOf } from '../history/unfinished.ts';
import type { Report } from './problems.ts';
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
 * Finishes an operation that stopped, or takes it back where {@link endingOf} says so. A taking back that stopped in
 * its turn is gone on with: what it did is not done twice.
 * @returns `undefined` when a person has finished it meanwhile, or has taken it back
 * @throws ConflictError, SecretsNeededError, StoppedError, ClaimedError, ApiError
 */
export async function endStopped(
  { history, ending }: { readonly history: History; readonly ending: Ending },
  stopped: { readonly connectionId: string; readonly entryId: string },
  options: Pick<RunOptions, 'onUnknown'>,
): Promise<Ended | undefined> {
  const entries = await history.entries(stopped.connectionId);
  const entry = entries.find(({ id }) => id === stopped.entryId);
  if (entry === undefined || !canGoOn(entry) || undoneIds(entries).has(entry.id)) {
    return undefined;
  }
  if (endingOf(entry) === 'finish') {
    return { how: 'finished', report: await ending.resume(entry, options) };
  }
  const begun = entries.find((one) => one.undoes === entry.id && canGoOn(one));
  if (begun === undefined) {
    return { how: 'taken-back', report: await ending.rollBack(entry, options) };
  }
  const report = await ending.resume(begun, options);
  await (await history.claim(entry)).end('rolled-back', { after: [], moved: [] });
  return { how: 'taken-back', report };
}
