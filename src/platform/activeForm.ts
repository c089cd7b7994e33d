import * as vscode from 'vscode';

/** The document whose form has the focus: the editor does not treat a form as a text editor. */
export function getActiveFormUri(): vscode.Uri | undefined {
  const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
  return input instanceof vscode.TabInputCustom ? input.uri : undefined;
}
