import { KeyedQueue } from '../../base/keyedQueue.ts';
import type { HistoryEntry } from '../journal/entry.ts';
import { ClaimedError, type History } from '../journal/history.ts';
import { getUndoneIds } from '../journal/undone.ts';
import { canResume } from '../journal/interrupted.ts';
import { EndedError } from './problems.ts';

/**
 * Operations that did not come to their end are ended once: what a person asked for twice, or in a window that still
 * shows what another has ended, is looked at again when its turn comes.
 */
export class RecoveryQueue {
  readonly #history: History;
  /** By entry. */
  readonly #queue = new KeyedQueue<string>();

  constructor(history: History) {
    this.#history = history;
  }

  /**
   * @param end is given the entry as it is now, and its taking back where that was begun and did not come to its end
   * either: both at once would leave what neither of them leaves
   * @throws EndedError when the entry was finished or taken back, or is kept no longer
   * @throws ClaimedError when another window is at it
   */
  run<T>(
    { id, operation: { connectionId } }: HistoryEntry,
    end: (now: HistoryEntry, undoInProgress: HistoryEntry | undefined) => Promise<T>,
  ): Promise<T> {
    return this.#queue.run(id, async () => {
      const { now, begun: undoInProgress } = await this.#readState(connectionId, id);
      return end(now, undoInProgress);
    });
  }

  async #readState(
    connectionId: string,
    id: string,
  ): Promise<{ readonly now: HistoryEntry; readonly begun: HistoryEntry | undefined }> {
    const entries = await this.#history.entries(connectionId);
    const interrupted = new Set((await this.#history.unfinished(connectionId)).map((entry) => entry.id));
    const undone = getUndoneIds(entries);
    const isOpen = (entry: HistoryEntry): boolean =>
      !undone.has(entry.id) && (hasStopped(entry) || interrupted.has(entry.id));
    const now = entries.find((entry) => entry.id === id);
    if (now === undefined || !isOpen(now)) {
      throw now === undefined || now.end !== undefined ? new EndedError() : new ClaimedError();
    }
    const isRunning = (entry: HistoryEntry): boolean => entry.end === undefined && !interrupted.has(entry.id);
    if (entries.some((entry) => entry.undoes === id && isRunning(entry))) {
      // Another window takes it back: between its requests the entry itself is nobody's.
      throw new ClaimedError();
    }
    const undoInProgress = entries.find((entry) => entry.undoes === id && isOpen(entry));
    return {
      now,
      begun: undoInProgress !== undefined && mayHaveChanged(undoInProgress) ? undoInProgress : undefined,
    };
  }
}

const hasStopped = ({ end, writes }: HistoryEntry): boolean =>
  end === 'stopped' && writes.some(({ state }) => state !== 'done');

/** A single request that was refused has changed nothing. */
const mayHaveChanged = (entry: HistoryEntry): boolean =>
  canResume(entry) || entry.writes.some(({ state }) => state !== 'failed' && state !== 'waiting');
