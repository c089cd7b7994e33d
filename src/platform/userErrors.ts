import * as vscode from 'vscode';
import { capitalize } from '../base/capitalize.ts';
import { MessageError, formatMessage } from '../base/localize.ts';
import {
  ApiError,
  CanceledError,
  HttpError,
  PartialResponseError,
  ReadOnlyError,
  SignedOutError,
} from '../client/errors.ts';
import { UnknownConnectionError } from '../connections/sessions.ts';
import type { ConnectionTarget } from '../contributions.ts';
import { SandboxStartError } from '../sandbox/host/sandboxProcess.ts';
import { SandboxStoppedError } from '../sandbox/host/sandboxService.ts';
import { formatApiError, formatCause } from '../client/messages/formatApiError.ts';
import { formatConflict } from '../changes/messages/formatConflict.ts';
import { formatRuleProblem } from '../changes/messages/refusedRuleChange.ts';
import { toPlainText } from './serverText.ts';

const t = vscode.l10n.t;

/** Returns whether an error means that the user canceled, which needs no message. */
export const isCancellation = (error: unknown): boolean =>
  error instanceof CanceledError || error instanceof vscode.CancellationError;

/** The message for the user: what happened, where, and what to do. */
export function getUserMessage(error: unknown): string {
  if (error instanceof ApiError) {
    const text = formatApiError(t, error);
    // The names of unreadable items come from the server.
    return error instanceof PartialResponseError ? toPlainText(text) : text;
  }
  const writeProblem = formatConflict(t, error) ?? formatRuleProblem(t, error, getUserMessage);
  if (writeProblem !== undefined) {
    return toPlainText(writeProblem);
  }
  if (error instanceof SandboxStartError) {
    return t("The sandbox didn't start: {0}", error.output.trim() || t('it ended without output'));
  }
  if (error instanceof SandboxStoppedError) {
    return error.endReason === 'stopped'
      ? t('The sandbox is stopped. Start it first.')
      : t('The sandbox ended unexpectedly. Start it again. For details, see the log.');
  }
  if (error instanceof UnknownConnectionError) {
    return t('The connection was removed.');
  }
  if (error instanceof MessageError) {
    return formatMessage(t, error.userMessage);
  }
  return error instanceof Error ? error.message : String(error);
}

/** The actions offered with an error, the most helpful first. */
export function getErrorActions(error: unknown): readonly {
  readonly label: string;
  readonly command:
    | 'datamodelStudio.connections.unlock'
    | 'datamodelStudio.connections.signIn'
    | 'datamodelStudio.log.show';
  /** The connection of the error, if known. */
  readonly target?: ConnectionTarget | undefined;
}[] {
  const remedy = error instanceof ApiError ? error.remedy : undefined;
  return [
    ...(remedy === 'unlock'
      ? [
          {
            label: t('Unlock for Writing…'),
            command: 'datamodelStudio.connections.unlock',
            target: getErrorConnection(error),
          } as const,
        ]
      : []),
    ...(remedy === 'sign-in'
      ? [
          {
            label: t('Sign In…'),
            command: 'datamodelStudio.connections.signIn',
            target: getErrorConnection(error),
          } as const,
        ]
      : []),
    { label: t('Show Log'), command: 'datamodelStudio.log.show' },
  ];
}

/**
 * The error as a short label, without the operation and the remedy; {@link getUserMessage} returns the full message.
 */
export function getShortMessage(error: unknown): string {
  return capitalize(error instanceof ApiError ? formatCause(t, error) : getUserMessage(error));
}

function getErrorConnection(error: unknown): ConnectionTarget | undefined {
  const id =
    error instanceof ReadOnlyError || error instanceof SignedOutError || error instanceof HttpError
      ? error.connection?.id
      : undefined;
  return id === undefined ? undefined : { connectionId: id };
}
