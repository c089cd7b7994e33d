import type { HistoryEntry } from './entry.ts';

/**
 * Returns the IDs of the entries that are undone. An undo counts only if it completed and was not undone itself.
 */
export function getUndoneIds(entries: readonly HistoryEntry[]): ReadonlySet<string> {
  const undone = new Set<string>();
  // Newest first: an undo is newer than the entry that it undoes.
  for (const { id, end, undoes } of sortNewestFirst(entries)) {
    if (end === 'done' && undoes !== undefined && !undone.has(id)) {
      undone.add(undoes);
    }
  }
  return undone;
}

/** Returns the last change in effect, which "Undo Last Change" undoes; `undefined` if there is none. */
export function getLastUndoable(entries: readonly HistoryEntry[]): HistoryEntry | undefined {
  const undone = getUndoneIds(entries);
  return sortNewestFirst(entries).find(
    ({ id, end, operation: { cause } }) => end === 'done' && cause !== 'undo' && !undone.has(id),
  );
}

const sortNewestFirst = (entries: readonly HistoryEntry[]): readonly HistoryEntry[] =>
  entries.toSorted((a, b) => b.startedAt - a.startedAt);
