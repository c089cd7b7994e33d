import { KeyedQueue } from '../../base/keyedQueue.ts';
import type { HistoryEntry } from '../journal/entry.ts';
import { ClaimedError, type History } from '../journal/history.ts';
import { getUndoneIds } from '../journal/undoneEntries.ts';
import { canResume } from '../journal/stoppedOperation.ts';
import { EndedError } from './writeErrors.ts';

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
   * @param task receives the current entry, and its undo if that is unfinished too: it must be ended first
   * @throws EndedError if the entry was finished, undone, or abandoned, or no longer exists
   * @throws ClaimedError if another window is working on it
   */
  run<T>(
    { id, operation: { connectionId } }: HistoryEntry,
    task: (current: HistoryEntry, undoInProgress: HistoryEntry | undefined) => Promise<T>,
  ): Promise<T> {
    return this.#queue.run(id, async () => {
      const { current, undoInProgress } = await this.#readState(connectionId, id);
      return task(current, undoInProgress);
    });
  }

  async #readState(
    connectionId: string,
    id: string,
  ): Promise<{ readonly current: HistoryEntry; readonly undoInProgress: HistoryEntry | undefined }> {
    const entries = await this.#history.readEntries(connectionId);
    const interrupted = new Set((await this.#history.readUnfinished(connectionId)).map((entry) => entry.id));
    const undone = getUndoneIds(entries);
    const isUnfinished = (entry: HistoryEntry): boolean =>
      !undone.has(entry.id) && (hasStopped(entry) || interrupted.has(entry.id));
    // Only the program that has made a change ends it.
    const current = entries.find((entry) => entry.id === id && entry.source === undefined);
    if (current === undefined || !isUnfinished(current)) {
      throw current === undefined || current.end !== undefined ? new EndedError() : new ClaimedError();
    }
    const isRunning = (entry: HistoryEntry): boolean => entry.end === undefined && !interrupted.has(entry.id);
    if (entries.some((entry) => entry.undoes === id && isRunning(entry))) {
      // Another window is undoing it: between its requests, no process claims the entry itself.
      throw new ClaimedError();
    }
    const undoInProgress = entries.find((entry) => entry.undoes === id && isUnfinished(entry));
    return {
      current,
      undoInProgress:
        undoInProgress !== undefined && mayHaveChanged(undoInProgress) ? undoInProgress : undefined,
    };
  }
}

const hasStopped = ({ end, isAbandoned }: HistoryEntry): boolean => end === 'stopped' && isAbandoned !== true;

/** Returns whether an operation may have changed something; a single rejected request has not. */
const mayHaveChanged = (entry: HistoryEntry): boolean =>
  canResume(entry) || entry.writes.some(({ state }) => state !== 'failed' && state !== 'waiting');
