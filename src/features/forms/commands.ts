import * as vscode from 'vscode';
import { type DocumentTarget, formEditors } from '../../contributions.ts';
import { formOf } from '../../platform/formOf.ts';

/** Shows the form of a document in place of its text, in the same group. */
export async function openFormOf(given: DocumentTarget | undefined): Promise<void> {
  const uri = uriOf(given) ?? vscode.window.activeTextEditor?.document.uri;
  const form = uri === undefined ? undefined : formOf(uri.path);
  if (uri !== undefined && form !== undefined) {
    await vscode.commands.executeCommand('vscode.openWith', uri, formEditors[form], placeOf(uri));
  }
}

/** Shows the text of a document beside its form. */
export async function openTextOf(given: DocumentTarget | undefined): Promise<void> {
  const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
  const uri = uriOf(given) ?? (input instanceof vscode.TabInputCustom ? input.uri : undefined);
  if (uri !== undefined) {
    const document = await vscode.workspace.openTextDocument(uri);
    await vscode.window.showTextDocument(document, { viewColumn: vscode.ViewColumn.Beside });
  }
}

const uriOf = (target: DocumentTarget | undefined): vscode.Uri | undefined =>
  target === undefined ? undefined : vscode.Uri.parse(target.toString());

/** Beside the text, where a group is there already that shows the form; else beside it. */
function placeOf(uri: vscode.Uri): vscode.ViewColumn {
  const group = vscode.window.tabGroups.all.find(({ tabs }) =>
    tabs.some(
      ({ input }) => input instanceof vscode.TabInputCustom && input.uri.toString() === uri.toString(),
    ),
  );
  return group?.viewColumn ?? vscode.ViewColumn.Active;
}
