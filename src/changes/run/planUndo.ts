import type { HistoryEntry } from '../journal/entry.ts';
import type { History } from '../journal/history.ts';
import { translateToCurrentState } from '../journal/translateToCurrentState.ts';
import { getRefsToRead, type UndoOperation, createUndo } from '../journal/undo.ts';
import { DocumentReader } from '../model/documentReader.ts';
import type { ReadDocument } from '../model/readDocument.ts';
import { countUndos } from './runChecks.ts';
import type { RunOptions, WriteSession } from './runOptions.ts';

/** An undo or restore of an entry, computed from the server's current state. */
export type PlannedUndo = UndoOperation & Required<Pick<RunOptions, 'undoCountBefore'>>;

interface UndoDeps {
  readonly sessions: { get(connectionId: string): Promise<WriteSession> };
  readonly history: History;
}

/**
 * Creates the operation that undoes an entry, based on the server's current state.
 * @throws ApiError
 */
export async function planUndo(entry: HistoryEntry, deps: UndoDeps): Promise<PlannedUndo> {
  const { currentEntry, undoCountBefore } = await readCurrentEntry(entry, { treatReplacedAs: 'gone' }, deps);
  const { client } = await deps.sessions.get(entry.operation.connectionId);
  const documents = await readCurrentDocuments(currentEntry, new DocumentReader(client));
  return {
    ...(await createUndo(currentEntry, documents)),
    undoCountBefore,
  };
}

/** Returns the entry, translated to current IDs and hashes, and the number of its undos so far. */
export async function readCurrentEntry(
  entry: HistoryEntry,
  options: Parameters<typeof translateToCurrentState>[2],
  { history }: UndoDeps,
) {
  const entries = await history.readEntries(entry.operation.connectionId);
  return {
    currentEntry: translateToCurrentState(entry, entries, options),
    undoCountBefore: countUndos(entry.id, entries),
  };
}

/**
 * Reads the documents that an undo or restore of an entry depends on.
 * @throws ApiError
 */
export const readCurrentDocuments = (
  entry: HistoryEntry,
  reader: DocumentReader,
): Promise<readonly ReadDocument[]> =>
  Promise.all(getRefsToRead(entry).map(async (ref) => ({ ref, document: await reader.readDocument(ref) })));
