import { canResume } from '../../changes/journal/stoppedOperation.ts';
import * as vscode from 'vscode';
import { type HistoryDocumentTarget, type HistoryTarget, schemes } from '../../contributions.ts';
import type { TakeOverOptions } from '../../changes/journal/claimedError.ts';
import type { HistoryEntry } from '../../changes/journal/entry.ts';
import { describeVisibleUntilBuild } from '../../changes/messages/describeVisibleUntilBuild.ts';
import { getLastUndoable } from '../../changes/journal/undoneEntries.ts';
import { ensureWritable } from '../../platform/ensureWritable.ts';
import { showInformation, showWarning } from '../../platform/messages.ts';
import { confirmEnded } from './confirmEnded.ts';
import { toPlainText } from '../../platform/serverText.ts';
import { withConnectionName } from '../../platform/connectionSuffix.ts';
import { ConflictError, SecretsNeededError } from '../../changes/run/writeErrors.ts';
import type { FollowUp } from '../../platform/followUp.ts';
import { abandonInterrupted } from './abandonEntry.ts';
import { explainClosedProject } from './closedProject.ts';
import type { HistoryFeatureDeps } from './deps.ts';
import { describeUnrestorable } from './describeUnrestorable.ts';
import {
  awaitCompletion,
  explainCommand,
  explainIfEnded,
  findEntry,
  getSecretOptions,
  statusMessageMs,
  updateProjectLock,
  warnOfVisibleData,
} from './endInterrupted.ts';
import {
  describeEntry,
  getEntryTitle,
  formatEntryTimes,
  formatExactTime,
  describeOutcomeBriefly,
  describeLocation,
  loadChangedParts,
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

interface ReviewOptions {
  readonly mode: 'undo' | 'restore';
  /** Called once, before anything is sent. */
  readonly prepare?: () => Promise<unknown>;
  /** What to do if there is nothing to send. */
  readonly followUp?: FollowUp;
}

/**
 * Shows what undoing or restoring an entry would do. Once the user confirms, does it, and updates the lock file of its
 * project. Returns whether it was done.
 */
async function reviewAndUndo(
  deps: HistoryFeatureDeps,
  entry: HistoryEntry,
  { mode, prepare, followUp }: ReviewOptions,
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
  const note = isApplied(entry)
    ? (await import('./describeProjectFiles.ts')).describeProjectFiles(entry)
    : undefined;
  const result = await explainIfEnded(
    deps.changeReview.reviewUndo({
      connectionId,
      entryId: entry.id,
      title: mode === 'undo' ? t('Undo: {0}', title) : t('Restore: {0}', title),
      mode,
      ...(note === undefined ? {} : { note }),
      plan: (choices) => writer.planReviewedUndo(entry, mode, choices),
      complete: () => updateProjectLock(deps, entry),
      ...(prepare === undefined ? {} : { prepare }),
      ...(followUp === undefined ? {} : { followUp }),
    }),
    entry,
  );
  if (result === 'nothing') {
    const text = mode === 'undo' ? t('Nothing to undo: {0}', title) : t('Nothing to restore: {0}', title);
    const actions = followUp === undefined ? [] : [followUp.label];
    if ((await showInformation(text, ...actions)) !== undefined) {
      await followUp?.run();
    }
  } else if (result !== undefined) {
    showUndoneMessage(deps, entry, mode, result.keptNames);
  }
  return result !== undefined && result !== 'nothing';
}

/**
 * Returns whether an entry is an apply whose state is in the lock file of its project. The lock file of one that is
 * rolled back is updated instead, so that the files count as changed.
 */
const isApplied = ({ operation, end, isAbandoned }: HistoryEntry): boolean =>
  operation.cause === 'apply' && (end === 'done' || isAbandoned === true);

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
      const secretOptions = await getSecretOptions(deps, entry);
      try {
        await awaitCompletion(
          (control) => writer.resume(entry, { ...options, ...secretOptions, ...control }),
          entry,
        );
      } catch (error) {
        if (await explainClosedProject(deps, entry, error)) {
          return;
        }
        throw error;
      }
      await updateProjectLock(deps, entry);
      const text = t('Finished: {0}', getEntryTitle(entry));
      vscode.window.setStatusBarMessage(`$(check) ${toPlainText(text)}`, statusMessageMs);
      warnOfVisibleData(describeVisibleUntilBuild(t, entry.operation));
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
    await awaitCompletion((control) => writer.rollBack(entry, { ...options, ...control }), entry);
  } catch (error) {
    await reviewRollBack(deps, entry, { error, options });
    return;
  }
  await updateProjectLock(deps, entry);
  await showRolledBackMessage(deps, entry);
}

/**
 * Lets the user review a rollback that is not possible without a review. The review asks for secrets.
 * @throws the error of the rollback if a review doesn't help
 */
async function reviewRollBack(
  deps: HistoryFeatureDeps,
  entry: HistoryEntry,
  { error, options }: { readonly error: unknown; readonly options: TakeOverOptions },
): Promise<void> {
  const { writer } = await deps.changeServices();
  const cause = error instanceof Error ? error.cause : undefined;
  // Others have deleted, or changed in another way, what it has written, and the rest may always be refused.
  const followUp = {
    label: t('Abandon Change…'),
    run: () => abandonInterrupted(deps, { connectionId: entry.operation.connectionId, entryId: entry.id }),
  };
  if (cause instanceof ConflictError) {
    await reviewAndUndo(deps, entry, {
      mode: 'restore',
      prepare: () => writer.recordStop(entry, options),
      followUp,
    });
  } else if (cause instanceof SecretsNeededError) {
    // The review shows what the operation has done, so its last write is verified first.
    await reviewAndUndo(deps, await writer.recordStop(entry, options), { mode: 'undo', followUp });
  } else {
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

async function pickEntry(
  deps: HistoryFeatureDeps,
  target: HistoryTarget | undefined,
  title: string,
): Promise<HistoryEntry | undefined> {
  if (target !== undefined) {
    return findEntry(deps, target);
  }
  const entries = await getAllEntries(deps);
  if (entries.length === 0) {
    await showInformation(t('The history is empty.'));
    return undefined;
  }
  const times = formatEntryTimes(entries, deps.clock.now());
  // Not awaited: the list is shown at once, as loading.
  const items = Promise.all(
    entries.map(async (entry, index) => ({
      label: toPlainText(getEntryTitle(entry)),
      description: toPlainText(
        describeEntry(entry, {
          outcome: describeOutcomeBriefly(entry),
          time: times[index] ?? '',
          parts: await loadChangedParts(entry, deps.log),
        }),
      ),
      detail: toPlainText(describeLocation(entry, deps.connections.find(entry.operation.connectionId)?.name)),
      entry,
    })),
  );
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
