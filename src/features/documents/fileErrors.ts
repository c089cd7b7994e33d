import * as vscode from 'vscode';
import { UnknownConnectionError } from '../../connections/sessions.ts';
import { DocumentRefusedError } from '../../documents/refusals.ts';
import {
  DocumentConflictError,
  IncompleteSaveError,
  SaveNotKeptError,
} from '../../documents/saveProblems.ts';
import { getUserMessage } from '../../platform/userErrors.ts';
import { PlanNeededError } from '../../changes/run/problems.ts';
import { describeRefusal } from './refusalMessages.ts';

/** A file that cannot be read, as the editor understands it: what is not there is no failure to it. */
export const toReadError = (uri: vscode.Uri, error: unknown): Error =>
  isNotFound(error) ? vscode.FileSystemError.FileNotFound(uri) : toFileError(error);

/** The server does not have it, or never had. */
export const isNotFound = (error: unknown): boolean =>
  error instanceof DocumentRefusedError && (error.code === 'gone' || error.code === 'not-opened');

/** An error as the editor's file service tells it, with words for a person. */
export function toFileError(error: unknown): Error {
  if (error instanceof vscode.FileSystemError) {
    return error;
  }
  if (error instanceof DocumentRefusedError) {
    const message = describeRefusal(error);
    return error.code === 'read-only' || error.code === 'not-opened'
      ? vscode.FileSystemError.NoPermissions(message)
      : vscode.FileSystemError.Unavailable(message);
  }
  if (error instanceof DocumentConflictError) {
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
  if (error instanceof IncompleteSaveError) {
    return vscode.FileSystemError.Unavailable(describeIncompleteSave(error));
  }
  if (error instanceof SaveNotKeptError) {
    return vscode.FileSystemError.Unavailable(
      vscode.l10n.t('The server said yes and still holds what it held before: it did not take the change.'),
    );
  }
  if (error instanceof UnknownConnectionError) {
    return vscode.FileSystemError.Unavailable(vscode.l10n.t('Its connection was removed.'));
  }
  return vscode.FileSystemError.Unavailable(getUserMessage(error));
}

/** How far a save came, why it stopped, and what to do. */
function describeIncompleteSave({
  progress: { done, total, isUnknown, hidesValues },
  cause,
}: IncompleteSaveError): string {
  const parts = [
    isUnknown && total === 1
      ? vscode.l10n.t('Whether the server has it could not be found out.')
      : vscode.l10n.t('{0} of {1} requests were carried out.', done, total),
    getUserMessage(cause),
    vscode.l10n.t('The next save looks again and does what is left.'),
    hidesValues ? vscode.l10n.t('Until then those whom the rules name see no value of the column.') : '',
  ];
  return parts.filter((part) => part !== '').join(' ');
}
