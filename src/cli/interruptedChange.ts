import type { History } from '../changes/journal/history.ts';
import { InterruptedChangeError, requireFinishedChanges } from '../changes/journal/requireFinished.ts';
import type { Arguments } from './command.ts';
import { getRecoveryHints } from './commandHint.ts';
import { CommandRefusedError } from './exitCodes.ts';

/**
 * Requires that no change of an instance was interrupted.
 * @throws CommandRefusedError
 */
export async function requireNoInterruptedChange(
  history: History,
  connectionId: string,
  args: Arguments,
): Promise<void> {
  try {
    await requireFinishedChanges(history, connectionId);
  } catch (error) {
    throw error instanceof InterruptedChangeError
      ? new CommandRefusedError(
          error.message,
          undefined,
          getRecoveryHints(error.entry.id, { args, usesProject: true }),
        )
      : error;
  }
}
