import * as vscode from 'vscode';
import { joinNames } from '../../base/joinNames.ts';
import type { HistoryEntry } from '../../changes/journal/entry.ts';
import { formatItemName } from '../../platform/projects/itemNames.ts';
import { parseItemKey } from '../../project/item.ts';
import { isProjectOpen } from './endInterruptedChange.ts';

const t = vscode.l10n.t;

/** The maximum number of names that are shown. */
const maxNames = 10;

/** Says what becomes of the files of a project once its apply is undone. */
export const describeProjectFiles = (entry: HistoryEntry): string =>
  [
    t("The project files aren't changed."),
    entry.operation.project?.prunedKinds === undefined
      ? t('The next apply would make these changes again.')
      : t('The next apply would make these changes again, but the deletions only if you include them.'),
    describePull(entry),
  ].join(' ');

function describePull(entry: HistoryEntry): string {
  const { project } = entry.operation;
  if (project?.replacedItems === undefined || !isProjectOpen(entry)) {
    return t('A pull would update the files to match the instance.');
  }
  const names = project.replacedItems.flatMap((text) => parseItemKey(text) ?? []).map(formatItemName);
  return names.length === 0
    ? t('A pull would keep the files.')
    : t(
        'A pull would keep the files, except for the following, which it would update to match the instance: {0}.',
        joinNames(names, t, maxNames),
      );
}
