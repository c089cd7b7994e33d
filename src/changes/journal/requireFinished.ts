import { MessageError, createMessage } from '../../base/localize.ts';
import type { HistoryEntry } from './entry.ts';
import type { History } from './history.ts';
import { readInterruptedChanges } from './interruptedChanges.ts';

/** A change of an instance was interrupted, and is neither finished nor rolled back. */
export class InterruptedChangeError extends MessageError {
  override readonly name = 'InterruptedChangeError';
  readonly entry: HistoryEntry;

  constructor(entry: HistoryEntry) {
    super(createMessage('An earlier change was interrupted. Finish it or roll it back first.'));
    this.entry = entry;
  }
}

/**
 * Requires that no change of an instance was interrupted: what it has written so far, such as temporary deny rules,
 * must not be mistaken for changes by other users, and what it's rolled back to must not be mistaken for them later.
 * @param history the journals of this machine; changes from other machines are unknown
 * @throws InterruptedChangeError
 */
export async function requireFinishedChanges(
  history: Pick<History, 'readEntries' | 'readUnfinished'>,
  connectionId: string,
): Promise<void> {
  const [interrupted] = await readInterruptedChanges(history, connectionId);
  if (interrupted !== undefined) {
    throw new InterruptedChangeError(interrupted);
  }
}
