import type { OperationCause } from '../model/operation.ts';
import type { HistoryEntry } from './entry.ts';
import type { History } from './history.ts';
import { canResume, mayHaveWritten } from './stoppedOperation.ts';
import { getUndoneIds } from './undoneEntries.ts';

/**
 * The causes of changes that have a command to continue them after they have stopped. Any other change that has
 * stopped, such as a save, is simply made again.
 */
const resumableCauses: ReadonlySet<OperationCause> = new Set(['apply', 'bulk']);

/**
 * Reads the changes that were interrupted and have, or may have, written something: those that have no recorded end or
 * left temporary deny rules, and applies and changes of many rules that have stopped, or whose undo has. Excludes
 * changes that were undone or abandoned, and stopped changes that a later apply of the same project, or a later change
 * of the same datamodel, has superseded.
 * @param history the journals of this machine; changes from other machines are unknown
 * @returns newest first
 */
export async function readInterruptedChanges(
  history: Pick<History, 'readEntries' | 'readUnfinished'>,
  connectionId: string,
): Promise<readonly HistoryEntry[]> {
  const entries = await history.readEntries(connectionId);
  const byId = new Map(entries.map((entry) => [entry.id, entry]));
  const unfinishedIds = new Set((await history.readUnfinished(connectionId)).map(({ id }) => id));
  const undoneIds = getUndoneIds(entries);
  const isResumable = ({ undoes, operation: { cause } }: HistoryEntry): boolean => {
    const undone = undoes === undefined ? undefined : byId.get(undoes);
    return undone === undefined ? resumableCauses.has(cause) : isResumable(undone);
  };
  // An interrupted change and its interrupted undo end together, so only the change is included.
  const endsAlone = ({ undoes }: HistoryEntry): boolean =>
    undoes === undefined || byId.get(undoes)?.end === 'done';
  const hasUnfinishedUndo = ({ id }: HistoryEntry): boolean =>
    entries.some(
      (undo) =>
        undo.undoes === id &&
        !undoneIds.has(undo.id) &&
        (unfinishedIds.has(undo.id) || (undo.end === 'stopped' && undo.isAbandoned !== true)),
    );
  return entries.filter(
    (entry, index) =>
      endsAlone(entry) &&
      mayHaveWritten(entry) &&
      (unfinishedIds.has(entry.id) ||
        ((canResume(entry) ||
          (entry.end === 'stopped' && entry.isAbandoned !== true && hasUnfinishedUndo(entry))) &&
          isResumable(entry) &&
          !undoneIds.has(entry.id) &&
          !entries.slice(0, index).some((later) => supersedes(later, entry)))),
  );
}

/**
 * Returns whether a change that has written nothing, as far as it is known, was made again since. What it was meant to
 * write is that of the later change, so undoing it would undo the later one.
 */
export async function wasMadeAgain(
  history: Pick<History, 'readEntries'>,
  entry: HistoryEntry,
): Promise<boolean> {
  const entries = await history.readEntries(entry.operation.connectionId);
  const index = entries.findIndex(({ id }) => id === entry.id);
  return !mayHaveWritten(entry) && entries.slice(0, index).some((later) => supersedes(later, entry));
}

/** Returns whether a later change has completed what an earlier one was meant to do. */
const supersedes = ({ end, operation: later }: HistoryEntry, { operation }: HistoryEntry): boolean =>
  end === 'done' &&
  later.connectionId === operation.connectionId &&
  later.cause === operation.cause &&
  later.subject.name === operation.subject.name &&
  later.project?.folder === operation.project?.folder &&
  later.project?.environment === operation.project?.environment;
