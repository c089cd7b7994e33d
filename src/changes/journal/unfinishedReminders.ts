import type { HistoryEntry } from './entry.ts';
import { hasChangedSomeRules } from './stoppedOperation.ts';
import { getUndoneIds } from './undoneEntries.ts';

/**
 * Returns the operations that the editor reminds of: those that were interrupted, and those that have changed only some
 * of their rules. Not those of the command line, which has already shown how to continue, and not an undo of another
 * unfinished operation, since both are finished together.
 * @param interruptedIds the IDs of the entries whose processes ended before they were done
 */
export function selectUnfinishedReminders(
  entries: readonly HistoryEntry[],
  interruptedIds: ReadonlySet<string>,
): readonly HistoryEntry[] {
  const undoneIds = getUndoneIds(entries);
  const unfinished = entries.filter(
    (entry) =>
      entry.source === undefined &&
      (interruptedIds.has(entry.id) || (hasChangedSomeRules(entry) && !undoneIds.has(entry.id))),
  );
  const ids = new Set(unfinished.map(({ id }) => id));
  return unfinished.filter(({ undoneEntryId }) => undoneEntryId === undefined || !ids.has(undoneEntryId));
}
