import type { HistoryEntry, WriteState } from './entry.ts';
import {
  type WrittenDocument,
  getDoneDocuments,
  getFailedDocuments,
  getPartlyWrittenDocuments,
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
  /**
   * The rules that it has written in part, or might have: several requests, and several writes, can change the rules on
   * one column. They are also in `failed` if a write has failed.
   */
  readonly partial: readonly WrittenDocument[];
  /** The documents that it has not tried to write yet. */
  readonly remaining: readonly WrittenDocument[];
}

const noDocuments: StoppedDocuments = { failed: [], unresolved: [], written: [], partial: [], remaining: [] };

/** Returns the documents of a list that another list doesn't have, whatever the operation does to them. */
export function omitDocuments(
  documents: readonly WrittenDocument[],
  omitted: readonly WrittenDocument[],
): readonly WrittenDocument[] {
  const keys = new Set(omitted.map(getKey));
  return documents.filter((document) => !keys.has(getKey(document)));
}

const getKey = ({ kind, containerTitle, name }: WrittenDocument): string =>
  JSON.stringify([kind, containerTitle, name]);

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
  const failed = getFailedDocuments(stopped, knownNames);
  const waiting = getWaitingDocuments(stopped, knownNames);
  const done = getDoneDocuments(stopped, knownNames);
  const unwritten = [...failed, ...waiting];
  const partial = [
    ...getPartlyWrittenDocuments(stopped, knownNames),
    ...done.filter(
      (document) => document.kind === 'columnRules' && omitDocuments([document], unwritten).length === 0,
    ),
  ];
  return {
    failed,
    unresolved: getUnresolvedDocuments(stopped, knownNames),
    written: omitDocuments(
      getWrittenDocuments(stopped, knownNames).filter(({ isCertain }) => isCertain),
      partial,
    ),
    partial: partial.filter(
      (document, index) => omitDocuments([document], partial.slice(0, index)).length > 0,
    ),
    remaining: omitDocuments(waiting, partial),
  };
}
