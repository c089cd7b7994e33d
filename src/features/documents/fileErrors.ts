import * as vscode from 'vscode';
import { DocumentRefusedError } from '../../documents/refusals.ts';
import {
  DocumentConflictError,
  IncompleteSaveError,
  RecoveryReviewNeededError,
  SaveNotAppliedError,
} from '../../documents/saveErrors.ts';
import { toPlainText } from '../../platform/serverText.ts';
import { getUserMessage } from '../../platform/userErrors.ts';
import { PlanNeededError, StoppedError } from '../../changes/run/writeErrors.ts';
import { describeRefusal } from './refusalMessages.ts';

/** Converts a read error to one of VS Code, which expects FileNotFound for a file that does not exist. */
export const toReadError = (uri: vscode.Uri, error: unknown): Error =>
  isNotFound(error) ? vscode.FileSystemError.FileNotFound(uri) : toFileError(error);

/**
 * Returns whether a read failed because there is no document: nothing has the path (`not-opened`), or the server no
 * longer has the resource.
 */
export const isNotFound = (error: unknown): boolean =>
  error instanceof DocumentRefusedError && (error.code === 'gone' || error.code === 'not-opened');

/**
 * Converts an error to a FileSystemError with a message for the user. The editor would render links in the message,
 * which may contain text from the server, so it is made plain text.
 */
export function toFileError(error: unknown): Error {
  if (error instanceof vscode.FileSystemError) {
    return error;
  }
  const message = toPlainText(describeFileError(error));
  return error instanceof DocumentRefusedError && (error.code === 'read-only' || error.code === 'not-opened')
    ? vscode.FileSystemError.NoPermissions(message)
    : vscode.FileSystemError.Unavailable(message);
}

function describeFileError(error: unknown): string {
  if (error instanceof DocumentRefusedError) {
    return describeRefusal(error);
  }
  if (error instanceof DocumentConflictError) {
    return vscode.l10n.t('This document has changed on the server. Nothing was sent.');
  }
  if (error instanceof PlanNeededError) {
    return error.plan.severity === 'unchecked'
      ? vscode.l10n.t(
          "Some items that this change might break couldn't be checked. Nothing was sent. Review the change before saving.",
        )
      : vscode.l10n.t(
          'This change would delete or break other items. Nothing was sent. Review the change before saving.',
        );
  }
  if (error instanceof IncompleteSaveError) {
    return describeIncompleteSave(error);
  }
  if (error instanceof RecoveryReviewNeededError) {
    return vscode.l10n.t(
      'The last save of this document was interrupted. Nothing more was sent. Review what remains before saving.',
    );
  }
  if (error instanceof StoppedError) {
    // A save fails with this error only if the user canceled it and nothing has changed so far (`handleStoppedSave`).
    return vscode.l10n.t(
      'Canceled. Nothing has changed on the server so far, but a request might still take effect.',
    );
  }
  if (error instanceof SaveNotAppliedError) {
    return vscode.l10n.t(
      "The server reported success but didn't apply the change. Check the changed values, and then save again.",
    );
  }
  return getUserMessage(error);
}

/** Describes which part of a save was carried out, why it stopped, and what the user can do. */
function describeIncompleteSave({
  progress: { doneCount, totalCount, hasUnknownOutcome, hasDenyRules },
  cause,
}: IncompleteSaveError): string {
  const sentences = [
    hasUnknownOutcome && totalCount === 1
      ? vscode.l10n.t("Couldn't verify whether the change was saved.")
      : vscode.l10n.t('Requests completed: {0} of {1}.', doneCount, totalCount),
    getUserMessage(cause),
    vscode.l10n.t(
      'The next save checks the server and sends the remaining requests, after a review if required.',
    ),
    hasDenyRules
      ? vscode.l10n.t('Until then, the users and groups named in the rules see no values of the column.')
      : '',
  ];
  return sentences.filter((sentence) => sentence !== '').join(' ');
}
