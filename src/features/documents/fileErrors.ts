import * as vscode from 'vscode';
import { UnknownConnectionError } from '../../connections/sessions.ts';
import { DocumentRefusal } from '../../documents/refusals.ts';
import { userMessage } from '../../platform/userErrors.ts';
import { refusalMessage } from './refusalWords.ts';

/** An error as the editor's file service tells it: the kind it understands, with words for a person. */
export function fileError(uri: vscode.Uri, error: unknown): Error {
  if (error instanceof vscode.FileSystemError) {
    return error;
  }
  if (error instanceof DocumentRefusal) {
    if (error.code === 'gone' || error.code === 'not-opened') {
      return vscode.FileSystemError.FileNotFound(uri);
    }
    const message = refusalMessage(error);
    return error.code === 'read-only'
      ? vscode.FileSystemError.NoPermissions(message)
      : vscode.FileSystemError.Unavailable(message);
  }
  if (error instanceof UnknownConnectionError) {
    return vscode.FileSystemError.Unavailable(vscode.l10n.t('Its connection was removed.'));
  }
  return vscode.FileSystemError.Unavailable(userMessage(error));
}
