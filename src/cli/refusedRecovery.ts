import type { HistoryEntry } from '../changes/journal/entry.ts';
import { getFinishCondition } from '../changes/run/finishCondition.ts';
import { ConflictError, SecretsNeededError } from '../changes/run/writeErrors.ts';
import type { Operation } from '../changes/model/operation.ts';
import { MissingVariableError } from '../project/apply/connections.ts';
import { insertConnectionSecrets } from '../project/apply/connectionSecrets.ts';
import { addAbandonHint, getRecoveryHints, type RecoveryHintInput } from './commandHint.ts';
import type { CommandContext } from './command.ts';
import { formatConflict } from './errorMessages.ts';
import { CommandRefusedError } from './exitCodes.ts';
import type { ChangeServices } from './instance.ts';
import { describeNeededVariables } from './neededVariables.ts';
import { createRunControl } from './runControl.ts';

interface RefusedRecovery<E> extends RecoveryHintInput {
  readonly entry: HistoryEntry;
  readonly error: E;
}

/**
 * Returns the error for an interrupted change that can't be finished or rolled back, with the commands that can still
 * end it. Returns any other error as it is.
 * @param options `canRecover` returns whether the change can be finished (`resume`) or rolled back (`roll-back`)
 */
export async function explainRefusal(
  command: 'resume' | 'roll-back',
  error: unknown,
  {
    entry,
    secretSource,
    canRecover,
    ...options
  }: RecoveryHintInput & {
    readonly entry: HistoryEntry;
    readonly secretSource: Parameters<typeof describeNeededVariables>[1];
    readonly canRecover: (ending: 'resume' | 'roll-back') => Promise<boolean>;
  },
): Promise<unknown> {
  if (error instanceof ConflictError) {
    const isOtherPossible = await canRecover(command === 'resume' ? 'roll-back' : 'resume');
    const isFinishPossible =
      command === 'resume' ? getFinishCondition(error) !== 'impossible' : isOtherPossible;
    const neededVariables = isFinishPossible ? await describeNeededVariables(entry, secretSource) : undefined;
    return createConflictRefusal(command, {
      entry,
      error,
      isOtherPossible,
      isFinishPossible,
      neededVariables,
      ...options,
    });
  }
  if (error instanceof MissingVariableError) {
    const requirement = (await describeNeededVariables(entry, secretSource)) ?? error.message;
    const hints = getRecoveryHints(entry.id, options);
    return new CommandRefusedError(`${requirement} Nothing was written.`, undefined, hints);
  }
  return error instanceof SecretsNeededError
    ? createSecretsError(command, { entry, error, ...options })
    : error;
}

/**
 * Returns why the command would be refused with `--execute`, as far as this shows without a write; `undefined` if it
 * wouldn't be, or if that can't be determined. That environment variables aren't set is described with those that are
 * required, so it's no reason here.
 */
export async function findRefusal(
  command: 'resume' | 'roll-back',
  {
    changes: { writer },
    entry,
    address,
  }: {
    readonly changes: Pick<ChangeServices, 'writer'>;
    readonly entry: HistoryEntry;
    readonly address: string;
  },
  hintInput: Pick<RecoveryHintInput, 'usesProject' | 'confirmation'>,
  context: CommandContext,
): Promise<CommandRefusedError | undefined> {
  const { args, shell } = context;
  const control = { ...createRunControl(context), takesOver: args.has('take-over') };
  const secretSource = { env: shell.env, address };
  const insertSecrets = (operation: Operation) =>
    insertConnectionSecrets(operation, { variables: shell.env, address });
  try {
    await writer.planRecovery(entry, command, { ...control, insertSecrets });
    return undefined;
  } catch (error) {
    if (error instanceof MissingVariableError) {
      return undefined;
    }
    const explained = await explainRefusal(command, error, {
      entry,
      secretSource,
      canRecover: (ending) => writer.canRecover(entry, ending, { ...control, insertSecrets }),
      args,
      ...hintInput,
    });
    return explained instanceof CommandRefusedError ? explained : undefined;
  }
}

/**
 * Creates the error for a change that conflicts with later changes by other users.
 * @param refused `isOtherPossible`: whether the change can be rolled back instead of finished, or the reverse;
 *   `isFinishPossible`: whether it can be finished once missing rules are restored; `neededVariables`: the environment
 *   variables that finishing it requires, as a sentence
 */
function createConflictRefusal(
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
  const hints = [...(isFinishPossible ? [finishHint] : []), ...(command === 'resume' ? [rollBackHint] : [])];
  return new CommandRefusedError(
    text,
    undefined,
    addAbandonHint(isOtherPossible ? hints : [], entry.id, options),
  );
}

/**
 * Creates the error for a change that can't be finished, or can't be rolled back, because its remaining requests need
 * secrets, which journals don't contain.
 */
function createSecretsError(
  command: 'resume' | 'roll-back',
  { entry, error, ...options }: RefusedRecovery<SecretsNeededError>,
): CommandRefusedError {
  const paths = error.paths.map((path) => path.join('.')).join(', ');
  const [finishHint, rollBackHint] = getRecoveryHints(entry.id, options);
  return command === 'resume'
    ? new CommandRefusedError(
        `The change can't be finished: finishing it requires ${paths}, but journals contain no secrets. Roll it back, and then run its command again.`,
        undefined,
        addAbandonHint([rollBackHint], entry.id, options),
      )
    : new CommandRefusedError(
        `The change can't be rolled back: rolling it back requires ${paths}, but journals contain no secrets. Finish it instead.`,
        undefined,
        addAbandonHint([finishHint], entry.id, options),
      );
}
