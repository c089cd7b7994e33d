import * as vscode from 'vscode';
import { schemes } from '../../contributions.ts';

/** Closes the merge editors that have no result any more: the window was reloaded, or another merge has begun. */
export async function closeMergeEditors(): Promise<void> {
  const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs.filter(isMergeTab));
  if (tabs.length > 0) {
    await vscode.window.tabGroups.close(tabs, true);
  }
}

/** Returns whether a tab has the merge editor of a file of a project. The API has no type for merge editors. */
export function isMergeTab({ input }: vscode.Tab): boolean {
  const { result } = (input ?? {}) as { readonly result?: unknown };
  return result instanceof vscode.Uri && result.scheme === schemes.projectMerge;
}
