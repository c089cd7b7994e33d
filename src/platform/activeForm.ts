import * as vscode from 'vscode';

/** The URI of the document whose form is active; the editor does not report a form as a text editor. */
export function getActiveFormUri(): vscode.Uri | undefined {
  const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
  return input instanceof vscode.TabInputCustom ? input.uri : undefined;
}

/** The URI of the document in the active editor, as text or as a form. */
export const getActiveDocumentUri = (): vscode.Uri | undefined =>
  getActiveFormUri() ?? vscode.window.activeTextEditor?.document.uri;
