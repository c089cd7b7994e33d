import { canResume } from '../../changes/journal/stoppedOperation.ts';
import * as vscode from 'vscode';
import { type HistoryDocumentTarget, type HistoryTarget, schemes } from '../../contributions.ts';
import type { TakeOverOptions } from '../../changes/journal/claimedError.ts';
import type { HistoryEntry } from '../../changes/journal/entry.ts';
import { getLastUndoable } from '../../changes/journal/undoneEntries.ts';
import { ensureWritable } from '../../platform/ensureWritable.ts';
import { showInformation, showWarning } from '../../platform/messages.ts';
import { confirmEnded } from './confirmEnded.ts';
import { toPlainText } from '../../platform/serverText.ts';
import { withConnectionName } from '../../platform/connectionSuffix.ts';
import {
  ConflictError,
  EndedError,
  SecretsNeededError,
  StoppedError,
} from '../../changes/run/writeErrors.ts';
import type { HistoryFeatureDeps } from './deps.ts';
import { describeUnrestorable } from './describeUnrestorable.ts';
import {
  describeEntry,
  getEntryTitle,
  formatExactTime,
  describeOutcome,
  describeLocation,
} from './historyLabels.ts';

const t = vscode.l10n.t;

/** Undoes the last change, on any connection, that is not undone yet. */
export async function undoLast(deps: HistoryFeatureDeps): Promise<void> {
  const lastEntry = getLastUndoable(await getAllEntries(deps));
  if (lastEntry === undefined) {
    await showInformation(t('Nothing to undo.'));
    return;
  }
  await reviewAndUndo(deps, lastEntry, { mode: 'undo' });
}

/** Undoes one entry; without a target, the user picks one. Returns whether it was done. */
export async function undoEntry(
  deps: HistoryFeatureDeps,
  target: HistoryTarget | undefined,
): Promise<boolean> {
  const entry = await pickEntry(deps, target, t('Undo Change'));
  return entry !== undefined && reviewAndUndo(deps, entry, { mode: 'undo' });
}

/** Restores the documents of an entry to their state before it, overwriting the user's later changes. */
export async function restoreEntry(
  deps: HistoryFeatureDeps,
  target: HistoryTarget | undefined,
): Promise<void> {
  const entry = await pickEntry(deps, target, t('Restore Previous State'));
  if (entry !== undefined) {
    await reviewAndUndo(deps, entry, { mode: 'restore' });
  }
}

/**
 * Shows what undoing or restoring an entry would do, and does it once the user confirms. Returns whether it was done.
 */
async function reviewAndUndo(
  deps: HistoryFeatureDeps,
  entry: HistoryEntry,
  { mode, prepare }: { readonly mode: 'undo' | 'restore'; readonly prepare?: () => Promise<unknown> },
): Promise<boolean> {
  if (entry.source !== undefined && (entry.end === undefined || canResume(entry))) {
    // The command line still lists the change: resuming it there would send the rest on top of the undone state.
    await explainCommand('roll-back', entry);
    return false;
  }
  if (entry.otherAddress !== undefined) {
    await showWarning(
      t('The change was made at {0}. Undo it with a connection to that address.', entry.otherAddress),
    );
    return false;
  }
  const { connectionId } = entry.operation;
  if (!(await ensureWritable(deps, connectionId))) {
    return false;
  }
  const { writer } = await deps.changeServices();
  const title = getEntryTitle(entry);
  const result = await explainIfEnded(
    deps.performer.reviewUndo({
      connectionId,
      entryId: entry.id,
      title: mode === 'undo' ? t('Undo: {0}', title) : t('Restore: {0}', title),
      applyLabel: mode === 'undo' ? t('Undo') : t('Restore'),
      plan: (choices) => writer.planReviewedUndo(entry, mode, choices),
      ...(prepare === undefined ? {} : { prepare }),
    }),
    entry,
  );
  if (result === 'nothing') {
    await showInformation(
      mode === 'undo' ? t('Nothing to undo: {0}', title) : t('Nothing to restore: {0}', title),
    );
  } else if (result !== undefined) {
    showUndoneMessage(deps, entry, mode, result.keptNames);
  }
  return result !== undefined && result !== 'nothing';
}

/**
 * Shows that a change was rolled back, and what was not restored. Reads the entry again, since the rollback has
 * verified the outcome of its last write.
 */
async function showRolledBackMessage(deps: HistoryFeatureDeps, entry: HistoryEntry): Promise<void> {
  const { history } = await deps.changeServices();
  const ended = await history.readEntry(entry.operation.connectionId, entry.id);
  const { findUnrestorableItems } = await import('../../changes/journal/unrestorable.ts');
  const items = await findUnrestorableItems(ended ?? entry);
  showUndoneMessage(
    deps,
    entry,
    'undo',
    items.map(({ name }) => name),
  );
  // Not awaited: the notifications may stay open.
  describeUnrestorable(items).forEach((text) => void showWarning(text));
}

function showUndoneMessage(
  { connections }: HistoryFeatureDeps,
  entry: HistoryEntry,
  mode: 'undo' | 'restore',
  keptNames: readonly string[] = [],
): void {
  const title = getEntryTitle(entry);
  const isPartial = keptNames.length > 0;
  const text = withConnectionName(
    connections,
    entry.operation.connectionId,
    mode === 'undo'
      ? isPartial
        ? t('Partly undone: {0}', title)
        : t('Undone: {0}', title)
      : isPartial
        ? t('Partly restored: {0}', title)
        : t('Restored: {0}', title),
  );
  vscode.window.setStatusBarMessage(`$(discard) ${toPlainText(text)}`, statusMessageMs);
}

const statusMessageMs = 5000;

/**
 * Finishes an interrupted operation: its window was closed or killed, or it stopped after an error or a cancellation.
 */
export async function finishInterrupted(
  deps: HistoryFeatureDeps,
  target: HistoryTarget | undefined,
): Promise<void> {
  const entry = await findEntry(deps, target);
  if (entry !== undefined) {
    await finishEntry(deps, entry);
  }
}

/**
 * Finishes an unfinished operation.
 * @throws the errors of {@link awaitCompletion}
 */
export async function finishEntry(deps: HistoryFeatureDeps, entry: HistoryEntry): Promise<void> {
  if (entry.source === 'command-line') {
    await explainCommand('resume', entry);
  } else if (await ensureWritable(deps, entry.operation.connectionId)) {
    const { writer } = await deps.changeServices();
    const options = await confirmEnded(deps, entry);
    if (options !== undefined) {
      await awaitAndReportFinish(writer.resume(entry, options), entry);
      await updateProjectLock(deps, entry);
    }
  }
}

/**
 * Rolls back an interrupted operation: its window was closed or killed, or it stopped after an error or a cancellation.
 */
export async function rollBackInterrupted(
  deps: HistoryFeatureDeps,
  target: HistoryTarget | undefined,
): Promise<void> {
  const entry = await findEntry(deps, target);
  if (entry !== undefined) {
    await rollBackEntry(deps, entry);
  }
}

/**
 * Rolls back an unfinished operation. If someone else has changed its documents since, or secrets are needed, the user
 * reviews it.
 * @throws the errors of {@link awaitCompletion}
 */
export async function rollBackEntry(deps: HistoryFeatureDeps, entry: HistoryEntry): Promise<void> {
  if (entry.source === 'command-line') {
    await explainCommand('roll-back', entry);
    return;
  }
  if (!(await ensureWritable(deps, entry.operation.connectionId))) {
    return;
  }
  const { writer } = await deps.changeServices();
  const options = await confirmEnded(deps, entry);
  if (options === undefined) {
    return;
  }
  try {
    await awaitCompletion(writer.rollBack(entry, options), entry);
    await showRolledBackMessage(deps, entry);
  } catch (error) {
    if (!(await reviewRollBack(deps, entry, { error, options }))) {
      return;
    }
  }
  await updateProjectLock(deps, entry);
}

/**
 * Lets the user review a rollback that is not possible without a review. The review asks for secrets.
 * @returns whether it was done
 * @throws the error of the rollback if a review doesn't help
 */
async function reviewRollBack(
  deps: HistoryFeatureDeps,
  entry: HistoryEntry,
  { error, options }: { readonly error: unknown; readonly options: TakeOverOptions },
): Promise<boolean> {
  const { writer } = await deps.changeServices();
  const cause = error instanceof Error ? error.cause : undefined;
  if (cause instanceof ConflictError) {
    return reviewAndUndo(deps, entry, { mode: 'restore', prepare: () => writer.recordStop(entry, options) });
  }
  if (cause instanceof SecretsNeededError) {
    // The review shows what the operation has done, so its last write is verified first.
    return reviewAndUndo(deps, await writer.recordStop(entry, options), { mode: 'undo' });
  }
  throw error;
}

/**
 * Explains how to finish or roll back a change that was interrupted on the command line. Only the command line can do
 * so, because its journal must record these requests as well.
 */
async function explainCommand(command: 'resume' | 'roll-back', { id }: HistoryEntry): Promise<void> {
  const copyLabel = t('Copy Command');
  const text = t(
    'This change was interrupted on the command line. Run "{0}" in a terminal, with the options of the interrupted command.',
    `datamodel-studio ${command} ${id} --execute`,
  );
  if ((await showInformation(text, copyLabel)) === copyLabel) {
    await vscode.env.clipboard.writeText(`datamodel-studio ${command} ${id} --execute`);
  }
}

/**
 * After an interrupted apply, the lock file of the project does not match the instance. Updates the lock file, or else
 * suggests a pull, without waiting until the notification is closed.
 */
async function updateProjectLock(deps: HistoryFeatureDeps, entry: HistoryEntry): Promise<void> {
  if (entry.operation.cause === 'apply' && !(await deps.recordAppliedState(entry))) {
    void showInformation(
      t('Pull into the project {0} now to update its lock file.', entry.operation.subject.name),
    );
  }
}

/**
 * Waits until an interrupted operation is finished, and notifies the user.
 * @throws the errors of {@link awaitCompletion}
 */
async function awaitAndReportFinish(completion: Promise<unknown>, entry: HistoryEntry): Promise<void> {
  await awaitCompletion(completion, entry);
  const text = t('Finished: {0}', getEntryTitle(entry));
  vscode.window.setStatusBarMessage(`$(check) ${toPlainText(text)}`, statusMessageMs);
}

/**
 * Waits for an operation that finishes or undoes an entry.
 * @throws an Error with a user message if the entry was already finished or undone, for example after a second click
 */
async function explainIfEnded<T>(completion: Promise<T>, entry: HistoryEntry): Promise<T> {
  try {
    return await completion;
  } catch (error) {
    throw error instanceof EndedError
      ? new Error(t('Already finished or undone: {0}', getEntryTitle(entry)), { cause: error })
      : error;
  }
}

/**
 * Waits for the end of an interrupted operation, and shows progress.
 * @throws ApiError, or an Error that explains why the operation cannot be finished. A rollback that needs a review has
 *   a ConflictError or a SecretsNeededError as its cause.
 */
async function awaitCompletion(completion: Promise<unknown>, entry: HistoryEntry): Promise<void> {
  const title = getEntryTitle(entry);
  try {
    // Show progress, since a change of many rules takes a while.
    const location = vscode.ProgressLocation.Window;
    await vscode.window.withProgress({ location, title: toPlainText(title) }, () =>
      explainIfEnded(completion, entry),
    );
  } catch (error) {
    if (error instanceof StoppedError) {
      throw error.cause;
    }
    if (error instanceof ConflictError) {
      const text = t(
        'Can\'t finish "{0}": an item that it changes has changed on the server. Roll it back instead.',
        title,
      );
      throw new Error(text, { cause: error });
    }
    if (error instanceof SecretsNeededError) {
      throw new Error(t('Can\'t finish "{0}": secrets aren\'t stored. Roll it back and try again.', title), {
        cause: error,
      });
    }
    throw error;
  }
}

/** Opens a diff of a document before an entry and its current version on the server. */
export async function compareWithCurrent(
  deps: HistoryFeatureDeps,
  target: HistoryDocumentTarget | undefined,
): Promise<void> {
  const entry = await findEntry(deps, target);
  const snapshot = target === undefined ? undefined : entry?.before[target.document];
  if (entry === undefined || snapshot === undefined || target === undefined) {
    return;
  }
  // A menu passes its node, which has more properties than the URI of the document needs.
  const { connectionId, entryId, document } = target;
  const name = `${entry.operation.subject.name.replaceAll(/[/\\]/g, '∕') || snapshot.ref.kind}.json`;
  const toHistoryUri = (side: 'before' | 'now') =>
    vscode.Uri.from({
      scheme: schemes.history,
      path: `/${side}/${name}`,
      query: JSON.stringify({ connectionId, entryId, document, side }),
    });
  const title = t(
    '{0}: Before {1} ↔ Current',
    entry.operation.subject.name,
    formatExactTime(entry.startedAt),
  );
  await vscode.commands.executeCommand('vscode.diff', toHistoryUri('before'), toHistoryUri('now'), title);
}

async function findEntry(
  deps: HistoryFeatureDeps,
  target: HistoryTarget | undefined,
): Promise<HistoryEntry | undefined> {
  if (target?.entryId === undefined) {
    return undefined;
  }
  const { history } = await deps.changeServices();
  return history.readEntry(target.connectionId, target.entryId);
}

async function pickEntry(
  deps: HistoryFeatureDeps,
  target: HistoryTarget | undefined,
  title: string,
): Promise<HistoryEntry | undefined> {
  if (target !== undefined) {
    return findEntry(deps, target);
  }
  const entries = await getAllEntries(deps);
  const now = Date.now();
  const items = entries.map((entry) => ({
    label: toPlainText(getEntryTitle(entry)),
    description: describeEntry(entry, describeOutcome(entry), now),
    detail: toPlainText(describeLocation(entry, deps.connections.find(entry.operation.connectionId)?.name)),
    entry,
  }));
  if (items.length === 0) {
    await showInformation(t('The history is empty.'));
    return undefined;
  }
  return (await vscode.window.showQuickPick(items, { title, matchOnDetail: true }))?.entry;
}

/** Returns the entries of all connections, newest first. */
async function getAllEntries({
  changeServices,
  connections,
}: HistoryFeatureDeps): Promise<readonly HistoryEntry[]> {
  const { history } = await changeServices();
  const entriesByConnection = await Promise.all(connections.all.map(({ id }) => history.readEntries(id)));
  return entriesByConnection.flat().sort((a, b) => b.startedAt - a.startedAt);
}
