import * as vscode from 'vscode';
import { type DocumentTarget, formEditors } from '../../contributions.ts';
import { activeForm } from '../../platform/activeForm.ts';
import { formOf } from '../../platform/formOf.ts';

/** Shows the form of a document: in place of its text, or beside it where the form is open there. */
export async function openFormOf(given: DocumentTarget | undefined): Promise<void> {
  const uri = uriOf(given) ?? vscode.window.activeTextEditor?.document.uri;
  const form = uri === undefined ? undefined : formOf(uri.path);
  if (uri !== undefined && form !== undefined) {
    const there = groupWithForm(uri);
    const text = vscode.window.tabGroups.activeTabGroup.activeTab;
    await vscode.commands.executeCommand('vscode.openWith', uri, formEditors[form], there ?? here);
    // The form keeps the document, unsaved changes included.
    if (there === undefined && text !== undefined && showsText(text, uri)) {
      await vscode.window.tabGroups.close(text);
    }
  }
}

/** Shows the text of a document beside its form. */
export async function openTextOf(given: DocumentTarget | undefined): Promise<void> {
  const uri = uriOf(given) ?? activeForm();
  if (uri !== undefined) {
    const document = await vscode.workspace.openTextDocument(uri);
    await vscode.window.showTextDocument(document, { viewColumn: vscode.ViewColumn.Beside });
  }
}

const uriOf = (target: DocumentTarget | undefined): vscode.Uri | undefined =>
  target === undefined ? undefined : vscode.Uri.parse(target.toString());

const here = vscode.ViewColumn.Active;

/** The group that shows the form of the document already. */
const groupWithForm = (uri: vscode.Uri): vscode.ViewColumn | undefined =>
  vscode.window.tabGroups.all.find(({ tabs }) =>
    tabs.some(
      ({ input }) => input instanceof vscode.TabInputCustom && input.uri.toString() === uri.toString(),
    ),
  )?.viewColumn;

const showsText = ({ input }: vscode.Tab, uri: vscode.Uri): boolean =>
  input instanceof vscode.TabInputText && input.uri.toString() === uri.toString();
