import type { History } from '../changes/journal/history.ts';
import type { Arguments } from './command.ts';
import { getRecoveryHints } from './commandHint.ts';
import { CommandRefusedError } from './exitCodes.ts';

/**
 * Requires that no change of an instance was interrupted: what it has written so far, such as temporary deny rules,
 * must not be mistaken for changes by other users.
 * @param history the journals of this machine; changes from other machines are unknown
 * @throws CommandRefusedError
 */
export async function requireNoInterruptedChange(
  history: History,
  connectionId: string,
  args: Arguments,
): Promise<void> {
  const [unfinished] = await history.readUnfinished(connectionId);
  if (unfinished !== undefined) {
    throw new CommandRefusedError(
      'An earlier change was interrupted. Finish it or roll it back first.',
      undefined,
      getRecoveryHints(unfinished.id, { args, usesProject: true }),
    );
  }
}
