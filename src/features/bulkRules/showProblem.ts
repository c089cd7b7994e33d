import * as vscode from 'vscode';
import type { PreviewProblem } from '../../changes/messages/previewProblems.ts';
import { showInformation, showWarning } from '../../platform/messages.ts';
import { TableText } from '../../security/ruleTable/tableText.ts';

const t = vscode.l10n.t;

/** Shows a problem in the text of a table, beside the page. */
export async function showProblem(
  document: vscode.TextDocument,
  { location }: PreviewProblem,
): Promise<void> {
  if (location === undefined) {
    return;
  }
  const { start, end } = new TableText(document.getText()).locate(location);
  await vscode.window.showTextDocument(document, {
    viewColumn: vscode.ViewColumn.Beside,
    selection: new vscode.Range(document.positionAt(start), document.positionAt(end)),
  });
}

/**
 * Corrects the text of a table, and saves it if it's a file without other changes.
 * @returns false if the table was not corrected, or the file must be saved before it is compared again
 */
export async function fixProblem(document: vscode.TextDocument, { fix }: PreviewProblem): Promise<boolean> {
  const edits = fix === undefined ? [] : new TableText(document.getText()).createEdits(fix);
  if (edits.length === 0) {
    await showInformation(t('The table has changed in the meantime. Compare again.'));
    return false;
  }
  const wasDirty = document.isDirty;
  const edit = new vscode.WorkspaceEdit();
  for (const { start, end, newText } of edits) {
    const range = new vscode.Range(document.positionAt(start), document.positionAt(end));
    edit.replace(document.uri, range, newText);
  }
  if (!(await vscode.workspace.applyEdit(edit))) {
    return false;
  }
  if (document.isUntitled) {
    return true;
  }
  if (wasDirty) {
    await vscode.window.showTextDocument(document, { viewColumn: vscode.ViewColumn.Beside });
    await showWarning(t('The file has other unsaved changes. Save it and compare again.'));
    return false;
  }
  return document.save();
}
