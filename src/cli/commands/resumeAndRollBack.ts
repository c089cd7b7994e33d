import { access } from 'node:fs/promises';
import { type ChangeRun, resumeChange, rollBackChange } from '../../changes/bulkRules/runChange.ts';
import type { HistoryEntry } from '../../changes/journal/entry.ts';
import type { History } from '../../changes/journal/history.ts';
import { getUndoneIds } from '../../changes/journal/undoneEntries.ts';
import { canResume } from '../../changes/journal/stoppedOperation.ts';
import { formatLockHint, updateAppliedLock } from '../appliedLockFile.ts';
import { getResultExitCode, toResultOutput, reportOtherChanges, reportStopped } from '../changeResult.ts';
import type { CommandContext, RunCommand } from '../command.ts';
import { formatCommand, formatRecoveryCommand } from '../commandHint.ts';
import { requireWritable } from '../confirmWrite.ts';
import { formatCliError, formatStopError } from '../errorMessages.ts';
import { exitCodes, CommandRefusedError } from '../exitCodes.ts';
import { closeAfterGracePeriod } from '../closeAfterGracePeriod.ts';
import { type ChangeServices, type Instance, openInstance } from '../instance.ts';
import { type InterruptedOutput, toInstanceOutput, outputVersion, type ResultOutput } from '../outputs.ts';
import { ConflictError, SecretsNeededError } from '../../changes/run/writeErrors.ts';
import { createRunControl } from '../runControl.ts';
import { type ProjectTarget, readOptionalProjectTarget } from '../projectTarget.ts';
import { loadPlan } from '../projectPlan.ts';
import { type InstanceTarget, getStateFolder } from '../target.ts';

/** Lists the interrupted changes, or shows one and, with `--execute`, finishes it. */
export const resumeCommand: RunCommand = (context) => runRecoveryCommand('resume', context);

/** Shows an interrupted change and, with `--execute`, undoes what it has done. */
export const rollBackCommand: RunCommand = (context) => runRecoveryCommand('roll-back', context);

async function runRecoveryCommand(
  command: 'resume' | 'roll-back',
  context: CommandContext,
): ReturnType<RunCommand> {
  const { args, shell, output, clock } = context;
  const { instance: target, project, environmentName } = await readOptionalProjectTarget(context);
  if (args.has('execute') && args.positionals.length > 0) {
    requireWritable({ environmentName, role: target.connection.role }, args);
  }
  const instance = openInstance(target, shell, clock);
  const gracePeriod = closeAfterGracePeriod(instance, context.signal, clock);
  try {
    const changes = await instance.openChangeServices(await requireExistingFolder(context));
    const entries = await findRequestedEntries(changes, target.connection.id, args.positionals[0]);
    const interrupted = await Promise.all(
      entries.map(async (entry) => toInterruptedOutput(entry, await findOriginal(entry, changes))),
    );
    const isJson = args.getValue('format') === 'json';
    if (!isJson) {
      interrupted.forEach((change) => output.printLine(formatInterrupted(change, target)));
    }
    let result: ResultOutput | undefined;
    if (args.positionals.length === 0) {
      if (entries.length === 0) {
        output.printMessage('No interrupted changes.');
      }
    } else if (args.has('execute')) {
      result = await execute(command, { changes, entry: requireEntry(entries), instance, project }, context);
    } else {
      output.printMessage('Nothing was written. Add --execute to write.');
    }
    if (isJson) {
      output.printJson({
        version: outputVersion,
        command,
        instance: toInstanceOutput(target.connection),
        interrupted,
        ...(result === undefined ? {} : { result }),
      });
    }
    return result === undefined ? exitCodes.done : getResultExitCode(result);
  } finally {
    gracePeriod.dispose();
    instance.dispose();
  }
}

/** @throws CommandRefusedError if the folder of --state does not exist: the command would otherwise report no changes */
async function requireExistingFolder({ args, shell }: CommandContext): Promise<string> {
  const folder = getStateFolder({ args, shell });
  if (args.has('state')) {
    try {
      await access(folder);
    } catch {
      throw new CommandRefusedError("The --state folder doesn't exist.");
    }
  }
  return folder;
}

/**
 * Finds the changes that have no recorded end or left temporary deny rules, and stopped ones that can be resumed, unless
 * these were undone, or a later apply of the same project or change of the same datamodel has completed; newest first.
 */
async function findInterruptedChanges(
  history: History,
  connectionId: string,
): Promise<readonly HistoryEntry[]> {
  const entries = await history.readEntries(connectionId);
  const unfinishedIds = new Set((await history.readUnfinished(connectionId)).map(({ id }) => id));
  const undoneIds = getUndoneIds(entries);
  // An interrupted change and its interrupted undo end together, so only the change is listed.
  const isListed = ({ undoes }: HistoryEntry): boolean =>
    undoes === undefined || entries.some(({ id, end }) => id === undoes && end === 'done');
  return entries.filter(
    (entry, index) =>
      isListed(entry) &&
      (unfinishedIds.has(entry.id) ||
        (canResume(entry) &&
          !undoneIds.has(entry.id) &&
          !entries
            .slice(0, index)
            .some(
              ({ end, operation }) =>
                end === 'done' &&
                operation.cause === entry.operation.cause &&
                operation.subject.name === entry.operation.subject.name &&
                operation.project?.folder === entry.operation.project?.folder &&
                operation.project?.environment === entry.operation.project?.environment,
            ))),
  );
}

/** @throws CommandRefusedError if no change with that ID was interrupted */
async function findRequestedEntries(
  { history }: ChangeServices,
  connectionId: string,
  journalId: string | undefined,
): Promise<readonly HistoryEntry[]> {
  if (journalId === undefined) {
    return findInterruptedChanges(history, connectionId);
  }
  const entry = await history.readEntry(connectionId, journalId);
  if (entry === undefined) {
    throw new CommandRefusedError(
      'Journal not found for this instance. Use the same instance, --tenant, and --state as for the change. To list journals, run resume without an ID.',
    );
  }
  if (entry.end === 'done' || entry.end === 'rolled-back') {
    throw new CommandRefusedError('The change is already finished or rolled back.');
  }
  return [entry];
}

function requireEntry([entry]: readonly HistoryEntry[]): HistoryEntry {
  if (entry === undefined) {
    throw new CommandRefusedError('Journal not found for this instance.');
  }
  return entry;
}

interface RecoveryInput {
  readonly changes: ChangeServices;
  readonly entry: HistoryEntry;
  readonly instance: Instance;
  /** The project whose lock file gets the result; `undefined` if none was named. */
  readonly project: ProjectTarget | undefined;
}

async function execute(
  command: 'resume' | 'roll-back',
  { changes: { history, writer }, entry, instance, project }: RecoveryInput,
  context: CommandContext,
): Promise<ResultOutput> {
  const { args, clock, output, signal } = context;
  const usesProject = project !== undefined;
  instance.unlock();
  const control = createRunControl(context);
  const run: ChangeRun = await (command === 'resume' ? resumeChange : rollBackChange)(
    { writer, clock },
    entry,
    control,
  ).catch((error: unknown) => {
    if (error instanceof ConflictError) {
      const outcome = command === 'resume' ? 'finished' : 'rolled back';
      // As long as the change has no recorded end, its own command is refused.
      const advice =
        entry.end === undefined
          ? 'Undo what has been changed since, and then try again.'
          : 'Run the original command again.';
      throw new CommandRefusedError(`${formatStopError(error)} The change can't be ${outcome}. ${advice}`);
    }
    throw error instanceof SecretsNeededError
      ? createSecretsError(command, { entry, error, args, usesProject })
      : error;
  });
  // A rollback has a journal of its own; the output names that of the change.
  const result = { ...toResultOutput(run, signal), journal: entry.id };
  if (run.stopError === undefined) {
    output.printMessage(
      command === 'resume' ? 'Done. The change was finished.' : 'Done. The change was rolled back.',
    );
    reportOtherChanges(run, context);
    if ((await findOriginal(entry, { history })).operation.cause === 'apply') {
      await updateLock(project, instance, context);
    }
  } else {
    reportStopped(result, run.stopError, context, { usesProject });
  }
  return result;
}

/** Records the state of the instance in the lock file of the project, or says how to do that. */
async function updateLock(
  project: ProjectTarget | undefined,
  instance: Instance,
  context: CommandContext,
): Promise<void> {
  const { args, output } = context;
  if (project === undefined) {
    output.printMessage(
      `The lock file of the project wasn't updated. In the folder of the project, run: ${formatCommand(['pull', '--conflicts', 'ours'], args)}`,
      'warning',
    );
    return;
  }
  try {
    // The change is done already, even if the command is interrupted now.
    const after = await loadPlan(project, {
      instance,
      context: { ...context, signal: new AbortController().signal },
      options: { limits: {}, prunedKinds: new Set(), ignoredCodes: new Set() },
    });
    await updateAppliedLock(after, context);
  } catch (error) {
    output.printMessage(
      `The lock file couldn't be updated: ${formatCliError(error)} ${formatLockHint(args)}`,
      'warning',
    );
  }
}

function createSecretsError(
  command: 'resume' | 'roll-back',
  {
    entry,
    error,
    ...options
  }: {
    readonly entry: HistoryEntry;
    readonly error: SecretsNeededError;
    readonly args: CommandContext['args'];
    readonly usesProject: boolean;
  },
): CommandRefusedError {
  const paths = error.paths.map((path) => path.join('.')).join(', ');
  return command === 'resume'
    ? new CommandRefusedError(
        `The change can't be finished: journals contain no secrets, and it needs ${paths}. Roll it back, then run its command again.`,
        undefined,
        [`Roll back: ${formatRecoveryCommand('roll-back', entry.id, options)}`],
      )
    : new CommandRefusedError(
        `The change can't be rolled back: journals contain no secrets, and that needs ${paths}. Finish it instead.`,
        undefined,
        [`Finish: ${formatRecoveryCommand('resume', entry.id, options)}`],
      );
}

/** Follows an undo, or an undo of an undo, back to the original change; returns the entry itself if it undoes nothing. */
async function findOriginal(
  entry: HistoryEntry,
  { history }: Pick<ChangeServices, 'history'>,
): Promise<HistoryEntry> {
  const { undoes, operation } = entry;
  const undone = undoes === undefined ? undefined : await history.readEntry(operation.connectionId, undoes);
  return undone === undefined ? entry : findOriginal(undone, { history });
}

function toInterruptedOutput(
  { id, startedAt, operation: { writes }, writes: states, actor, undoes }: HistoryEntry,
  { operation: { cause, project, subject } }: HistoryEntry,
): InterruptedOutput {
  return {
    journal: id,
    time: new Date(startedAt).toISOString(),
    ...(actor === undefined ? {} : { actor }),
    ...(undoes === undefined ? {} : { undoes }),
    ...(cause === 'apply' ? { project: project ?? { folder: subject.name } } : { datamodel: subject.name }),
    steps: writes.map(({ endpoint }, index) => ({
      endpoint,
      state: states[index]?.state ?? 'waiting',
    })),
  };
}

function formatInterrupted(
  { journal, time, datamodel, project, undoes, steps }: InterruptedOutput,
  { connection }: Pick<InstanceTarget, 'connection'>,
): string {
  const done = steps.filter(({ state }) => state === 'done').length;
  const subject =
    project === undefined
      ? `rules of ${datamodel ?? ''}`
      : `apply of ${project.folder} to ${project.environment ?? connection.name}`;
  return `${journal}  ${time}  ${undoes === undefined ? '' : 'undo of the '}${subject}: ${done} of ${steps.length} steps done`;
}
