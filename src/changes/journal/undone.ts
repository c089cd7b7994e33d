import type { HistoryEntry } from './entry.ts';

/**
 * Returns the IDs of the entries that are undone. An undo counts if it completed and was not itself undone: then the
 * entry that it had undone is in effect again.
 */
export function getUndoneIds(entries: readonly HistoryEntry[]): ReadonlySet<string> {
  const undone = new Set<string>();
  // The entry that undoes another is newer than it.
  for (const { id, end, undoes } of sortNewestFirst(entries)) {
    if (end === 'done' && undoes !== undefined && !undone.has(id)) {
      undone.add(undoes);
    }
  }
  return undone;
}

/** The last change in effect, which "Undo Last Change" undoes. `undefined` if there is none. */
export function getLastUndoable(entries: readonly HistoryEntry[]): HistoryEntry | undefined {
  const undone = getUndoneIds(entries);
  return sortNewestFirst(entries).find(
    ({ id, end, operation: { cause } }) => end === 'done' && cause !== 'undo' && !undone.has(id),
  );
}

const sortNewestFirst = (entries: readonly HistoryEntry[]): readonly HistoryEntry[] =>
  entries.toSorted((a, b) => b.at - a.at);
