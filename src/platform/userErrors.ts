import * as vscode from 'vscode';
import { ApiError, CancelledError, PartialAnswerError, ReadOnlyError } from '../client/errors.ts';
import { UnknownConnectionError } from '../connections/sessions.ts';
import type { ConnectionTarget } from '../contributions.ts';
import { SandboxStartError } from '../sandbox/host/sandboxProcess.ts';
import { SandboxStoppedError } from '../sandbox/host/sandboxService.ts';
import { apiErrorText, causeText } from '../client/words/apiErrorWords.ts';
import { ruleProblemText } from '../changes/words/refusedRuleChange.ts';
import { plainText } from './serverText.ts';

const t = vscode.l10n.t;

/** True for what the person did on purpose, such as cancelling: no message is needed. */
export const isSilent = (error: unknown): boolean =>
  error instanceof CancelledError || error instanceof vscode.CancellationError;

/** What happened, to what, and what to do, in the person's language. */
export function userMessage(error: unknown): string {
  if (error instanceof ApiError) {
    const text = apiErrorText(t, error);
    // Items that could not be read are called what the server calls them.
    return error instanceof PartialAnswerError ? plainText(text) : text;
  }
  const ruleProblem = ruleProblemText(t, error, userMessage);
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

/** What a person can do about it with one click, what helps most first. */
export function waysOn(error: unknown): readonly {
  readonly label: string;
  readonly command:
    | 'datamodelStudio.connections.unlock'
    | 'datamodelStudio.connections.signIn'
    | 'datamodelStudio.log.show';
  /** The connection that it is about, where that is known. */
  readonly target?: ConnectionTarget | undefined;
}[] {
  const remedy = error instanceof ApiError ? error.remedy : undefined;
  return [
    ...(remedy === 'unlock'
      ? [
          {
            label: t('Unlock for Writing…'),
            command: 'datamodelStudio.connections.unlock',
            target: refusingConnection(error),
          } as const,
        ]
      : []),
    ...(remedy === 'sign-in'
      ? [{ label: t('Sign In…'), command: 'datamodelStudio.connections.signIn' } as const]
      : []),
    { label: t('Show Log'), command: 'datamodelStudio.log.show' },
  ];
}

/** What happened, as a label: no operation, no remedy. The whole of it is {@link userMessage}. */
export function shortMessage(error: unknown): string {
  const text = error instanceof ApiError ? causeText(t, error) : userMessage(error);
  return text.charAt(0).toLocaleUpperCase() + text.slice(1);
}

function refusingConnection(error: unknown): ConnectionTarget | undefined {
  const id = error instanceof ReadOnlyError ? error.connection?.id : undefined;
  return id === undefined ? undefined : { connectionId: id };
}
