import { canResume } from '../../changes/journal/stoppedOperation.ts';
import * as vscode from 'vscode';
import { type HistoryDocumentTarget, type HistoryTarget, schemes } from '../../contributions.ts';
import type { HistoryEntry } from '../../changes/journal/entry.ts';
import { getLastUndoable } from '../../changes/journal/undoneEntries.ts';
import { ensureNotReadOnly } from '../../platform/ensureWritable.ts';
import { showInformation, showWarning } from '../../platform/messages.ts';
import { toPlainText } from '../../platform/serverText.ts';
import { withConnectionName } from '../../platform/connectionSuffix.ts';
import type { FollowUp } from '../../platform/followUp.ts';
import type { HistoryFeatureDeps } from './deps.ts';
import { EntryProjects } from './entryProjects.ts';
import {
  explainCommand,
  explainIfEnded,
  findEntry,
  statusMessageMs,
  updateProjectLock,
} from './endInterruptedChange.ts';
import {
  describeEntry,
  getEntryTitle,
  describeOutcomeBriefly,
  describeLocation,
  getSnapshotName,
  loadChangedParts,
} from './historyLabels.ts';
import { formatEntryTimes, formatExactTime } from './historyTimes.ts';

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
  /** Set if an unfinished change is rolled back: how its page describes the result. */
  readonly rollBackResult?: Parameters<HistoryFeatureDeps['changeReview']['reviewUndo']>[0]['result'];
  /** Called once, before anything is sent. */
  readonly prepare?: () => Promise<unknown>;
  /** What to do if there is nothing to send. */
  readonly followUp?: FollowUp;
}

/**
 * Shows what undoing or restoring an entry would do. Once the user confirms, undoes or restores the entry, and updates
 * the lock file of its project. Returns whether the entry was undone or restored.
 */
export async function reviewAndUndo(
  deps: HistoryFeatureDeps,
  entry: HistoryEntry,
  { mode, rollBackResult, prepare, followUp }: ReviewOptions,
): Promise<boolean> {
  if (entry.source !== undefined && (entry.end === undefined || canResume(entry))) {
    // The command line still lists the change: resuming it there would send the remaining requests although the others
    // were undone.
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
  // The page unlocks the connection once the user confirms.
  if (!ensureNotReadOnly(deps, connectionId)) {
    return false;
  }
  const { writer } = await deps.changeServices();
  const action: UndoAction = rollBackResult === undefined ? mode : 'roll-back';
  const title = getEntryTitle(entry);
  const note = isApplied(entry)
    ? (await import('./describeProjectFiles.ts')).describeProjectFiles(entry)
    : undefined;
  const result = await explainIfEnded(
    deps.changeReview.reviewUndo({
      connectionId,
      entryId: entry.id,
      title: formatPageTitle[action](title),
      action,
      ...(note === undefined ? {} : { note }),
      computeUndo: (choices) => writer.planUndoForReview(entry, mode, choices),
      complete: () => updateProjectLock(deps, entry),
      ...(prepare === undefined ? {} : { prepare }),
      ...(followUp === undefined ? {} : { followUp }),
      ...(rollBackResult === undefined ? {} : { result: rollBackResult }),
    }),
    entry,
  );
  if (result === 'nothing') {
    const text = formatNothing[action](title);
    const actions = followUp === undefined ? [] : [followUp.label];
    if ((await showInformation(text, ...actions)) !== undefined) {
      await followUp?.run();
    }
  } else if (result !== undefined) {
    showUndoneMessage(deps, entry, action, result.keptNames);
  }
  return result !== undefined && result !== 'nothing';
}

/** What the user does with an entry: an unfinished change is rolled back. */
type UndoAction = ReviewOptions['mode'] | 'roll-back';

type ActionTexts = Readonly<Record<UndoAction, (title: string) => string>>;

const formatPageTitle: ActionTexts = {
  undo: (title) => t('Undo: {0}', title),
  restore: (title) => t('Restore: {0}', title),
  'roll-back': (title) => t('Roll Back: {0}', title),
};

const formatNothing: ActionTexts = {
  undo: (title) => t('Nothing to undo: {0}', title),
  restore: (title) => t('Nothing to restore: {0}', title),
  'roll-back': (title) => t('Nothing to roll back: {0}', title),
};

const formatDone: ActionTexts = {
  undo: (title) => t('Undone: {0}', title),
  restore: (title) => t('Restored: {0}', title),
  'roll-back': (title) => t('Rolled back: {0}', title),
};

const formatPartlyDone: ActionTexts = {
  undo: (title) => t('Partly undone: {0}', title),
  restore: (title) => t('Partly restored: {0}', title),
  'roll-back': (title) => t('Partly rolled back: {0}', title),
};

/**
 * Returns whether an entry is an apply that was completed or abandoned, so that the lock file of its project has its
 * result. After a rollback, the lock file has the previous state instead, and the files count as changed.
 */
const isApplied = ({ operation, end, isAbandoned }: HistoryEntry): boolean =>
  operation.cause === 'apply' && (end === 'done' || isAbandoned === true);

/** Shows in the status bar that an entry was undone, restored, or rolled back. */
export function showUndoneMessage(
  { connections }: HistoryFeatureDeps,
  entry: HistoryEntry,
  action: UndoAction,
  keptNames: readonly string[] = [],
): void {
  const format = (keptNames.length > 0 ? formatPartlyDone : formatDone)[action];
  const text = withConnectionName(connections, entry.operation.connectionId, format(getEntryTitle(entry)));
  vscode.window.setStatusBarMessage(`$(discard) ${toPlainText(text)}`, statusMessageMs);
}

/** Opens a diff of a document before an entry and its current version on the server. */
export async function compareWithCurrent(
  deps: HistoryFeatureDeps,
  target: HistoryDocumentTarget | undefined,
): Promise<void> {
  const entry = await findEntry(deps, target);
  const snapshot = target === undefined ? undefined : entry?.before[target.documentIndex];
  if (entry === undefined || snapshot === undefined || target === undefined) {
    return;
  }
  // A menu passes its node, which has more properties than the URI of the document needs.
  const { connectionId, entryId, documentIndex } = target;
  const name = getSnapshotName(snapshot);
  const fileName = `${name.replaceAll(/[/\\]/g, '∕')}.json`;
  const toHistoryUri = (side: 'before' | 'now') =>
    vscode.Uri.from({
      scheme: schemes.history,
      path: `/${side}/${fileName}`,
      query: JSON.stringify({ connectionId, entryId, document: documentIndex, side }),
    });
  const title = t('{0}: Before {1} ↔ Current', name, formatExactTime(entry.startedAt));
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
  const projects = new EntryProjects(entries);
  // Not awaited: the list is shown at once, as loading.
  const items = Promise.all(
    entries.map(async (entry, index) => ({
      label: toPlainText(getEntryTitle(entry)),
      description: toPlainText(
        describeEntry(entry, {
          outcome: describeOutcomeBriefly(entry),
          time: times[index] ?? '',
          parts: await loadChangedParts(entry, deps.log),
          project: await projects.find(entry),
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
