import * as vscode from 'vscode';
import { joinNames } from '../../base/joinNames.ts';
import type { HistoryEntry } from '../../changes/journal/entry.ts';
import { formatItemName } from '../../platform/projects/itemNames.ts';
import { parseItemKey } from '../../project/item.ts';
import { isProjectOpen } from './endInterrupted.ts';

const t = vscode.l10n.t;

/** The number of names that are shown. */
const maxNames = 10;

/** Says what becomes of the files of a project once its apply is undone. */
export const describeProjectFiles = (entry: HistoryEntry): string =>
  [
    describeFiles(entry),
    ...(entry.operation.project?.prunedKinds === undefined
      ? []
      : [t('An apply repeats the deletions only if you include them.')]),
  ].join(' ');

function describeFiles(entry: HistoryEntry): string {
  const { project } = entry.operation;
  if (project?.replacedItems === undefined || !isProjectOpen(entry)) {
    return t(
      "The project files aren't changed. The next apply would make these changes again; a pull would update the files to match the instance.",
    );
  }
  const names = project.replacedItems.flatMap((text) => parseItemKey(text) ?? []).map(formatItemName);
  return names.length === 0
    ? t(
        "The project files aren't changed. A pull keeps them, and the next apply would make these changes again.",
      )
    : t(
        "The project files aren't changed, and the next apply would make these changes again. A pull keeps the files, except for the following, which it updates to match the instance: {0}.",
        joinNames(names, t, maxNames),
      );
}
