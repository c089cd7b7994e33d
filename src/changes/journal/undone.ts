import type { HistoryEntry } from './entry.ts';

/**
 * The ids of the entries that are taken back. Taking back counts when all of it was done, and as long as it was not
 * taken back itself: then what it had taken back stands again.
 */
export function getUndoneIds(entries: readonly HistoryEntry[]): ReadonlySet<string> {
  const undone = new Set<string>();
  // What takes an entry back is younger than it.
  for (const { id, end, undoes } of sortNewestFirst(entries)) {
    if (end === 'done' && undoes !== undefined && !undone.has(id)) {
      undone.add(undoes);
    }
  }
  return undone;
}

/** The last change that stands: what "Undo Last Change" takes back. `undefined` when there is none. */
export function getLastUndoable(entries: readonly HistoryEntry[]): HistoryEntry | undefined {
  const undone = getUndoneIds(entries);
  return sortNewestFirst(entries).find(
    ({ id, end, operation: { cause } }) => end === 'done' && cause !== 'undo' && !undone.has(id),
  );
}

const sortNewestFirst = (entries: readonly HistoryEntry[]): readonly HistoryEntry[] =>
  entries.toSorted((a, b) => b.at - a.at);
