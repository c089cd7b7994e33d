import * as vscode from 'vscode';
import { waitFor } from './waiting.ts';

/** Waits until a merge editor is active, and returns the document of its result. */
export async function waitForMergeResult(): Promise<vscode.TextDocument> {
  const uri = await waitFor(
    () => {
      const { activeTab } = vscode.window.tabGroups.activeTabGroup;
      // The API has no type for merge editors.
      const { result } = (activeTab?.input ?? {}) as { readonly result?: unknown };
      return result instanceof vscode.Uri ? result : undefined;
    },
    () => 'No merge editor is active',
  );
  return vscode.workspace.openTextDocument(uri);
}

/** Waits until a merge editor shows its conflicts, and accepts the instance's version in all of them. */
export async function acceptInstanceVersion(
  result: vscode.TextDocument,
  isAccepted: () => boolean,
): Promise<void> {
  await waitFor(
    async () => {
      // Has no effect until the merge editor shows its conflicts, nor once they are resolved.
      await vscode.commands.executeCommand('merge.acceptAllInput1');
      return isAccepted();
    },
    () => result.getText(),
  );
}
