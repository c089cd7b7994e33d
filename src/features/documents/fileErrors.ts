import * as vscode from 'vscode';
import { UnknownConnectionError } from '../../connections/sessions.ts';
import { DocumentRefusal } from '../../documents/refusals.ts';
import { DocumentConflict, IncompleteSave, UnkeptSave } from '../../documents/saveProblems.ts';
import { userMessage } from '../../platform/userErrors.ts';
import { PlanNeededError } from '../../changes/run/problems.ts';
import { refusalMessage } from './refusalWords.ts';

/** A file that cannot be read, as the editor understands it: what is not there is no failure to it. */
export const readError = (uri: vscode.Uri, error: unknown): Error =>
  isAbsent(error) ? vscode.FileSystemError.FileNotFound(uri) : fileError(error);

/** The server does not have it, or never had. */
export const isAbsent = (error: unknown): boolean =>
  error instanceof DocumentRefusal && (error.code === 'gone' || error.code === 'not-opened');

/** An error as the editor's file service tells it, with words for a person. */
export function fileError(error: unknown): Error {
  if (error instanceof vscode.FileSystemError) {
    return error;
  }
  if (error instanceof DocumentRefusal) {
    const message = refusalMessage(error);
    return error.code === 'read-only' || error.code === 'not-opened'
      ? vscode.FileSystemError.NoPermissions(message)
      : vscode.FileSystemError.Unavailable(message);
  }
  if (error instanceof DocumentConflict) {
    return vscode.FileSystemError.Unavailable(
      vscode.l10n.t('It has changed on the server. Nothing was sent.'),
    );
  }
  if (error instanceof PlanNeededError) {
    return vscode.FileSystemError.Unavailable(
      error.plan.severity === 'unchecked'
        ? vscode.l10n.t('What it might break could not all be looked at. Nothing was sent: review the plan.')
        : vscode.l10n.t('It deletes or breaks something. Nothing was sent: review the plan.'),
    );
  }
  if (error instanceof IncompleteSave) {
    return vscode.FileSystemError.Unavailable(incompleteMessage(error));
  }
  if (error instanceof UnkeptSave) {
    return vscode.FileSystemError.Unavailable(
      vscode.l10n.t('The server said yes and still holds what it held before: it did not take the change.'),
    );
  }
  if (error instanceof UnknownConnectionError) {
    return vscode.FileSystemError.Unavailable(vscode.l10n.t('Its connection was removed.'));
  }
  return vscode.FileSystemError.Unavailable(userMessage(error));
}

/** How far a save came, why it stopped, and what to do. */
function incompleteMessage({
  progress: { done, of, isUnknown, hidesValues },
  cause,
}: IncompleteSave): string {
  const parts = [
    isUnknown && of === 1
      ? vscode.l10n.t('Whether the server has it could not be found out.')
      : vscode.l10n.t('{0} of {1} requests were carried out.', done, of),
    userMessage(cause),
    vscode.l10n.t('The next save looks again and does what is left.'),
    hidesValues ? vscode.l10n.t('Until then those whom the rules name see no value of the column.') : '',
  ];
  return parts.filter((part) => part !== '').join(' ');
}
