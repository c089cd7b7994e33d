import * as vscode from 'vscode';
import type { ErrorCode, Remedy } from '../api/errorCodes.ts';
import {
  ApiError,
  HttpError,
  PartialAnswerError,
  ReadOnlyError,
  RedirectError,
  SchemaError,
} from '../api/errors.ts';
import { UnknownConnectionError } from '../connections/sessions.ts';
import type { ConnectionTarget } from '../contributions.ts';
import { SandboxStartError } from '../sandboxHost/sandboxProcess.ts';
import { SandboxStoppedError } from '../sandboxHost/sandboxService.ts';
import { operationWords } from './operationWords.ts';
import { unreadableWords } from './unreadableWords.ts';

const t = vscode.l10n.t;

/** What happened, to what, and what to do, in the person's language. */
export function userMessage(error: unknown): string {
  if (error instanceof ApiError) {
    const cause = [what(error), serverWords(error)].filter((part) => part !== undefined).join(': ');
    const sentence = t('{0} failed: {1}.', operationWords(error.operation.endpoint), withoutStop(cause));
    const remedy = remedies[error.remedy]();
    return remedy === undefined ? sentence : `${sentence} ${remedy}`;
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
  const text = error instanceof ApiError ? what(error) : userMessage(error);
  return text.charAt(0).toLocaleUpperCase() + text.slice(1);
}

function refusingConnection(error: unknown): ConnectionTarget | undefined {
  const id = error instanceof ReadOnlyError ? error.connection?.id : undefined;
  return id === undefined ? undefined : { connectionId: id };
}

const withoutStop = (text: string): string => text.replace(/[.\s]+$/, '');

function serverWords(error: ApiError): string | undefined {
  return error instanceof HttpError || error instanceof SchemaError ? error.words : undefined;
}

function what(error: ApiError): string {
  if (error instanceof RedirectError) {
    return t('the server sent the request on to {0}', error.to ?? t('another address'));
  }
  if (error instanceof PartialAnswerError) {
    const items = unreadableWords(error.readable.unreadable).join('; ');
    return t('a part of the answer could not be read: {0}', items);
  }
  if (error instanceof ReadOnlyError && error.connection !== undefined) {
    return error.code === 'locked'
      ? t('{0} is locked for writing', error.connection.name)
      : t('{0} is read-only', error.connection.name);
  }
  const status = error instanceof HttpError || error instanceof SchemaError ? ` (${error.status})` : '';
  return `${causes[error.code]()}${status}`;
}

const causes: Readonly<Record<ErrorCode, () => string>> = {
  unauthorized: () => t('the server did not accept the token'),
  forbidden: () => t('this user may not do that'),
  'administrator-required': () => t('only administrators may change data security rules'),
  'not-found': () => t('the server does not have it'),
  'needs-version': () => t('this version of the platform does not offer it'),
  conflict: () => t('it is in conflict with what is on the server'),
  'request-too-large': () => t('the request was too large for the server'),
  'too-many-requests': () => t('the server asks to slow down'),
  rejected: () => t('the server rejected the request'),
  'server-error': () => t('the server had an error'),
  'network-dns': () => t('the name of the server is not known'),
  'network-refused': () => t('the server does not accept connections'),
  'network-reset': () => t('the connection broke'),
  'network-tls': () => t('no secure connection could be made'),
  'network-proxy': () => t('the proxy did not let it through'),
  'network-unknown': () => t('the network failed'),
  timeout: () => t('the server took too long'),
  'answer-html': () => t('the server answered with a web page'),
  'answer-empty': () => t('the server answered nothing'),
  'answer-truncated': () => t('the answer broke off'),
  'answer-not-utf-8': () => t('the answer is not in UTF-8, so letters of it would be lost'),
  'answer-not-json': () => t('the answer is not JSON'),
  'answer-wrong-shape': () => t('the answer is not what this operation answers'),
  'answer-too-large': () => t('the answer is larger than is allowed'),
  redirected: () => t('the server sent the request on'),
  'read-only': () => t('the connection is read-only'),
  locked: () => t('the connection is locked for writing'),
  cancelled: () => t('it was cancelled'),
  'connection-closed': () => t('the connection was closed or changed meanwhile'),
  'signed-out': () => t('there is no token for this connection'),
  'bad-token': () => t('the token cannot be sent'),
  'bad-address': () => t('a name cannot be used in an address'),
  'invalid-request': () => t('the platform does not allow this document'),
  'rule-too-large': () => t('one rule alone is larger than is allowed'),
};

const remedies: Readonly<Record<Remedy, () => string | undefined>> = {
  'sign-in': () => t('Sign in again.'),
  'ask-administrator': () => t('Ask an administrator of the platform.'),
  'check-address': () => t('Check the address of the connection.'),
  'check-version': () => t('Check the version and the licence of the platform.'),
  'check-network': () => t('Check the network.'),
  'check-proxy': () => t('Check the proxy settings.'),
  'check-certificate': () => t("Check the server's certificate or add its authority in the settings."),
  reload: () => t('Refresh and look again.'),
  'fix-input': () => undefined,
  'make-smaller': () => t('Do it in smaller parts.'),
  wait: () => t('Try again later.'),
  repeat: () => t('Try again.'),
  'look-before-repeating': () => t('It may have happened all the same: look before you repeat it.'),
  unlock: () => t('Unlock the connection first.'),
  'use-other-connection': () => undefined,
  none: () => undefined,
};
