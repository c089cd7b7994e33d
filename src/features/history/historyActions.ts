import * as vscode from 'vscode';
import { type HistoryDocumentTarget, type HistoryTarget, schemes } from '../../contributions.ts';
import type { HistoryEntry } from '../../changes/journal/entry.ts';
import { ClaimedError } from '../../changes/journal/history.ts';
import { lastStanding } from '../../changes/journal/undone.ts';
import { ask, showInformation } from '../../platform/messages.ts';
import { plainText } from '../../platform/serverText.ts';
import { sayingWhich } from '../../platform/whichConnection.ts';
import { ConflictError, EndedError, SecretsNeededError, StoppedError } from '../../changes/run/problems.ts';
import type { TakingBack } from '../../changes/run/planUndo.ts';
import type { HistoryDeps } from './deps.ts';
import {
  ago,
  documentName,
  entryTitle,
  exactTime,
  lossLines,
  lossText,
  outcome,
  placeText,
} from './historyWords.ts';

const t = vscode.l10n.t;

/** Takes the last change back that was not taken back yet, of whichever connection. */
export async function undoLast(deps: HistoryDeps): Promise<void> {
  const last = lastStanding(await entriesOfAll(deps));
  if (last === undefined) {
    await showInformation(t('Nothing was changed that could be taken back.'));
    return;
  }
  await undoEntry(deps, last);
}

/** Takes one entry back; from the palette the person chooses which. */
export async function undo(deps: HistoryDeps, target: HistoryTarget | undefined): Promise<void> {
  const entry = await chosen(deps, target, t('Change to take back'));
  if (entry !== undefined) {
    await undoEntry(deps, entry);
  }
}

/** Brings the documents of an entry back as they were before it, whatever was done since. */
export async function restoreEntry(deps: HistoryDeps, target: HistoryTarget | undefined): Promise<void> {
  const entry = await chosen(deps, target, t('Bring back what was there before'));
  if (entry !== undefined) {
    const { writer } = await deps.writing();
    await carryOut(deps, entry, await writer.restoreOf(entry));
  }
}

async function undoEntry(deps: HistoryDeps, entry: HistoryEntry): Promise<void> {
  const { writer } = await deps.writing();
  const taken = await writer.undoOf(entry);
  try {
    await carryOut(deps, entry, taken);
  } catch (error) {
    if (await isAnyway(error, entry)) {
      await carryOut(deps, entry, await writer.restoreOf(entry));
    }
  }
}

/**
 * Whether a person wants to overwrite what was done since; they are told what has changed.
 * @throws the error when it is not about that
 */
async function isAnyway(error: unknown, entry: HistoryEntry): Promise<boolean> {
  if (!(error instanceof ConflictError)) {
    throw error;
  }
  const anyway = t('Restore Anyway');
  const name = documentName(error.document) ?? entry.operation.subject.name;
  const question = t('{0} has changed on the server since.', name);
  const detail = t('Taking this change back would overwrite what was done later.');
  return (await ask(question, detail, anyway)) === anyway;
}

/** Tells what cannot be brought back, asks, and does it. */
async function carryOut(
  deps: HistoryDeps,
  entry: HistoryEntry,
  { operation, expect, losses, moved, timesBefore }: TakingBack,
): Promise<void> {
  if (operation.writes.length === 0) {
    const why = losses.map(lossText).join('; ');
    await showInformation(
      why === ''
        ? t('There is nothing to bring back: {0}', entryTitle(entry))
        : t('It cannot be brought back: {0}', why),
    );
    return;
  }
  if (losses.length > 0) {
    const goOn = t('Bring Back');
    const question = t('Not everything comes back as it was.');
    if ((await ask(question, lossLines(losses).join('\n'), goOn)) !== goOn) {
      return;
    }
  }
  const options = { expect, undoes: entry.id, moved, timesBefore };
  const report = await onceOnly(deps.performer.perform(operation, options), entry);
  if (report !== undefined) {
    tellTakenBack(deps, entry);
  }
}

function tellTakenBack({ connections }: HistoryDeps, entry: HistoryEntry): void {
  const text = sayingWhich(
    connections,
    entry.operation.connectionId,
    t('Taken back: {0}', entryTitle(entry)),
  );
  vscode.window.setStatusBarMessage(`$(discard) ${plainText(text)}`, statusShownMs);
}

const statusShownMs = 5000;

/** Goes on with what a closed or killed window left unfinished. */
export async function finish(deps: HistoryDeps, target: HistoryTarget | undefined): Promise<void> {
  const entry = await given(deps, target);
  if (entry !== undefined) {
    const { writer } = await deps.writing();
    await finished(writer.resume(entry), entry);
  }
}

/** Takes back what a closed or killed window left unfinished. */
export async function rollBack(deps: HistoryDeps, target: HistoryTarget | undefined): Promise<void> {
  const entry = await given(deps, target);
  if (entry !== undefined) {
    await takeBackUnfinished(deps, entry);
  }
}

/**
 * Takes back what was left unfinished; where somebody has changed it since, the person is asked first.
 * @throws as {@link ended}
 */
export async function takeBackUnfinished(deps: HistoryDeps, entry: HistoryEntry): Promise<void> {
  const { writer } = await deps.writing();
  try {
    await ended(writer.rollBack(entry), entry);
    tellTakenBack(deps, entry);
  } catch (error) {
    const conflict = error instanceof Error ? error.cause : undefined;
    if (!(conflict instanceof ConflictError)) {
      throw error;
    }
    if (await isAnyway(conflict, entry)) {
      const stopped = await writer.giveUp(entry);
      await carryOut(deps, stopped, await writer.restoreOf(stopped));
    }
  }
}

/**
 * The finishing of an interrupted operation, for a person.
 * @throws as {@link ended}
 */
export async function finished(ending: Promise<unknown>, entry: HistoryEntry): Promise<void> {
  await ended(ending, entry);
  const text = t('Finished: {0}', entryTitle(entry));
  vscode.window.setStatusBarMessage(`$(check) ${plainText(text)}`, statusShownMs);
}

/** @throws an Error that says so where somebody was quicker, as with a second click */
async function onceOnly<T>(ending: Promise<T>, entry: HistoryEntry): Promise<T> {
  try {
    return await ending;
  } catch (error) {
    throw error instanceof EndedError
      ? new Error(t('{0} was finished or taken back already.', entryTitle(entry)), { cause: error })
      : error;
  }
}

/**
 * The end of an interrupted operation, for a person.
 * @throws ApiError, or an Error that says what keeps it from ending
 */
async function ended(ending: Promise<unknown>, entry: HistoryEntry): Promise<void> {
  const title = entryTitle(entry);
  try {
    // A change of many rules takes its time.
    const location = vscode.ProgressLocation.Window;
    await vscode.window.withProgress({ location, title: plainText(title) }, () => onceOnly(ending, entry));
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

/** A document as it was before an entry, beside what the server has now. */
export async function compare(deps: HistoryDeps, target: HistoryDocumentTarget | undefined): Promise<void> {
  const entry = await given(deps, target);
  const kept = target === undefined ? undefined : entry?.before[target.document];
  if (entry === undefined || kept === undefined || target === undefined) {
    return;
  }
  const name = `${entry.operation.subject.name.replaceAll(/[/\\]/g, '∕') || kept.ref.kind}.json`;
  const uri = (side: 'before' | 'now') =>
    vscode.Uri.from({
      scheme: schemes.history,
      path: `/${side}/${name}`,
      query: JSON.stringify({ ...target, side }),
    });
  const title = t('{0}: before {1} ↔ now', entry.operation.subject.name, exactTime(entry.at));
  await vscode.commands.executeCommand('vscode.diff', uri('before'), uri('now'), title);
}

async function given(
  deps: HistoryDeps,
  target: HistoryTarget | undefined,
): Promise<HistoryEntry | undefined> {
  if (target?.entryId === undefined) {
    return undefined;
  }
  const { history } = await deps.writing();
  return history.entry(target.connectionId, target.entryId);
}

async function chosen(
  deps: HistoryDeps,
  target: HistoryTarget | undefined,
  title: string,
): Promise<HistoryEntry | undefined> {
  if (target !== undefined) {
    return given(deps, target);
  }
  const entries = await entriesOfAll(deps);
  const now = Date.now();
  const items = entries.map((entry) => ({
    label: plainText(entryTitle(entry)),
    description: [outcome(entry, false), ago(entry.at, now)].filter((part) => part !== undefined).join(', '),
    detail: plainText(placeText(entry, deps.connections.find(entry.operation.connectionId)?.name)),
    entry,
  }));
  if (items.length === 0) {
    await showInformation(t('Nothing was changed yet.'));
    return undefined;
  }
  return (await vscode.window.showQuickPick(items, { title, matchOnDetail: true }))?.entry;
}

/** The entries of all connections, the newest first. */
async function entriesOfAll({ writing, connections }: HistoryDeps): Promise<readonly HistoryEntry[]> {
  const { history } = await writing();
  const all = await Promise.all(connections.all.map(({ id }) => history.entries(id)));
  return all.flat().sort((a, b) => b.at - a.at);
}
