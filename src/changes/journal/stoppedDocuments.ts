import type { HistoryEntry, WriteState } from './entry.ts';
import {
  type WrittenDocument,
  getFailedDocuments,
  getUnresolvedDocuments,
  getWaitingDocuments,
  getWrittenDocuments,
} from './writtenDocuments.ts';

/** How far an operation got that has stopped, by its documents. */
export interface StoppedDocuments {
  /** The documents of the writes that have failed. */
  readonly failed: readonly WrittenDocument[];
  /** The documents of the writes whose outcome is unknown. */
  readonly unresolved: readonly WrittenDocument[];
  /** The documents that it has certainly written. */
  readonly written: readonly WrittenDocument[];
  /** The documents that it has not tried to write yet. */
  readonly remaining: readonly WrittenDocument[];
}

const noDocuments: StoppedDocuments = { failed: [], unresolved: [], written: [], remaining: [] };

/**
 * Reads from the journal of a stopped operation how far it got. Never fails: without the journal, the documents have no
 * names, so none are returned.
 * @param operation.writeStates the states of its writes; by default, those that the journal has recorded
 * @param knownNames names by ID that not every journal contains
 */
export async function readStoppedDocuments(
  history: { readonly readEntry: (connectionId: string, id: string) => Promise<HistoryEntry | undefined> },
  {
    entryId,
    connectionId,
    writeStates,
  }: {
    readonly entryId: string;
    readonly connectionId: string;
    readonly writeStates?: readonly WriteState[] | undefined;
  },
  knownNames?: ReadonlyMap<string, string>,
): Promise<StoppedDocuments> {
  let entry: HistoryEntry | undefined;
  try {
    entry = await history.readEntry(connectionId, entryId);
  } catch {
    // The names are only an addition to a message about something worse.
  }
  if (entry === undefined) {
    return noDocuments;
  }
  const stopped: HistoryEntry = writeStates === undefined ? entry : { ...entry, writeStates };
  return {
    failed: getFailedDocuments(stopped, knownNames),
    unresolved: getUnresolvedDocuments(stopped, knownNames),
    written: getWrittenDocuments(stopped, knownNames).filter(({ isCertain }) => isCertain),
    remaining: getWaitingDocuments(stopped, knownNames),
  };
}
