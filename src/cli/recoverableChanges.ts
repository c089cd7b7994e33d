import { access } from 'node:fs/promises';
import type { HistoryEntry } from '../changes/journal/entry.ts';
import { readTenantConnectionId } from '../catalog/tenantConnection.ts';
import type { AppliedProject } from '../changes/model/operation.ts';
import { findOtherAddress } from '../changes/journal/commandLineJournal.ts';
import { findOriginalChange, getUndoneIds } from '../changes/journal/undoneEntries.ts';
import { describeWrites } from '../changes/journal/writtenDocuments.ts';
import { readInterruptedChanges } from '../changes/journal/interruptedChanges.ts';
import { wasReplacedLater } from '../changes/journal/laterChanges.ts';
import { defaultEnvironmentName } from '../project/settings/projectSettings.ts';
import type { RemoteConnection } from '../connections/connection.ts';
import { formatStepCount } from './stepCount.ts';
import { formatLockHint, updateAppliedLock } from './appliedLockFile.ts';
import type { CommandContext } from './command.ts';
import { formatEnvironmentCommand, quoteWord } from './commandHint.ts';
import { formatCliError } from './errorMessages.ts';
import { CommandRefusedError } from './exitCodes.ts';
import type { ChangeServices, Instance } from './instance.ts';
import { type EndedApply, type EndedState, recordEndedApply } from '../project/apply/endedApply.ts';
import type { InterruptedOutput } from './recoveryOutputSchemas.ts';
import { type LoadedPlan, loadPlan } from './projectPlan.ts';
import type { ProjectTarget } from './projectTarget.ts';
import { type InstanceTarget, getStateFolder, convertStateFolderErrors } from './target.ts';
import { toStepDocument } from './writtenDocuments.ts';

/**
 * Returns the folder of the journals, for a command that needs an interrupted change.
 * @throws CommandRefusedError if the --state folder doesn't exist: the command would find no changes in it
 */
export async function requireExistingStateFolder({ args, shell }: CommandContext): Promise<string> {
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
 * Returns the change with the requested ID; without an ID, all interrupted changes of the connection.
 * @param options.sendsRequests whether the command may send requests for the change; `abandon` doesn't
 * @throws CommandRefusedError if no change with that ID was interrupted, it was made with another tenant
 *   or at another address, or the journals can't be read
 */
export async function readRequestedEntries(
  { history }: ChangeServices,
  connection: RemoteConnection,
  journalId: string | undefined,
  { sendsRequests }: { readonly sendsRequests: boolean },
): Promise<readonly HistoryEntry[]> {
  const { id: connectionId } = connection;
  if (journalId === undefined) {
    return convertStateFolderErrors(() => readInterruptedChanges(history, connectionId));
  }
  const entry = await convertStateFolderErrors(() => history.readEntry(connectionId, journalId));
  if (entry === undefined) {
    throw new CommandRefusedError(
      'Change not found for this instance. Use the instance and the --state folder of the change. To list interrupted changes, run resume without an ID.',
    );
  }
  if (entry.operation.connectionId !== connectionId) {
    const tenantId = readTenantConnectionId(entry.operation.connectionId)?.tenantId;
    throw new CommandRefusedError(
      tenantId === undefined
        ? 'The change was made without a tenant. Remove --tenant, or use an environment without a tenant.'
        : `The change was made with another tenant. Use --tenant ${quoteWord(tenantId)}.`,
    );
  }
  const original = await findOriginalChange(entry, { history });
  const otherAddress = findOtherAddress(entry, original, connection.url);
  if (otherAddress !== undefined) {
    throw new CommandRefusedError(
      `The change was made at another address, which might belong to another server. Use --url ${quoteWord(otherAddress)}, or an environment with that address.`,
    );
  }
  if (entry.isAbandoned === true) {
    throw new CommandRefusedError(
      'The change was abandoned. To undo what it has written, use the History view of the editor.',
    );
  }
  if (entry.end === 'done' || entry.end === 'rolled-back') {
    throw new CommandRefusedError('The change is already finished or rolled back.');
  }
  if (sendsRequests && wasReplacedLater(entry, await history.readEntries(entry.operation.connectionId))) {
    throw new CommandRefusedError(
      'This change wrote nothing before it stopped, and a later change has written the same items. Undo the later change in the History view of the editor, or abandon this change.',
    );
  }
  return [entry];
}

/** @throws CommandRefusedError if there is no entry */
export function requireEntry([entry]: readonly HistoryEntry[]): HistoryEntry {
  if (entry === undefined) {
    throw new CommandRefusedError('Change not found for this instance.');
  }
  return entry;
}

/** Returns the undo of an interrupted change that was interrupted itself; `undefined` if there is none. */
export async function findInterruptedUndo(
  { id, operation: { connectionId } }: HistoryEntry,
  { history }: Pick<ChangeServices, 'history'>,
): Promise<HistoryEntry | undefined> {
  const entries = await history.readEntries(connectionId);
  const undone = getUndoneIds(entries);
  return entries.find(
    (entry) => entry.undoneEntryId === id && !undone.has(entry.id) && entry.end !== 'rolled-back',
  );
}

/**
 * Converts an interrupted change to JSON output.
 * @param original the change that the entry undoes; the entry itself if it isn't an undo
 * @param names the names of documents by ID, which not every journal contains
 */
export function toInterruptedOutput(
  entry: HistoryEntry,
  original: HistoryEntry,
  names?: ReadonlyMap<string, string>,
): InterruptedOutput {
  const { id, startedAt, operation, writeStates: states, actor, undoneEntryId } = entry;
  const { cause, project, subject, connectionId } = original.operation;
  const tenant = readTenantConnectionId(connectionId)?.tenantId;
  const documents = describeWrites(entry, names);
  return {
    journal: id,
    time: new Date(startedAt).toISOString(),
    ...(actor === undefined ? {} : { actor }),
    ...(tenant === undefined ? {} : { tenant }),
    ...(undoneEntryId === undefined ? {} : { undoes: undoneEntryId }),
    ...(cause === 'apply'
      ? { project: describeProject(subject.name, project) }
      : { datamodel: subject.name }),
    // An undo leaves nothing for another apply.
    ...(undoneEntryId !== undefined || project?.deferredItems === undefined
      ? {}
      : { deferred: [...project.deferredItems] }),
    steps: operation.writes.map(({ endpoint }, index) => ({
      endpoint,
      state: states[index]?.state ?? 'waiting',
      documents: (documents[index] ?? []).map(toStepDocument),
    })),
  };
}

/** @param name the name of the project; journals of earlier versions contain nothing else about it */
function describeProject(
  name: string,
  project: AppliedProject | undefined,
): NonNullable<InterruptedOutput['project']> {
  const { folder = name, environment } = project ?? {};
  return { folder, ...(environment === undefined ? {} : { environment }) };
}

/** Formats an interrupted change in one line. */
export function formatInterrupted(
  { journal, time, tenant, datamodel, project, undoes, steps }: InterruptedOutput,
  { connection }: Pick<InstanceTarget, 'connection'>,
): string {
  const done = steps.filter(({ state }) => state === 'done').length;
  const subject =
    project === undefined
      ? `rules of ${datamodel ?? ''}`
      : `apply of ${project.folder} to ${project.environment ?? connection.name}`;
  const tenantText =
    tenant === connection.tenantId ? '' : tenant === undefined ? ', without a tenant' : `, tenant ${tenant}`;
  return `${journal}  ${time}  ${undoes === undefined ? '' : 'undo of the '}${subject}${tenantText}: ${formatStepCount({ done, total: steps.length })} done`;
}

/** What is needed to update the lock file of a project after a change was finished, rolled back, or abandoned. */
interface LockUpdate {
  /** `undefined` if the options don't name a project. */
  readonly project: ProjectTarget | undefined;
  readonly instance: Instance;
  readonly ended: EndedApply;
}

/**
 * The project and the instance after the lock file was updated; or why they weren't compared: the options don't name
 * the project and environment of the change, or the two couldn't be read.
 */
export type LockUpdateResult =
  | { readonly after: LoadedPlan; readonly recorded: EndedState; readonly isLockWritten: boolean }
  | 'no-project'
  | 'failed';

/** Records the state of the instance in the lock file of the project, or prints how to do that. */
export async function updateLockAfterRecovery(
  { project, instance, ended }: LockUpdate,
  context: CommandContext,
): Promise<LockUpdateResult> {
  const { args, output } = context;
  const environmentName = ended.entry.operation.project?.environment ?? defaultEnvironmentName;
  if (project?.environmentName !== environmentName) {
    const command = formatEnvironmentCommand(['pull'], environmentName, args);
    output.printMessage(
      `The project's lock file wasn't updated. In the project folder, run: ${command}`,
      'warning',
    );
    return 'no-project';
  }
  try {
    // Not interruptible: the change is already made, so the lock file must be updated.
    const after = await loadPlan(project, {
      instance,
      context: { ...context, signal: new AbortController().signal },
      options: { limits: {}, prunedKinds: new Set(), ignoredCodes: new Set() },
      mayBeSent: false,
    });
    const recorded = recordEndedApply(after, ended);
    return { after, recorded, isLockWritten: await updateAppliedLock(after, recorded, context) };
  } catch (error) {
    output.printMessage(
      `The lock file couldn't be updated. ${formatCliError(error)} ${formatLockHint(args)}`,
      'warning',
    );
    return 'failed';
  }
}

/**
 * Returns whether the lock file of a project should have been updated, but couldn't be: also if the options name a
 * folder that isn't the project, or another environment. Without these options, it isn't meant to be updated.
 */
export const isLockOutdated = (
  updated: LockUpdateResult | undefined,
  { args }: Pick<CommandContext, 'args'>,
): boolean =>
  updated === 'failed' ||
  (updated === 'no-project' && (args.has('project') || args.has('environment'))) ||
  (typeof updated === 'object' && !updated.isLockWritten);
