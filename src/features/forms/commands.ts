import * as vscode from 'vscode';
import { type UriTarget, formEditors } from '../../contributions.ts';
import { getActiveFormUri } from '../../platform/activeForm.ts';
import { getFormName } from '../../platform/formNames.ts';

/** Opens the form of a document instead of its text editor, or shows the form if it is already open. */
export async function openFormForDocument(target: UriTarget | undefined): Promise<void> {
  const uri = toUri(target) ?? vscode.window.activeTextEditor?.document.uri;
  const form = uri === undefined ? undefined : getFormName(uri.path);
  if (uri !== undefined && form !== undefined) {
    const formViewColumn = findFormViewColumn(uri, formEditors[form]);
    const activeTab = vscode.window.tabGroups.activeTabGroup.activeTab;
    await vscode.commands.executeCommand(
      'vscode.openWith',
      uri,
      formEditors[form],
      formViewColumn ?? activeViewColumn,
    );
    // Closing a text editor with unsaved changes would ask whether to save or discard them, so it stays open.
    if (
      formViewColumn === undefined &&
      activeTab !== undefined &&
      isTextTab(activeTab, uri) &&
      !activeTab.isDirty
    ) {
      await vscode.window.tabGroups.close(activeTab);
    }
  }
}

/** Opens the text of a document in the editor group beside its form. */
export async function openTextForDocument(target: UriTarget | undefined): Promise<void> {
  const uri = toUri(target) ?? getActiveFormUri();
  if (uri !== undefined) {
    const document = await vscode.workspace.openTextDocument(uri);
    await vscode.window.showTextDocument(document, { viewColumn: vscode.ViewColumn.Beside });
  }
}

const toUri = (target: UriTarget | undefined): vscode.Uri | undefined =>
  target === undefined ? undefined : vscode.Uri.parse(target.toString());

const activeViewColumn = vscode.ViewColumn.Active;

/** Returns the view column of the editor group in which the form of the document is open. */
const findFormViewColumn = (uri: vscode.Uri, viewType: string): vscode.ViewColumn | undefined =>
  vscode.window.tabGroups.all.find(({ tabs }) =>
    tabs.some(
      ({ input }) =>
        input instanceof vscode.TabInputCustom &&
        input.viewType === viewType &&
        input.uri.toString() === uri.toString(),
    ),
  )?.viewColumn;

const isTextTab = ({ input }: vscode.Tab, uri: vscode.Uri): boolean =>
  input instanceof vscode.TabInputText && input.uri.toString() === uri.toString();
