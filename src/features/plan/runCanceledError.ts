import * as vscode from 'vscode';
import { CanceledError } from '../../client/errors.ts';

/** The reason with which a run is aborted when the user cancels it. */
export class RunCanceledError extends Error {
  override readonly name = 'RunCanceledError';

  constructor() {
    super(vscode.l10n.t('You canceled the change.'));
  }
}

/** Returns whether an error means that the user canceled a run, and that nothing on the server is changed by it. */
export const isCanceledWithoutChange = (error: unknown): boolean =>
  error instanceof RunCanceledError || (error instanceof CanceledError && !error.mayHaveTakenEffect);

export const getCanceledMessage = (): string => vscode.l10n.t('Canceled. The server is unchanged.');
