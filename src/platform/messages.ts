import * as vscode from 'vscode';
import { toPlainText } from './serverText.ts';

/** Shows an error message, with server text as plain text. Returns the selected action. */
export function showError<Action extends string>(
  text: string,
  ...actions: readonly Action[]
): Thenable<Action | undefined> {
  return vscode.window.showErrorMessage(toPlainText(text), ...actions);
}

/** Shows an information message, with server text as plain text. Returns the selected action. */
export function showInformation<Action extends string>(
  text: string,
  ...actions: readonly Action[]
): Thenable<Action | undefined> {
  return vscode.window.showInformationMessage(toPlainText(text), ...actions);
}

/** Shows a warning, with server text as plain text. Returns the selected action. */
export function showWarning<Action extends string>(
  text: string,
  ...actions: readonly Action[]
): Thenable<Action | undefined> {
  return vscode.window.showWarningMessage(toPlainText(text), ...actions);
}

/**
 * Shows a modal dialog. Returns the selected action; `undefined` if the user canceled.
 * @param detail the text below the question, or its lines; line breaks in server text are removed, so that it adds no
 * line
 */
export function showModalQuestion<Action extends string>(
  text: string,
  detail: string | readonly string[],
  ...actions: readonly Action[]
): Thenable<Action | undefined> {
  const lines = typeof detail === 'string' ? [detail] : detail;
  return vscode.window.showWarningMessage(
    toPlainText(text),
    { modal: true, detail: lines.map(toPlainText).join('\n') },
    ...actions,
  );
}
