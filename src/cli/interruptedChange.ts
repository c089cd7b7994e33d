import { joinNames } from '../base/joinNames.ts';
import { english } from '../base/localize.ts';
import { isSameSubject, type RuleSubject } from '../catalog/ruleSubject.ts';
import type { HistoryEntry } from '../changes/journal/entry.ts';
import type { History } from '../changes/journal/history.ts';
import {
  InterruptedChangeError,
  type UnfinishedChanges,
  requireFinishedChanges,
} from '../changes/journal/requireFinished.ts';
import type { AbandonedRelations } from '../changes/run/abandonedRelations.ts';
import { findUnfinishedDatamodelChange } from '../changes/run/heldBuilds.ts';
import type { Datamodel } from '../contract/datamodel.ts';
import { getWriteRuleSubject } from '../changes/model/ruleSubjects.ts';
import { isRuleWrite } from '../changes/rules/ruleAction.ts';
import { createWrittenCheck } from '../project/apply/writtenItems.ts';
import type { Arguments, CommandContext } from './command.ts';
import {
  type RecoveryHintInput,
  addAbandonHint,
  getRecoveryHints,
  createRecoveryArguments,
} from './commandHint.ts';
import { getRequiredConfirmation } from './confirmWrite.ts';
import { CommandRefusedError } from './exitCodes.ts';
import type { InstanceTarget } from './target.ts';

/**
 * Requires that no change of an instance was interrupted or is being made by another process.
 * @throws CommandRefusedError
 */
export async function requireNoInterruptedChange(
  history: History,
  target: InstanceTarget,
  args: Arguments,
): Promise<void> {
  try {
    await requireFinishedChanges(history, target.connection.id);
  } catch (error) {
    throw error instanceof InterruptedChangeError
      ? new CommandRefusedError(
          error.message,
          undefined,
          getHints(error, target, { args, usesProject: true }),
        )
      : error;
  }
}

/**
 * Warns if a change of an instance was interrupted, or is being made by another process: until it's finished, rolled
 * back, or abandoned, an apply is refused.
 * @returns the reason for the warning; `undefined` if there is no such change
 */
export async function warnOfInterruptedChange(
  history: UnfinishedChanges,
  target: InstanceTarget,
  { args, output }: Pick<CommandContext, 'args' | 'output'>,
): Promise<InterruptedChangeError | undefined> {
  const interrupted = await findInterruptedChange(history, target);
  if (interrupted !== undefined) {
    // The text output contains this note already, like everything else that is needed to judge a plan.
    if ((args.getValue('format') ?? 'text') !== 'text') {
      output.printMessage(formatInterruptedNote(interrupted), 'warning');
    }
    getHints(interrupted, target, { args, usesProject: true }).forEach((hint) => output.printMessage(hint));
  }
  return interrupted;
}

/**
 * Finds a change that has made only some of its writes of a datamodel, because it was interrupted or another process is
 * still making it. It must be finished or rolled back before the datamodel is built.
 * @returns why a build is refused, and the commands that end the change; `undefined` if there is no such change
 */
export async function findBuildBlockingChange(
  history: UnfinishedChanges,
  target: InstanceTarget,
  {
    datamodel,
    args,
    usesProject,
  }: { readonly datamodel: Datamodel } & Pick<RecoveryHintInput, 'args' | 'usesProject'>,
): Promise<BuildBlockingChange | undefined> {
  const error = await findUnfinishedDatamodelChange(history, target.connection.id, datamodel);
  return (
    error && {
      journal: error.entry.id,
      text: `${error.message} Until then, relations of ${datamodel.title} might be missing, and after a build, rules might not restrict all of its tables.`,
      hints: getHints(error, target, { args, usesProject }),
    }
  );
}

/** The maximum number of missing relations to name. */
const maxRelations = 10;

/** Says in a sentence for each abandoned change which relations of a datamodel it has left missing. */
export const describeAbandonedRelations = (
  title: string,
  changes: readonly AbandonedRelations[],
): readonly string[] =>
  changes.map(
    ({ entry, relations }) =>
      `Relations of ${title} are missing since change ${entry.id} was abandoned, so after a build, rules might not restrict all of its tables: ${joinNames(relations, english, maxRelations)}.`,
  );

/** The unfinished change that prevents a build of a datamodel. */
export interface BuildBlockingChange {
  readonly journal: string;
  readonly text: string;
  readonly hints: readonly string[];
}

/** Returns why an apply to an instance is refused; `undefined` if no change was interrupted or is being made. */
export async function findInterruptedChange(
  history: UnfinishedChanges,
  { connection }: InstanceTarget,
): Promise<InterruptedChangeError | undefined> {
  try {
    await requireFinishedChanges(history, connection.id);
    return undefined;
  } catch (error) {
    if (error instanceof InterruptedChangeError) {
      return error;
    }
    throw error;
  }
}

/** Creates a function that checks whether an interrupted change has written an item, or may have written it. */
export const createInterruptedCheck = (
  interrupted: InterruptedChangeError | undefined,
  loaded: Parameters<typeof createWrittenCheck>[1],
): ReturnType<typeof createWrittenCheck> =>
  interrupted?.state === 'ended' || interrupted?.state === 'unknown'
    ? createWrittenCheck(interrupted.entry, loaded)
    : () => false;

/** Converts an interrupted change to its member in JSON outputs. */
export const toInterruptedNote = (
  error: InterruptedChangeError | undefined,
): { interrupted?: { journal: string; text: string } } =>
  error === undefined ? {} : { interrupted: { journal: error.entry.id, text: formatInterruptedNote(error) } };

const formatInterruptedNote = ({ message }: InterruptedChangeError): string =>
  `${message} Until then, an apply is refused.`;

const getHints = (
  { entry, state }: InterruptedChangeError,
  target: InstanceTarget,
  options: Pick<RecoveryHintInput, 'args' | 'usesProject'>,
): readonly string[] => (state === 'running' ? [] : getAllRecoveryHints(entry, { target, ...options }));

/**
 * Returns the commands that finish, roll back, or abandon an interrupted change, with a label each. Abandoning is
 * suggested, too, because a change that always fails at the same step can't be finished.
 */
export function getAllRecoveryHints(
  entry: HistoryEntry,
  {
    target,
    args,
    usesProject,
  }: Pick<RecoveryHintInput, 'args' | 'usesProject'> & { readonly target: InstanceTarget },
): readonly string[] {
  const ownArgs = createRecoveryArguments(entry, target, args);
  const environmentName = ownArgs.getValue('environment') ?? target.environmentName;
  const options = {
    args: ownArgs,
    usesProject,
    confirmation: getRequiredConfirmation(entry, { ...target, environmentName }),
  };
  return addAbandonHint(getRecoveryHints(entry.id, options), entry.id, options);
}

/**
 * Finds an interrupted change of the rules of a datamodel or cube set, such as an apply: it may have left temporary
 * deny rules.
 */
export async function findInterruptedRuleChange(
  history: Pick<History, 'readUnfinishedEntries'>,
  connectionId: string,
  subject: RuleSubject,
): Promise<HistoryEntry | undefined> {
  const entries = await history.readUnfinishedEntries(connectionId);
  return entries.find(({ operation }) =>
    operation.writes.some((write) => {
      const written = isRuleWrite(write) ? getWriteRuleSubject(write) : undefined;
      return written !== undefined && isSameSubject(written, subject);
    }),
  );
}
