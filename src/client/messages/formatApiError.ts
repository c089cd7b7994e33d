import { type ErrorCode, type Remedy, tenantParameter } from '../apiError.ts';
import {
  AddressError,
  type ApiError,
  HttpError,
  PartialResponseError,
  ReadOnlyError,
  RedirectError,
  SchemaError,
  SignedOutError,
} from '../errors.ts';
import { getRuleRefusal } from '../httpError.ts';
import { RepetitionError } from '../uncertainEffect.ts';
import type { Localize } from '../../base/localize.ts';
import { getRequestLabel } from './requestLabels.ts';
import { ruleRefusalTexts } from './ruleRefusalTexts.ts';
import { describeUnreadableItems } from './describeUnreadableItems.ts';

/**
 * Formats an error for the user: the request, the cause, and the remedy, in full sentences.
 * @param getRemedy returns the text of a remedy; by default the text for the editor
 */
export function formatApiError(
  t: Localize,
  error: ApiError,
  getRemedy: (remedy: Remedy) => string | undefined = (remedy) => remedies[remedy](t),
): string {
  const refusal = getRuleRefusal(error);
  // The platform's message for a datamodel that was never built is not helpful.
  const serverMessage = refusal === 'needs-build' ? undefined : formatServerMessage(t, error);
  // The server's message may say the same as the cause.
  const code =
    error.code === 'administrator-required' && /admin/i.test(serverMessage ?? '') ? 'forbidden' : error.code;
  const cause = [formatCause(t, error, code), serverMessage].filter((text) => text !== undefined).join(': ');
  const sentence = t('{0} failed: {1}.', getRequestLabel(t, error.requestInfo.endpoint), trimFullStop(cause));
  const help = refusal === undefined ? undefined : ruleRefusalTexts[refusal](t).help;
  // The remedy for the status does not apply: the request is right, and the help says what to do.
  const remedy = refusal === 'needs-build' ? undefined : getRemedy(error.remedy);
  return [sentence, formatRequestedWait(t, error), help, remedy]
    .filter((text) => text !== undefined && text !== '')
    .join(' ');
}

/** Says how long the server asked to wait before the next request; `undefined` if it didn't. */
function formatRequestedWait(t: Localize, error: ApiError): string | undefined {
  if (error instanceof RepetitionError) {
    return formatRequestedWait(t, error.failure);
  }
  const seconds = Math.ceil((error instanceof HttpError ? (error.retryAfterMs ?? 0) : 0) / 1000);
  if (seconds === 0) {
    return undefined;
  }
  if (seconds === 1) {
    return t('The server requested a wait of 1 second.');
  }
  return seconds <= 120
    ? t('The server requested a wait of {0} seconds.', seconds)
    : t('The server requested a wait of {0} minutes.', Math.ceil(seconds / 60));
}

const trimFullStop = (text: string): string => text.replace(/[.\s]+$/, '');

function formatServerMessage(t: Localize, error: ApiError): string | undefined {
  if (error instanceof RepetitionError) {
    return formatServerMessage(t, error.failure);
  }
  if (error instanceof HttpError && error.serverMessage !== undefined) {
    return [error.serverMessage, ...formatReferences(t, error)].join(' ');
  }
  return error instanceof HttpError || error instanceof SchemaError ? error.serverMessage : undefined;
}

/** The references by which an administrator of the instance can find the problem. */
function formatReferences(t: Localize, { sub, logref }: HttpError): readonly string[] {
  const references = [
    ...(sub === undefined ? [] : [t('code {0}', sub)]),
    ...(logref === undefined ? [] : [t('log reference {0}', logref)]),
  ];
  return references.length === 0 ? [] : [`(${references.join(', ')})`];
}

/** The cause, as a clause without a full stop: no operation, no remedy. */
export function formatCause(t: Localize, error: ApiError, code: ErrorCode = error.code): string {
  if (error instanceof RepetitionError) {
    return formatCause(t, error.failure);
  }
  const refusal = getRuleRefusal(error);
  if (refusal !== undefined) {
    return ruleRefusalTexts[refusal](t).cause;
  }
  if (error instanceof RedirectError) {
    return t('the server redirected the request to {0}', error.targetOrigin ?? t('another address'));
  }
  if (error instanceof PartialResponseError) {
    const items = describeUnreadableItems(t, error.readable).join('; ');
    return t("part of the response couldn't be read: {0}", items);
  }
  if (error instanceof ReadOnlyError && error.connection !== undefined) {
    return error.code === 'locked'
      ? t("{0} is locked, so writes aren't allowed", error.connection.name)
      : t('{0} is read-only', error.connection.name);
  }
  if (error instanceof SignedOutError && error.code === 'signed-out' && error.connection !== undefined) {
    return t('{0} has no token', error.connection.name);
  }
  if (error instanceof AddressError && error.parameter === undefined) {
    return t('the address of the connection is invalid');
  }
  if (error instanceof AddressError && error.parameter === tenantParameter) {
    return t("the tenant ID can't contain spaces or special characters");
  }
  const status = error instanceof HttpError || error instanceof SchemaError ? ` (${error.status})` : '';
  return `${causes[code](t)}${status}`;
}

const causes: Readonly<Record<ErrorCode, (t: Localize) => string>> = {
  unauthorized: (t) => t('the server rejected the token'),
  forbidden: (t) => t("this user doesn't have permission"),
  'administrator-required': (t) => t('only administrators can change data security rules'),
  'not-found': (t) => t('not found on the server'),
  'not-offered': (t) => t("this server can't delete a single data security rule"),
  'needs-version': (t) => t("this version of the platform doesn't support it"),
  conflict: (t) => t('it conflicts with the current state on the server'),
  'request-too-large': (t) => t('the request is too large for the server'),
  'too-many-requests': (t) => t('too many requests'),
  rejected: (t) => t('the server rejected the request'),
  'server-error': (t) => t('the server encountered an internal error'),
  'network-dns': (t) => t("the server name can't be resolved"),
  'network-refused': (t) => t("can't connect to the server"),
  'network-reset': (t) => t('the connection was lost'),
  'network-tls': (t) => t("a secure connection can't be established"),
  'network-proxy': (t) => t("the proxy can't be reached, or it rejected the request"),
  'network-unknown': (t) => t('a network error occurred'),
  timeout: (t) => t('the server took too long to respond'),
  'answer-html': (t) => t('the server returned a web page'),
  'answer-empty': (t) => t('the server returned an empty response'),
  'answer-truncated': (t) => t('the response was cut off'),
  'answer-not-utf-8': (t) => t("the response isn't UTF-8, so characters would be lost"),
  'answer-not-json': (t) => t("the response isn't JSON"),
  'answer-wrong-shape': (t) => t('the response has an unexpected format'),
  'answer-too-large': (t) => t('the response is too large'),
  redirected: (t) => t('the server redirected the request'),
  'read-only': (t) => t('the connection is read-only'),
  locked: (t) => t("the connection is locked, so writes aren't allowed"),
  canceled: (t) => t('it was canceled'),
  'connection-closed': (t) => t('the connection was closed or changed in the meantime'),
  'signed-out': (t) => t('this connection has no token'),
  'bad-token': (t) => t("the token can't be sent"),
  'bad-address': (t) => t("a name such as A/../B can't be used in a URL"),
  'invalid-request': (t) => t("the platform doesn't allow this document"),
  'rule-too-large': (t) => t('a single rule is too large'),
};

const remedies: Readonly<Record<Remedy, (t: Localize) => string | undefined>> = {
  'sign-in': (t) => t('Sign in again.'),
  'ask-administrator': (t) =>
    t("Ask an administrator for permission, or sign in with an administrator's token."),
  'check-address': (t) => t('Check the address of the connection.'),
  'check-version': (t) => t("Check the platform's version and license."),
  'check-network': (t) => t('Check the network.'),
  'check-proxy': (t) => t('Check the proxy settings.'),
  'check-certificate': (t) =>
    t("Check the server's certificate or add its certificate authority in the settings."),
  reload: (t) => t('Refresh, and then try again.'),
  'fix-input': () => undefined,
  'make-smaller': (t) => t('Split the change into smaller parts.'),
  wait: (t) => t('Try again later.'),
  repeat: (t) => t('Try again.'),
  'look-before-repeating': (t) => t('It might have succeeded. Check before you try again.'),
  unlock: (t) => t('Unlock the connection first.'),
  'use-other-connection': () => undefined,
  none: () => undefined,
};
