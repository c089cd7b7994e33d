import type { HistoryEntry } from './entry.ts';

/**
 * Returns the undo of each entry that is undone, by the entry's ID. An undo counts only if it completed and was not
 * undone itself.
 */
export function getUndos(entries: readonly HistoryEntry[]): ReadonlyMap<string, HistoryEntry> {
  const undos = new Map<string, HistoryEntry>();
  // Newest first: an undo is newer than the entry that it undoes.
  for (const entry of sortNewestFirst(entries)) {
    const { id, end, undoneEntryId } = entry;
    if (end === 'done' && undoneEntryId !== undefined && !undos.has(id) && !undos.has(undoneEntryId)) {
      undos.set(undoneEntryId, entry);
    }
  }
  return undos;
}

/** Returns the IDs of the entries that are undone. */
export const getUndoneIds = (entries: readonly HistoryEntry[]): ReadonlySet<string> =>
  new Set(getUndos(entries).keys());

/**
 * Returns entries with the end of those whose rollback is done, although their processes have ended before they could
 * record that. Nothing is left to do for them.
 */
export function addMissingEnds(entries: readonly HistoryEntry[]): readonly HistoryEntry[] {
  if (entries.every(({ end }) => end !== undefined)) {
    return entries;
  }
  const undoneIds = getUndoneIds(entries);
  return entries.map((entry) =>
    entry.end === undefined && undoneIds.has(entry.id) ? { ...entry, end: 'rolled-back' } : entry,
  );
}

/** Returns an entry, its undos that aren't done, and those of these undos: they are abandoned together. */
export const getEntryWithOpenUndos = (
  entry: HistoryEntry,
  entries: readonly HistoryEntry[],
): readonly [HistoryEntry, ...(readonly HistoryEntry[])] => [
  entry,
  ...entries
    .filter(({ undoneEntryId, end }) => undoneEntryId === entry.id && end !== 'done')
    .flatMap((undo) => getEntryWithOpenUndos(undo, entries)),
];

/** Reads the entries of a connection by their IDs. */
interface EntryReader {
  readEntry(connectionId: string, id: string): Promise<HistoryEntry | undefined>;
}

/** Returns the change that an entry undoes, through a chain of undos; the entry itself if it undoes nothing. */
export async function findOriginalChange(
  entry: HistoryEntry,
  { history }: { readonly history: EntryReader },
): Promise<HistoryEntry> {
  const { undoneEntryId, operation } = entry;
  const undone =
    undoneEntryId === undefined ? undefined : await history.readEntry(operation.connectionId, undoneEntryId);
  return undone === undefined ? entry : findOriginalChange(undone, { history });
}

/** Returns the change that "Undo Last Change" undoes: the last one in effect; `undefined` if there is none. */
export function getLastUndoable(entries: readonly HistoryEntry[]): HistoryEntry | undefined {
  const undone = getUndoneIds(entries);
  return sortNewestFirst(entries).find(
    ({ id, end, operation: { cause }, otherAddress }) =>
      end === 'done' && cause !== 'undo' && !undone.has(id) && otherAddress === undefined,
  );
}

const sortNewestFirst = (entries: readonly HistoryEntry[]): readonly HistoryEntry[] =>
  entries.toSorted((a, b) => b.startedAt - a.startedAt);
