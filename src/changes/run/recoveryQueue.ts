import { KeyedQueue, type QueueOptions } from '../../base/keyedQueue.ts';
import type { TakeOverOptions } from '../journal/claimedError.ts';
import { type HistoryEntry, toRecordedProcess } from '../journal/entry.ts';
import type { History } from '../journal/history.ts';
import type { RecordedProcess } from '../journal/processIdentity.ts';
import { getUndoneIds } from '../journal/undoneEntries.ts';
import { canResume } from '../journal/stoppedOperation.ts';
import { wasReplacedLater } from '../journal/laterChanges.ts';
import { EndedError, ReplacedLaterError } from './writeErrors.ts';

/** The state of the undos of an unfinished operation. */
interface UndoState {
  /** Its undo if that is unfinished, too: it must be ended first. */
  readonly undoInProgress: HistoryEntry | undefined;
  /**
   * Whether an undo that may have changed something was abandoned: the states of the operation's writes are outdated.
   */
  readonly hasAbandonedUndo: boolean;
  /** Whether a later change has written what is in doubt, and nothing else may be written: see `wasMadeLater`. */
  readonly isReplacedLater: boolean;
}

/**
 * Makes sure that each unfinished operation is ended only once: its state is read again when a queued request is run,
 * since the user may have made the request twice, or in a window with outdated content.
 */
export class RecoveryQueue {
  readonly #history: History;
  /** The running and waiting tasks, by entry ID. */
  readonly #queue = new KeyedQueue<string>();

  constructor(history: History) {
    this.#history = history;
  }

  /**
   * Runs a function that ends an operation.
   * @param task receives the current entry, and the state of its undos
   * @throws EndedError if the entry was finished, undone, or abandoned, or no longer exists
   * @throws ClaimedError if another process is working on it, or may be
   * @throws the reason of the signal if it aborts while the function waits for another one
   */
  run<T>(
    entry: HistoryEntry,
    options: TakeOverOptions & QueueOptions,
    task: (current: HistoryEntry, undoState: UndoState) => Promise<T>,
  ): Promise<T> {
    const runWithState = async (): Promise<T> => {
      const { current, ...undoState } = await this.readState(entry, options);
      return task(current, undoState);
    };
    return this.#queue.run(entry.id, runWithState, options);
  }

  /**
   * Runs a function like {@link run} that finishes an operation or rolls it back.
   * @throws ReplacedLaterError
   */
  runToSend<T>(
    entry: HistoryEntry,
    options: TakeOverOptions & QueueOptions,
    task: (current: HistoryEntry, undoState: UndoState) => Promise<T>,
  ): Promise<T> {
    return this.run(entry, options, async (current, undoState) => {
      requireNotReplacedLater(undoState);
      return task(current, undoState);
    });
  }

  /**
   * Reads the state of an operation that will be finished or rolled back, like {@link readState}.
   * @throws ReplacedLaterError
   */
  async readStateToSend(
    entry: HistoryEntry,
    options: TakeOverOptions,
  ): Promise<UndoState & { readonly current: HistoryEntry }> {
    const state = await this.readState(entry, options);
    requireNotReplacedLater(state);
    return state;
  }

  /**
   * Returns the processes that have worked on an operation or its undo without recording an end.
   * @throws ClaimedError if one of them is still running, or may be
   */
  async requireEndedProcesses(
    { id, operation: { connectionId } }: HistoryEntry,
    options: TakeOverOptions,
  ): Promise<readonly RecordedProcess[]> {
    const unendedEntries = (await this.#history.readEntries(connectionId)).filter(
      (entry) => (entry.id === id || entry.undoneEntryId === id) && entry.end === undefined,
    );
    unendedEntries.forEach((entry) => this.#history.requireEnded(entry, options));
    return unendedEntries.map(toRecordedProcess);
  }

  /**
   * Reads the current entry of an operation, and the state of its undos.
   * @throws EndedError, ClaimedError as {@link run}
   */
  async readState(
    { id, operation: { connectionId } }: HistoryEntry,
    options: TakeOverOptions,
  ): Promise<UndoState & { readonly current: HistoryEntry }> {
    const entries = await this.#history.readEntries(connectionId);
    const interrupted = new Set(
      (await this.#history.readUnfinishedEntries(connectionId)).map((entry) => entry.id),
    );
    const undone = getUndoneIds(entries);
    const isUnfinished = (entry: HistoryEntry): boolean =>
      !undone.has(entry.id) && (entry.end === undefined || hasStopped(entry) || interrupted.has(entry.id));
    // Only the program that has made a change ends it.
    const current = entries.find((entry) => entry.id === id && entry.source === undefined);
    if (current === undefined || !isUnfinished(current)) {
      throw new EndedError();
    }
    // Another window may be undoing it: between its requests, no process claims the entry itself.
    const undos = entries.filter((entry) => entry.undoneEntryId === id);
    [current, ...undos].forEach((entry) => this.#history.requireEnded(entry, options));
    const undoInProgress = undos.find(isUnfinished);
    return {
      current,
      undoInProgress:
        undoInProgress !== undefined && mayHaveChanged(undoInProgress) ? undoInProgress : undefined,
      hasAbandonedUndo: undos.some(
        (undo) => undo.isAbandoned === true && !undone.has(undo.id) && mayHaveChanged(undo),
      ),
      isReplacedLater: wasReplacedLater(current, entries),
    };
  }

  /**
   * Returns the unfinished undos of an operation, each after those that undo it.
   * @param undoInProgress see {@link readState}
   * @throws EndedError, ClaimedError as {@link run}
   */
  async findUnfinishedUndos(
    { id, operation }: HistoryEntry,
    undoInProgress: HistoryEntry | undefined,
    options: TakeOverOptions,
  ): Promise<readonly HistoryEntry[]> {
    const unfinished = await this.#history.readUnfinishedEntries(operation.connectionId);
    const undos = new Map(
      [
        ...unfinished.filter(({ undoneEntryId }) => undoneEntryId === id),
        ...(undoInProgress ? [undoInProgress] : []),
      ].map((undo) => [undo.id, undo] as const),
    );
    const found: HistoryEntry[] = [];
    for (const undo of undos.values()) {
      const { current, undoInProgress: nextUndo } = await this.readState(undo, options);
      found.push(...(await this.findUnfinishedUndos(current, nextUndo, options)), current);
    }
    return found;
  }
}

function requireNotReplacedLater({ isReplacedLater: isMadeLater }: UndoState): void {
  if (isMadeLater) {
    throw new ReplacedLaterError();
  }
}

const hasStopped = ({ end, isAbandoned }: HistoryEntry): boolean => end === 'stopped' && isAbandoned !== true;

/** Returns whether an operation may have changed something; a single rejected request has not. */
const mayHaveChanged = (entry: HistoryEntry): boolean =>
  canResume(entry) || entry.writeStates.some(({ state }) => state !== 'failed' && state !== 'waiting');
