import type { History } from '../changes/journal/history.ts';
import { InterruptedChangeError, requireFinishedChanges } from '../changes/journal/requireFinished.ts';
import { CommandRefusedError } from './exitCodes.ts';

/**
 * Requires that no change of an instance was interrupted.
 * @throws CommandRefusedError
 */
export async function requireNoInterruptedChange(history: History, connectionId: string): Promise<void> {
  try {
    await requireFinishedChanges(history, connectionId);
  } catch (error) {
    throw error instanceof InterruptedChangeError
      ? new CommandRefusedError(
          `An earlier change was interrupted. Finish it or roll it back first: datamodel-studio resume ${error.entry.id}, or roll-back ${error.entry.id}.`,
        )
      : error;
  }
}
