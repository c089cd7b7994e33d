import * as vscode from 'vscode';
import { schemes } from '../../contributions.ts';
import { runCommand } from '../../platform/commands.ts';
import { showInformation } from '../../platform/messages.ts';
import type { UnfinishedMerges } from './unfinishedMerges.ts';

const t = vscode.l10n.t;

/** Closes all merge editors of project files: after a reload, or before another merge, their results can't be saved. */
export async function closeMergeEditors(): Promise<void> {
  const tabs = findMergeTabs();
  if (tabs.length > 0) {
    await vscode.window.tabGroups.close(tabs, true);
  }
}

/**
 * Closes the merge editors that were open when the window was reloaded, and offers to continue one of the merges whose
 * results were kept.
 * @param loadUnfinishedMerges called only if such editors were open
 */
export async function closeRestoredMergeEditors(
  loadUnfinishedMerges: () => Promise<UnfinishedMerges>,
): Promise<void> {
  const files = findMergeTabs().flatMap(
    (tab) => getResultUri(tab)?.with({ scheme: 'file', query: '' }) ?? [],
  );
  if (files.length === 0) {
    return;
  }
  await closeMergeEditors();
  const unfinishedMerges = await loadUnfinishedMerges();
  const file = files.find((candidate) => unfinishedMerges.has(candidate));
  if (file === undefined) {
    return;
  }
  const name = vscode.workspace.asRelativePath(file);
  const resolveLabel = t('Resolve Conflicts…');
  const choice = await showInformation(
    t("The merge of {0} isn't complete. Resolve its conflicts to continue.", name),
    resolveLabel,
  );
  if (choice === resolveLabel) {
    await runCommand('datamodelStudio.projects.resolveConflicts', file);
  }
}

const findMergeTabs = (): readonly vscode.Tab[] =>
  vscode.window.tabGroups.all.flatMap((group) => group.tabs.filter(isMergeTab));

/** Returns whether a tab contains the merge editor of a file of a project. */
export const isMergeTab = (tab: vscode.Tab): boolean => getResultUri(tab) !== undefined;

/** Returns the URI of the result in a tab's merge editor, for which the API has no type; `undefined` for other tabs. */
function getResultUri({ input }: vscode.Tab): vscode.Uri | undefined {
  const { result } = (input ?? {}) as { readonly result?: unknown };
  return result instanceof vscode.Uri && result.scheme === schemes.projectMerge ? result : undefined;
}
