import * as vscode from 'vscode';
import { toPlainText } from './serverText.ts';

/** Messages to the user; server text in them is shown literally. They return the selected action. */

export function showError<Action extends string>(
  text: string,
  ...actions: readonly Action[]
): Thenable<Action | undefined> {
  return vscode.window.showErrorMessage(toPlainText(text), ...actions);
}

export function showInformation<Action extends string>(
  text: string,
  ...actions: readonly Action[]
): Thenable<Action | undefined> {
  return vscode.window.showInformationMessage(toPlainText(text), ...actions);
}

export function showWarning<Action extends string>(
  text: string,
  ...actions: readonly Action[]
): Thenable<Action | undefined> {
  return vscode.window.showWarningMessage(toPlainText(text), ...actions);
}

/** A modal question; `undefined` if it was canceled. */
export function showModalQuestion<Action extends string>(
  text: string,
  detail: string,
  ...actions: readonly Action[]
): Thenable<Action | undefined> {
  return vscode.window.showWarningMessage(
    toPlainText(text),
    { modal: true, detail: toPlainText(detail) },
    ...actions,
  );
}
