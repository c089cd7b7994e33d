import type { ResourceRef } from '../../catalog/resourceRef.ts';
import type { HistoryEntry } from '../journal/entry.ts';
import type { History } from '../journal/history.ts';
import { translateToCurrentState } from '../journal/translateToCurrentState.ts';
import { createUndo, getRefsToRead, getRestoredRuleRefs, type UndoOperation } from '../journal/undo.ts';
import { DocumentReader } from '../model/documentReader.ts';
import type { ReadDocument } from '../model/readDocument.ts';
import { findTitleConflicts } from './changedTitles.ts';
import { addRecordedRuleDatamodels } from './recordedRuleChecks.ts';
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
  const reader = new DocumentReader((await deps.sessions.get(entry.operation.connectionId)).client);
  const { currentEntry, currentDocuments, conflicts, undoCountBefore } = await readCurrentState(
    entry,
    { treatReplacedAs: 'gone', reader },
    deps,
  );
  const undo = await createUndo(currentEntry, currentDocuments);
  return { ...undo, expectedVersions: [...undo.expectedVersions, ...conflicts], undoCountBefore };
}

/**
 * Returns the entry, translated to current IDs and hashes, the number of its undos so far, the documents that an undo
 * or restore of it depends on, and `conflicts`, which stop it ({@link findTitleConflicts}). Rules that it doesn't
 * change are read only if it gives back a name that they are on: anyone who may not read them can undo everything else.
 * @throws ApiError
 */
export async function readCurrentState(
  entry: HistoryEntry,
  { reader, ...options }: Parameters<typeof translateToCurrentState>[2] & { readonly reader: DocumentReader },
  { history }: UndoDeps,
) {
  const entries = await history.readEntries(entry.operation.connectionId);
  const read = (refs: readonly ResourceRef[]): Promise<readonly ReadDocument[]> =>
    Promise.all(refs.map(async (ref) => ({ ref, document: await reader.readDocument(ref) })));
  const currentEntry = await addRecordedRuleDatamodels(
    translateToCurrentState(entry, entries, options),
    reader,
  );
  const documents = await read(getRefsToRead(currentEntry));
  return {
    currentEntry,
    conflicts: await findTitleConflicts(currentEntry, documents, reader),
    currentDocuments: [...documents, ...(await read(getRestoredRuleRefs(currentEntry, documents)))],
    undoCountBefore: countUndos(entry.id, entries),
  };
}
