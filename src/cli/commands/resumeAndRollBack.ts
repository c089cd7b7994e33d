import { type RuleChangeResult, resumeChange, rollBackChange } from '../../changes/bulkRules/runChange.ts';
import type { HistoryEntry } from '../../changes/journal/entry.ts';
import { readStoppedDocuments } from '../../changes/journal/stoppedDocuments.ts';
import { findOriginalChange } from '../../changes/journal/undoneEntries.ts';
import { formatStepCount } from '../stepCount.ts';
import {
  getResultExitCode,
  toResultOutput,
  warnOfOtherRuleChanges,
  reportStoppedChange,
} from '../changeResult.ts';
import type { CommandContext, RunCommand } from '../command.ts';
import { getRecoveryExecuteHint, getRequiredConfirmation, requireRecoveryAllowed } from '../confirmWrite.ts';
import { exitCodes, CommandRefusedError } from '../exitCodes.ts';
import { closeAfterGracePeriod } from '../closeAfterGracePeriod.ts';
import { type ChangeServices, type Instance, openInstance } from '../instance.ts';
import { toInstanceOutput, outputVersion, type ResultOutput } from '../outputParts.ts';
import {
  findInterruptedUndo,
  findRequestedEntries,
  formatInterrupted,
  isLockOutdated,
  requireExistingStateFolder,
  requireEntry,
  toInterruptedOutput,
  updateLockAfterRecovery,
} from '../recoverableChanges.ts';
import { explainRefusal, findRefusal } from '../refusedRecovery.ts';
import { printApplyPreview, reportFinishedApply } from '../finishedApply.ts';
import { printRecoveredBuilds, toBuildsOutput } from '../recoveredBuilds.ts';
import {
  type RollBackDifferences,
  describeReplacedItems,
  describeUnrestorableItems,
  findRollBackDifferences,
  isPermanentlyLost,
  noDifferences,
  previewRollBack,
  readIfPossible,
  reportNeededBuilds,
  reportRollBackResult,
  warnOfMissingRules,
} from '../rollBackReport.ts';
import type { InterruptedOutput } from '../recoveryOutputSchemas.ts';
import { createRunControl } from '../runControl.ts';
import { formatStepDocuments, formatUndoneSteps, loadJournalNames } from '../writtenDocuments.ts';
import { describeNeededVariables } from '../neededVariables.ts';
import { insertConnectionSecrets } from '../../project/apply/connectionSecrets.ts';
import type { Operation, RequiredBuild } from '../../changes/model/operation.ts';
import { type ProjectTarget, readOptionalProjectTarget } from '../projectTarget.ts';

/** Lists the interrupted changes, or shows one and, with `--execute`, finishes it. */
export const resumeCommand: RunCommand = (context) => runRecoveryCommand('resume', context);

/** Shows an interrupted change and, with `--execute`, undoes what it has done. */
export const rollBackCommand: RunCommand = (context) => runRecoveryCommand('roll-back', context);

async function runRecoveryCommand(
  command: 'resume' | 'roll-back',
  context: CommandContext,
): ReturnType<RunCommand> {
  const { args, shell, output, clock } = context;
  // If the variable with the ID is empty in a script, the command must not seem to succeed.
  if (args.has('execute') && args.positionals.length === 0) {
    throw new CommandRefusedError('Missing: ID. To list the interrupted changes, remove --execute.', command);
  }
  const { instance: target, project } = await readOptionalProjectTarget(context);
  const instance = openInstance(target, shell, clock);
  const gracePeriod = closeAfterGracePeriod(instance, context.signal, clock);
  try {
    const changes = await instance.openChangeServices(await requireExistingStateFolder(context));
    const entries = await findRequestedEntries(changes, target.connection, args.positionals[0], {
      sendsRequests: true,
    });
    if (args.has('execute') && args.positionals.length > 0) {
      const original = await findOriginalChange(requireEntry(entries), changes);
      requireRecoveryAllowed(original, target, args);
    }
    // Only the preview of one change shows documents whose names may have to be read from the instance.
    const names =
      args.positionals.length > 0 && !args.has('execute')
        ? await loadJournalNames(entries, instance, context.signal)
        : new Map<string, string>();
    const interrupted = await Promise.all(
      entries.map(async (entry) =>
        toInterruptedOutput(entry, await findOriginalChange(entry, changes), names),
      ),
    );
    let differences =
      command === 'roll-back' && args.positionals.length > 0 && !args.has('execute')
        ? await previewRollBack(requireEntry(entries), instance)
        : noDifferences;
    const isJson = args.getValue('format') === 'json';
    if (!isJson) {
      for (const change of interrupted) {
        const line = formatInterrupted(change, target);
        // With --execute, the steps that were done before aren't the result of the command.
        if (args.has('execute')) {
          output.printMessage(line);
        } else {
          output.printLine(line);
        }
      }
      if (!args.has('execute')) {
        warnOfOtherProcesses(entries, context, changes);
      }
      if (args.positionals.length > 0 && !args.has('execute')) {
        const entry = requireEntry(entries);
        const undo = await findInterruptedUndo(entry, changes);
        [
          ...formatStepDocuments(entry, names),
          ...(undo === undefined ? [] : formatUndoneSteps(undo, names)),
        ].forEach((line) => output.printLine(`    ${line}`));
        if (command === 'resume' && entry.operation.cause === 'apply') {
          printApplyPreview(entry, context);
          const neededVariables = await describeNeededVariables(entry, {
            env: shell.env,
            address: target.connection.url,
          });
          if (neededVariables !== undefined) {
            output.printMessage(neededVariables, 'warning');
          }
        }
        if (differences.unrestorable.length > 0) {
          output.printMessage(
            describeUnrestorableItems(differences.unrestorable, { isPreview: true }),
            'warning',
          );
        }
        describeReplacedItems(differences, { isPreview: true }).forEach((line) =>
          output.printMessage(line, 'warning'),
        );
      }
    }
    let result: RecoveryResult | undefined;
    if (args.positionals.length === 0) {
      const running = await changes.history.readRunningEntries(target.connection.id);
      for (const entry of running) {
        output.printMessage(
          `Change ${entry.id} is still in progress in process ${entry.pid}. If the process was just killed, run the command again.${formatTakeOverHint(entry, changes.history)}`,
          'warning',
        );
      }
      if (entries.length + running.length === 0) {
        output.printMessage('No interrupted changes.');
      }
    } else if (args.has('execute')) {
      result = await execute(
        command,
        { changes, entry: requireEntry(entries), instance, address: target.connection.url, project },
        context,
      );
      ({ differences } = result);
    } else {
      const entry = requireEntry(entries);
      const original = await findOriginalChange(entry, changes);
      const refusal = await findRefusal(
        command,
        { changes, entry, address: target.connection.url },
        { usesProject: project !== undefined, confirmation: getRequiredConfirmation(original, target) },
        context,
      );
      if (refusal === undefined) {
        output.printMessage(`Nothing was written. ${getRecoveryExecuteHint(original, target, 'write')}`);
      } else {
        output.printMessage(refusal.message, 'warning');
        refusal.hints.forEach((hint) => output.printMessage(hint));
      }
    }
    if (isJson) {
      output.printJson({
        version: outputVersion,
        command,
        instance: toInstanceOutput(target.connection),
        interrupted: result === undefined ? interrupted : await describeEnded(entries, { changes, instance }),
        ...toDifferencesOutput(differences),
        ...toBuildsOutput(result),
        ...(result === undefined ? {} : { result: result.output }),
      });
    }
    if (result === undefined) {
      return exitCodes.done;
    }
    if (!isJson) {
      output.printLine(formatOutcome(command, result));
    }
    const exitCode = result.hasRemainingItems ? exitCodes.differs : getResultExitCode(result.output);
    return result.isLockOutdated && exitCode !== exitCodes.unknown ? exitCodes.failed : exitCode;
  } finally {
    gracePeriod.dispose();
    instance.dispose();
  }
}

/** Converts what a rollback changes to the members of the output; nothing for what there is none of. */
const toDifferencesOutput = ({ unrestorable, newIds, lostBookmarks }: RollBackDifferences) => ({
  ...(unrestorable.length === 0 ? {} : { notRestored: unrestorable.map(({ name }) => name) }),
  ...(newIds.length === 0 ? {} : { newIds }),
  ...(lostBookmarks.length === 0 ? {} : { lostBookmarks }),
});

/** Describes a change after it was finished or rolled back, or has stopped again. */
async function describeEnded(
  [before]: readonly HistoryEntry[],
  { changes, instance }: Pick<RecoveryInput, 'changes' | 'instance'>,
): Promise<readonly InterruptedOutput[]> {
  if (before === undefined) {
    return [];
  }
  const entry = (await changes.history.readEntry(before.operation.connectionId, before.id)) ?? before;
  // Not interruptible: the change is already made, so its result must be reported.
  const names = await readIfPossible(() => loadJournalNames([entry], instance, new AbortController().signal));
  return [toInterruptedOutput(entry, await findOriginalChange(entry, changes), names)];
}

/** Warns of changes that may still be in progress on another computer or in another container. */
function warnOfOtherProcesses(
  entries: readonly HistoryEntry[],
  { output }: CommandContext,
  { history }: ChangeServices,
): void {
  for (const entry of entries) {
    if (entry.end === undefined && history.getProcessState(entry) === 'unknown') {
      output.printMessage(
        `Change ${entry.id} was interrupted, or is still in progress in process ${entry.pid} on ${entry.process?.host ?? 'another computer'}. If that process is no longer running, finish or roll back the change with --take-over.`,
        'warning',
      );
    }
  }
}

/** Formats how to take over a change whose process can't be distinguished from another one with the same process ID. */
const formatTakeOverHint = (entry: HistoryEntry, history: ChangeServices['history']): string =>
  history.getProcessState(entry) === 'id-in-use'
    ? ' If that process belongs to another program, finish or roll back the change with --take-over.'
    : '';

/** Formats the outcome of a change in one line. */
function formatOutcome(
  command: 'resume' | 'roll-back',
  { output: { journal, steps }, hasStopped }: RecoveryResult,
): string {
  const verb = hasStopped ? 'stopped' : command === 'resume' ? 'finished' : 'rolled back';
  return `${journal}  ${verb}: ${formatStepCount(steps)} done`;
}

interface RecoveryInput {
  readonly changes: ChangeServices;
  readonly entry: HistoryEntry;
  readonly instance: Instance;
  readonly address: string;
  /** The project whose lock file gets the result; `undefined` if none was named. */
  readonly project: ProjectTarget | undefined;
}

interface RecoveryResult {
  readonly output: ResultOutput;
  /** Whether not all writes were sent, or might not have been. */
  readonly hasStopped: boolean;
  /** Whether items are left for a later apply, or may be left by a rollback. */
  readonly hasRemainingItems: boolean;
  /** Whether the lock file couldn't be updated. */
  readonly isLockOutdated: boolean;
  /** What is different after the rollback, or will be. */
  readonly differences: RollBackDifferences;
  /** The builds to do now; absent if the change isn't done. */
  readonly builds?: readonly RequiredBuild[];
  /** The datamodels to build before the next apply. */
  readonly neededBuilds?: readonly string[] | undefined;
}

async function execute(
  command: 'resume' | 'roll-back',
  { changes: { history, writer }, entry, instance, address, project }: RecoveryInput,
  context: CommandContext,
): Promise<RecoveryResult> {
  const { args, clock, output, shell, signal } = context;
  const usesProject = project !== undefined;
  // Hints repeat the value of `--confirm`, with which this command was allowed to write.
  const confirmation = args.getValue('confirm');
  instance.unlock();
  const control = { ...createRunControl(context), takesOver: args.has('take-over') };
  const secretSource = { env: shell.env, address };
  const insertSecrets = (operation: Operation) =>
    insertConnectionSecrets(operation, { variables: shell.env, address });
  const canRecover = (ending: 'resume' | 'roll-back'): Promise<boolean> =>
    writer.canRecover(entry, ending, { ...control, insertSecrets });
  const running =
    command === 'resume'
      ? resumeChange({ writer, clock }, entry, { ...control, insertSecrets })
      : rollBackChange({ writer, clock }, entry, control);
  const run: RuleChangeResult = await running.catch(async (error: unknown) => {
    throw await explainRefusal(command, error, {
      entry,
      secretSource,
      canRecover,
      args,
      usesProject,
      confirmation,
    });
  });
  // A rollback has a journal of its own, but the output contains the ID of the change.
  const result = { ...toResultOutput(run, signal), journal: entry.id };
  const ended = (await history.readEntry(entry.operation.connectionId, entry.id)) ?? entry;
  // The rollback has found out whether the last write was done.
  const differences = command === 'roll-back' ? await findRollBackDifferences(ended) : noDifferences;
  const { unrestorable } = differences;
  const original = await findOriginalChange(ended, { history });
  if (run.stopError === undefined) {
    let isInDoubt = false;
    if (command === 'roll-back') {
      isInDoubt = await reportRollBackResult(ended, unrestorable, { instance, output });
      describeReplacedItems(differences, { isPreview: false }).forEach((line) =>
        output.printMessage(line, 'warning'),
      );
      await reportNeededBuilds(original, { instance, output });
    }
    const entries = await history.readEntries(entry.operation.connectionId);
    const after =
      original.operation.cause === 'apply'
        ? await updateLockAfterRecovery({ project, instance, ended: { entry: original, entries } }, context)
        : undefined;
    warnOfOtherRuleChanges(run, context);
    if (command === 'resume' && after !== undefined && original === ended) {
      const finished = reportFinishedApply(after, ended, context);
      const { problem, needsAnotherApply, neededBuilds } = finished;
      return {
        output: { ...result, ...problem },
        hasStopped: false,
        hasRemainingItems: needsAnotherApply && problem === undefined,
        isLockOutdated: isLockOutdated(after, context),
        differences,
        builds: printRecoveredBuilds(command, ended, context, finished),
        neededBuilds,
      };
    }
    if (command === 'resume') {
      output.printMessage('Done. The change was finished.');
    }
    return {
      builds: printRecoveredBuilds(command, ended, context),
      output: result,
      hasStopped: false,
      hasRemainingItems: isInDoubt || !unrestorable.every(isPermanentlyLost),
      isLockOutdated: isLockOutdated(after, context),
      differences,
    };
  }
  if (command === 'roll-back') {
    await warnOfMissingRules(original, run.stopError, { instance, output });
  }
  const { connectionId } = entry.operation;
  const documents = await readStoppedDocuments(history, { ...run.stopError.report, connectionId });
  const neededVariables =
    command === 'resume' ? await describeNeededVariables(ended, secretSource) : undefined;
  await reportStoppedChange(result, run.stopError, context, {
    ...documents,
    usesProject,
    confirmation,
    neededVariables,
    canRecover,
  });
  return { output: result, hasStopped: true, hasRemainingItems: false, isLockOutdated: false, differences };
}
