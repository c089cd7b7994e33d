import type { HistoryEntry } from '../changes/journal/entry.ts';
import type { ConflictError, SecretsNeededError } from '../changes/run/writeErrors.ts';
import {
  type RecoveryHintInput,
  formatRecoveryCommand,
  getAbandonHint,
  getBlockedHint,
  getRecoveryHints,
} from './commandHint.ts';
import { formatConflict } from './errorMessages.ts';
import { CommandRefusedError } from './exitCodes.ts';

interface RefusedRecovery<E> extends RecoveryHintInput {
  readonly entry: HistoryEntry;
  readonly error: E;
}

/**
 * Creates the error for a change that conflicts with later changes by other users.
 * @param refused `isOtherPossible`: whether the change can be rolled back instead of finished, or the reverse;
 *   `isFinishPossible`: whether it can be finished once missing rules are restored; `neededVariables`: the environment
 *   variables that finishing it requires, as a sentence
 */
export function createConflictRefusal(
  command: 'resume' | 'roll-back',
  {
    entry,
    error,
    isOtherPossible,
    isFinishPossible,
    neededVariables,
    ...options
  }: RefusedRecovery<ConflictError> & {
    readonly isOtherPossible: boolean;
    readonly isFinishPossible: boolean;
    readonly neededVariables: string | undefined;
  },
): CommandRefusedError {
  const outcomes = ['finished', 'rolled back'] as const;
  const [outcome, otherOutcome] = command === 'resume' ? outcomes : outcomes.toReversed();
  const condition = command === 'resume' && isFinishPossible ? ' before you have restored these rules' : '';
  const other = isOtherPossible ? '' : `, and it can't be ${otherOutcome ?? ''} either`;
  const text = `${formatConflict(error, entry)} The change can't be ${outcome ?? ''}${condition}${other}. Nothing was written.${neededVariables === undefined ? '' : ` ${neededVariables}`}`;
  const [finishHint, rollBackHint] = getRecoveryHints(entry.id, options);
  return new CommandRefusedError(
    text,
    undefined,
    isOtherPossible
      ? [
          ...(isFinishPossible ? [finishHint] : []),
          ...(command === 'resume' ? [rollBackHint] : []),
          getAbandonHint(entry.id, options),
        ]
      : [getBlockedHint(entry.id, options)],
  );
}

/** Creates the error for a change whose rest needs secrets, which journals don't contain. */
export function createSecretsError(
  command: 'resume' | 'roll-back',
  { entry, error, ...options }: RefusedRecovery<SecretsNeededError>,
): CommandRefusedError {
  const paths = error.paths.map((path) => path.join('.')).join(', ');
  return command === 'resume'
    ? new CommandRefusedError(
        `The change can't be finished: finishing it requires ${paths}, but journals contain no secrets. Roll it back, and then run its command again.`,
        undefined,
        [
          `Roll back: ${formatRecoveryCommand('roll-back', entry.id, options)}`,
          getAbandonHint(entry.id, options),
        ],
      )
    : new CommandRefusedError(
        `The change can't be rolled back: rolling it back requires ${paths}, but journals contain no secrets. Finish it instead.`,
        undefined,
        [
          `Finish:    ${formatRecoveryCommand('resume', entry.id, options)}`,
          getAbandonHint(entry.id, options),
        ],
      );
}
