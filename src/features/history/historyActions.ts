import * as vscode from 'vscode';
import { type HistoryDocumentTarget, type HistoryTarget, schemes } from '../../contributions.ts';
import type { HistoryEntry } from '../../changes/journal/entry.ts';
import { ClaimedError } from '../../changes/journal/history.ts';
import { getLastUndoable } from '../../changes/journal/undone.ts';
import { showModalQuestion, showInformation } from '../../platform/messages.ts';
import { toPlainText } from '../../platform/serverText.ts';
import { withConnectionName } from '../../platform/connectionSuffix.ts';
import { ConflictError, EndedError, SecretsNeededError, StoppedError } from '../../changes/run/problems.ts';
import type { PlannedUndo } from '../../changes/run/planUndo.ts';
import type { HistoryFeatureDeps } from './deps.ts';
import {
  formatTimeAgo,
  getHistoryDocumentName,
  getEntryTitle,
  formatExactTime,
  describeLosses,
  describeLoss,
  describeOutcome,
  describeLocation,
} from './historyLabels.ts';

const t = vscode.l10n.t;

/** Undoes the last change, on any connection, that is not undone yet. */
export async function undoLast(deps: HistoryFeatureDeps): Promise<void> {
  const last = getLastUndoable(await getAllEntries(deps));
  if (last === undefined) {
    await showInformation(t('There is nothing to undo.'));
    return;
  }
  await executeUndo(deps, last);
}

/** Undoes one entry; without a target, the user picks one. */
export async function undoEntry(deps: HistoryFeatureDeps, target: HistoryTarget | undefined): Promise<void> {
  const entry = await pickEntry(deps, target, t('Change to undo'));
  if (entry !== undefined) {
    await executeUndo(deps, entry);
  }
}

/** Restores the documents of an entry to their state before it, overwriting later changes. */
export async function restoreEntry(
  deps: HistoryFeatureDeps,
  target: HistoryTarget | undefined,
): Promise<void> {
  const entry = await pickEntry(deps, target, t('Bring back what was there before'));
  if (entry !== undefined) {
    const { writer } = await deps.changeServices();
    await confirmAndExecute(deps, entry, await writer.planRestore(entry));
  }
}

async function executeUndo(deps: HistoryFeatureDeps, entry: HistoryEntry): Promise<void> {
  const { writer } = await deps.changeServices();
  const undoPlan = await writer.planUndo(entry);
  try {
    await confirmAndExecute(deps, entry, undoPlan);
  } catch (error) {
    if (await confirmOverwrite(error, entry)) {
      await confirmAndExecute(deps, entry, await writer.planRestore(entry));
    }
  }
}

/**
 * Asks whether to overwrite later changes; the prompt names the document that has changed.
 * @throws the error if it is not a conflict
 */
async function confirmOverwrite(error: unknown, entry: HistoryEntry): Promise<boolean> {
  if (!(error instanceof ConflictError)) {
    throw error;
  }
  const anyway = t('Restore Anyway');
  const name = getHistoryDocumentName(error.document) ?? entry.operation.subject.name;
  const question = t('{0} has changed on the server since.', name);
  const detail = t('Taking this change back would overwrite what was done later.');
  return (await showModalQuestion(question, detail, anyway)) === anyway;
}

/** Restores what can be restored. If something cannot, lists it and asks for confirmation first. */
async function confirmAndExecute(
  deps: HistoryFeatureDeps,
  entry: HistoryEntry,
  { operation, expect, losses, moved, timesBefore }: PlannedUndo,
): Promise<void> {
  if (operation.writes.length === 0) {
    const why = losses.map(describeLoss).join('; ');
    await showInformation(
      why === ''
        ? t('There is nothing to bring back: {0}', getEntryTitle(entry))
        : t('It cannot be brought back: {0}', why),
    );
    return;
  }
  if (losses.length > 0) {
    const restoreLabel = t('Bring Back');
    const question = t('Not everything comes back as it was.');
    if (
      (await showModalQuestion(question, describeLosses(losses).join('\n'), restoreLabel)) !== restoreLabel
    ) {
      return;
    }
  }
  const options = { expect, undoes: entry.id, moved, timesBefore };
  const report = await rejectIfEnded(deps.performer.perform(operation, options), entry);
  if (report !== undefined) {
    showUndone(deps, entry);
  }
}

function showUndone({ connections }: HistoryFeatureDeps, entry: HistoryEntry): void {
  const text = withConnectionName(
    connections,
    entry.operation.connectionId,
    t('Undone: {0}', getEntryTitle(entry)),
  );
  vscode.window.setStatusBarMessage(`$(discard) ${toPlainText(text)}`, statusShownMs);
}

const statusShownMs = 5000;

/** Finishes an operation that a closed or killed window left unfinished. */
export async function finishInterrupted(
  deps: HistoryFeatureDeps,
  target: HistoryTarget | undefined,
): Promise<void> {
  const entry = await findEntry(deps, target);
  if (entry !== undefined) {
    const { writer } = await deps.changeServices();
    await awaitFinish(writer.resume(entry), entry);
  }
}

/** Rolls back an operation that a closed or killed window left unfinished. */
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
 * Rolls back an unfinished operation; if someone else has changed its documents since, asks the user first.
 * @throws as {@link awaitCompletion}
 */
export async function rollBackEntry(deps: HistoryFeatureDeps, entry: HistoryEntry): Promise<void> {
  const { writer } = await deps.changeServices();
  try {
    await awaitEnd(writer.rollBack(entry), entry);
    showUndone(deps, entry);
  } catch (error) {
    const conflict = error instanceof Error ? error.cause : undefined;
    if (!(conflict instanceof ConflictError)) {
      throw error;
    }
    if (await confirmOverwrite(conflict, entry)) {
      const stopped = await writer.abandon(entry);
      await confirmAndExecute(deps, stopped, await writer.planRestore(stopped));
    }
  }
}

/**
 * Waits until an interrupted operation is finished, and notifies the user.
 * @throws as {@link awaitCompletion}
 */
export async function awaitFinish(ending: Promise<unknown>, entry: HistoryEntry): Promise<void> {
  await awaitEnd(ending, entry);
  const text = t('Finished: {0}', getEntryTitle(entry));
  vscode.window.setStatusBarMessage(`$(check) ${toPlainText(text)}`, statusShownMs);
}

/**
 * Waits for an operation.
 * @throws an Error with a user message if the operation had already ended, as after a second click
 */
async function rejectIfEnded<T>(ending: Promise<T>, entry: HistoryEntry): Promise<T> {
  try {
    return await ending;
  } catch (error) {
    throw error instanceof EndedError
      ? new Error(t('{0} was already finished or undone.', getEntryTitle(entry)), { cause: error })
      : error;
  }
}

/**
 * Waits for the end of an interrupted operation, and shows progress.
 * @throws ApiError, or an Error that explains why the operation cannot end
 */
async function awaitEnd(ending: Promise<unknown>, entry: HistoryEntry): Promise<void> {
  const title = getEntryTitle(entry);
  try {
    // Show progress, since a change of many rules takes a while.
    const location = vscode.ProgressLocation.Window;
    await vscode.window.withProgress({ location, title: toPlainText(title) }, () =>
      rejectIfEnded(ending, entry),
    );
  } catch (error) {
    if (error instanceof StoppedError) {
      throw error.cause;
    }
    if (error instanceof ClaimedError) {
      throw new Error(t('Another window is working on it: {0}', title), { cause: error });
    }
    if (error instanceof ConflictError) {
      throw new Error(t('{0} cannot be finished: it has changed on the server since. Take it back.', title), {
        cause: error,
      });
    }
    if (error instanceof SecretsNeededError) {
      throw new Error(
        t('{0} cannot be finished: its secrets are kept nowhere. Take it back and do it again.', title),
        { cause: error },
      );
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
  const kept = target === undefined ? undefined : entry?.before[target.document];
  if (entry === undefined || kept === undefined || target === undefined) {
    return;
  }
  const name = `${entry.operation.subject.name.replaceAll(/[/\\]/g, '∕') || kept.ref.kind}.json`;
  const toHistoryUri = (side: 'before' | 'now') =>
    vscode.Uri.from({
      scheme: schemes.history,
      path: `/${side}/${name}`,
      query: JSON.stringify({ ...target, side }),
    });
  const title = t('{0}: before {1} ↔ now', entry.operation.subject.name, formatExactTime(entry.at));
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
  return history.entry(target.connectionId, target.entryId);
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
    description: [describeOutcome(entry, false), formatTimeAgo(entry.at, now)]
      .filter((part) => part !== undefined)
      .join(', '),
    detail: toPlainText(describeLocation(entry, deps.connections.find(entry.operation.connectionId)?.name)),
    entry,
  }));
  if (items.length === 0) {
    await showInformation(t('Nothing was changed yet.'));
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
  const all = await Promise.all(connections.all.map(({ id }) => history.entries(id)));
  return all.flat().sort((a, b) => b.at - a.at);
}
