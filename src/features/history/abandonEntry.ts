import * as vscode from 'vscode';
import type { HistoryTarget } from '../../contributions.ts';
import type { HistoryEntry } from '../../changes/journal/entry.ts';
import { areRulesKnown, countOpenSteps, mayLeaveDenyRules } from '../../changes/journal/stoppedOperation.ts';
import { getAffectedDocuments, type WrittenDocument } from '../../changes/journal/writtenDocuments.ts';
import { getEntryWithOpenUndos } from '../../changes/journal/undoneEntries.ts';
import { describeBuildsAfterAbandoning } from '../../changes/messages/describeBuildsToPostpone.ts';
import { describeHiddenAfterAbandoning } from '../../changes/messages/describeHidden.ts';
import { describeVisibleAfterStop } from '../../changes/messages/describeVisibleUntilBuild.ts';
import { showModalQuestion, showWarning } from '../../platform/messages.ts';
import { resourceKindLabels } from '../../platform/resourceKindLabels.ts';
import { toPlainText } from '../../platform/serverText.ts';
import { confirmProcessEnded } from './confirmProcessEnded.ts';
import type { HistoryFeatureDeps } from './deps.ts';
import {
  awaitCompletion,
  explainCommand,
  findEntry,
  loadNames,
  statusMessageMs,
  updateProjectLock,
  warnOfVisibleData,
} from './endInterruptedChange.ts';
import { describeDeniedAccess, getEntryTitle } from './historyLabels.ts';

const t = vscode.l10n.t;

/** The maximum number of documents that the question lists. */
const maxDocuments = 15;

/** Abandons an interrupted change of a row: see {@link abandonEntry}. */
export async function abandonInterruptedChange(
  deps: HistoryFeatureDeps,
  target: HistoryTarget | undefined,
): Promise<boolean> {
  const entry = await findEntry(deps, target);
  return entry !== undefined && abandonEntry(deps, entry);
}

/**
 * Abandons an unfinished change once the user has seen what it has written and confirms. Nothing is sent: what was
 * written stays on the server, together with later changes by other users. So a locked connection needn't be unlocked.
 * @returns whether the change was abandoned
 * @throws the errors of {@link awaitCompletion}
 */
export async function abandonEntry(deps: HistoryFeatureDeps, entry: HistoryEntry): Promise<boolean> {
  if (entry.source === 'command-line') {
    await explainCommand('abandon', entry);
    return false;
  }
  const { writer, history } = await deps.changeServices();
  const options = await confirmProcessEnded(deps, entry);
  const readParts = async (changeEntry: HistoryEntry): Promise<readonly HistoryEntry[]> =>
    getEntryWithOpenUndos(changeEntry, await history.readEntries(changeEntry.operation.connectionId));
  if (
    options === undefined ||
    !(await confirmAbandoned(entry, await readParts(entry), await loadNames(deps, entry)))
  ) {
    return false;
  }
  await awaitCompletion(
    ({ signal, onWait, onQueued }) => writer.abandon(entry, { ...options, signal, onWait, onQueued }),
    entry,
  );
  // Abandoning has verified the writes whose responses were lost.
  const entryAfter = (await history.readEntry(entry.operation.connectionId, entry.id)) ?? entry;
  await updateProjectLock(deps, entryAfter);
  const title = getEntryTitle(entry);
  vscode.window.setStatusBarMessage(`$(check) ${toPlainText(t('Abandoned: {0}', title))}`, statusMessageMs);
  if (mayLeaveDenyRules(entryAfter)) {
    void showWarning([t('Abandoned: {0}', title), describeDenyRules(entryAfter)].join('. '));
  }
  const parts = await readParts(entryAfter);
  warnOfVisibleData([
    ...describeBuildsAfterAbandoning(t, parts),
    ...describeVisibleAfterStop(t, entryAfter),
    ...describeHidden(entryAfter, parts),
  ]);
  return true;
}

/**
 * Says what stays hidden once a change is abandoned. Says nothing if the change has undos: they may have made some of
 * it visible again.
 */
const describeHidden = (entry: HistoryEntry, parts: readonly HistoryEntry[]): readonly string[] =>
  parts.length > 1 ? [] : describeHiddenAfterAbandoning(t, entry);

/**
 * Asks whether to abandon a change, and lists what the change has written or might have written.
 * @param parts the change, and the undos of it that are abandoned together with it
 */
async function confirmAbandoned(
  entry: HistoryEntry,
  parts: readonly HistoryEntry[],
  names: ReadonlyMap<string, string>,
): Promise<boolean> {
  const abandonLabel = t('Abandon');
  const documents = getAffectedDocuments(entry, names);
  const { remaining, unknown } = countOpenSteps(entry);
  const answer = await showModalQuestion(
    t('Abandon "{0}"?', getEntryTitle(entry)),
    [
      t(
        "Nothing more will be written. Everything that the change has already written stays on the instance, together with any later changes by others. You'll no longer be able to finish the change or roll it back, but you can still undo what it has written.",
      ),
      '',
      ...(documents.length + unknown === 0
        ? [t("The change hasn't written anything.")]
        : listDocuments(documents)),
      ...(remaining === 0 ? [] : [t("Steps that weren't completed: {0}", remaining)]),
      ...(unknown === 0 ? [] : [t('Steps that might not have been completed: {0}', unknown)]),
      ...toParagraph(describeBuildsAfterAbandoning(t, parts)),
      ...toParagraph(describeHidden(entry, parts)),
      ...(mayLeaveDenyRules(entry)
        ? [
            '',
            describeDenyRules(entry),
            ...describeDeniedAccess(entry),
            t('Finish the change or roll it back if you can.'),
          ]
        : []),
    ],
    abandonLabel,
  );
  return answer === abandonLabel;
}

const toParagraph = (sentences: readonly string[]): readonly string[] =>
  sentences.length === 0 ? [] : ['', sentences.join(' ')];

const describeDenyRules = (entry: HistoryEntry): string =>
  areRulesKnown(entry)
    ? t(
        'The change has left temporary deny rules in place. The affected users and groups see no rows until the rules on their columns are applied again or the temporary rules are deleted.',
      )
    : t(
        'The change might have left temporary deny rules in place. If so, the affected users and groups see no rows until the rules on their columns are applied again or the temporary rules are deleted.',
      );

function listDocuments(documents: readonly WrittenDocument[]): readonly string[] {
  const moreCount = documents.length - maxDocuments;
  return [
    ...documents.slice(0, maxDocuments).map(describeDocument),
    ...(moreCount > 0 ? [t('and {0} more', moreCount)] : []),
  ];
}

function describeDocument({ action, kind, name, containerTitle, isCertain }: WrittenDocument): string {
  const path = [containerTitle, name].filter((part) => part !== '').join(' › ');
  const subject = path === '' ? resourceKindLabels[kind]() : `${resourceKindLabels[kind]()}: ${path}`;
  switch (action) {
    case 'create':
      return isCertain ? t('Created – {0}', subject) : t('Might have been created – {0}', subject);
    case 'update':
      return isCertain ? t('Changed – {0}', subject) : t('Might have been changed – {0}', subject);
    case 'delete':
      return isCertain ? t('Deleted – {0}', subject) : t('Might have been deleted – {0}', subject);
  }
}
