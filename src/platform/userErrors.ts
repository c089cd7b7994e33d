import * as vscode from 'vscode';
import { ApiError, CancelledError, PartialAnswerError, ReadOnlyError } from '../client/errors.ts';
import { UnknownConnectionError } from '../connections/sessions.ts';
import type { ConnectionTarget } from '../contributions.ts';
import { SandboxStartError } from '../sandbox/host/sandboxProcess.ts';
import { SandboxStoppedError } from '../sandbox/host/sandboxService.ts';
import { formatApiError, formatCause } from '../client/words/apiErrorWords.ts';
import { formatRuleProblem } from '../changes/words/refusedRuleChange.ts';
import { toPlainText } from './serverText.ts';

const t = vscode.l10n.t;

/** True for an intended result, such as cancelling: no message is needed. */
export const isCancellation = (error: unknown): boolean =>
  error instanceof CancelledError || error instanceof vscode.CancellationError;

/** The message for the user: what happened, to what, and what to do. */
export function getUserMessage(error: unknown): string {
  if (error instanceof ApiError) {
    const text = formatApiError(t, error);
    // Unreadable items have the names that the server gives them.
    return error instanceof PartialAnswerError ? toPlainText(text) : text;
  }
  const ruleProblem = formatRuleProblem(t, error, getUserMessage);
  if (ruleProblem !== undefined) {
    return ruleProblem;
  }
  if (error instanceof SandboxStartError) {
    return t('The sandbox did not start: {0}', error.output.trim() || t('it ended without a word'));
  }
  if (error instanceof SandboxStoppedError) {
    return t('The sandbox is stopped. Start it first.');
  }
  if (error instanceof UnknownConnectionError) {
    return t('The connection was removed.');
  }
  return error instanceof Error ? error.message : String(error);
}

/** One-click remedies for the user, the most helpful first. */
export function getErrorActions(error: unknown): readonly {
  readonly label: string;
  readonly command:
    | 'datamodelStudio.connections.unlock'
    | 'datamodelStudio.connections.signIn'
    | 'datamodelStudio.log.show';
  /** The connection that the error is about, if known. */
  readonly target?: ConnectionTarget | undefined;
}[] {
  const remedy = error instanceof ApiError ? error.remedy : undefined;
  return [
    ...(remedy === 'unlock'
      ? [
          {
            label: t('Unlock for Writing…'),
            command: 'datamodelStudio.connections.unlock',
            target: getRefusingConnection(error),
          } as const,
        ]
      : []),
    ...(remedy === 'sign-in'
      ? [{ label: t('Sign In…'), command: 'datamodelStudio.connections.signIn' } as const]
      : []),
    { label: t('Show Log'), command: 'datamodelStudio.log.show' },
  ];
}

/** The error as a label: no operation, no remedy. The full message is {@link getUserMessage}. */
export function getShortMessage(error: unknown): string {
  const text = error instanceof ApiError ? formatCause(t, error) : getUserMessage(error);
  return text.charAt(0).toLocaleUpperCase() + text.slice(1);
}

function getRefusingConnection(error: unknown): ConnectionTarget | undefined {
  const id = error instanceof ReadOnlyError ? error.connection?.id : undefined;
  return id === undefined ? undefined : { connectionId: id };
}
