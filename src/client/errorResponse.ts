import type { EndpointId } from '../contract/endpoints.ts';
import { parseProblem, getProblemMessage } from '../contract/problem.ts';
import type { OutgoingRequest, ExchangeResult } from './exchange.ts';
import type { GuardedConnection } from './guard.ts';
import { HttpError, type VersionHint } from './httpError.ts';
import { parseRetryAfter } from './pacing.ts';

/**
 * Converts a response with an error status to an error with the server's message, without secrets.
 * @param options.connection the saved connection that the request was sent for
 * @param options.now milliseconds since the epoch
 */
export function readErrorResponse(
  { requestInfo, body }: Pick<OutgoingRequest, 'requestInfo' | 'body'>,
  exchange: ExchangeResult,
  { connection, now }: { readonly connection: GuardedConnection | undefined; readonly now: number },
): HttpError {
  const { response, token } = exchange;
  const { status, text, headers } = response;
  const problem = parseProblem(text);
  const hasProblemBody = problem?.isStatusOnly === false;
  const redactToken = (reference: string | undefined): string | undefined =>
    reference === undefined ? undefined : redact(reference, token);
  return new HttpError(requestInfo, {
    status,
    serverMessage: readServerMessage(exchange),
    ...(problem === undefined
      ? {}
      : {
          platformCode: problem.code,
          sub: redactToken(problem.sub),
          logref: redactToken(problem.logref),
        }),
    hasProblemBody,
    connection,
    retryAfterMs: parseRetryAfter(headers['retry-after'], now),
    versionHint: getVersionHint(requestInfo.endpoint, {
      status,
      hasProblemBody,
      sentSchemaOrigin: body?.includes('"schemaOrigin"') ?? false,
    }),
  });
}

/** The message in a body, for the user, without secrets and without the token. */
export function readServerMessage({ response, token }: ExchangeResult): string | undefined {
  // Redacted before it is cut off, too: the first part of a token at the end would not be recognized.
  const problemMessage = getProblemMessage(redact(response.text, token));
  return problemMessage === undefined ? undefined : redact(problemMessage, token);
}

/** Removes a secret from external text: a server may echo what it was sent. */
function redact(text: string, secret: string | undefined): string {
  return secret === undefined || secret.length < 4 ? text : text.replaceAll(secret, '•••');
}

const viewpointsHint: VersionHint = { feature: 'viewpoints', since: 'L2023.11', license: 'assistant-apps' };
const schemaOriginHint: VersionHint = { feature: 'schemaOrigin', since: 'L2021.3' };
const apiV2Hint: VersionHint = { feature: 'apiV2', since: 'L8.1' };

/** Endpoints whose path contains no ID: their 404 means that the instance lacks all endpoints of the area. */
const versionHints: Readonly<Partial<Record<EndpointId, VersionHint>>> = {
  'viewpoints.status': viewpointsHint,
  'viewpoints.list': viewpointsHint,
  'viewpoints.create': viewpointsHint,
  'datamodels.list': apiV2Hint,
  'datamodels.create': apiV2Hint,
  'builds.list': apiV2Hint,
  'builds.start': apiV2Hint,
  'builds.cancelAll': apiV2Hint,
};

/**
 * The version that explains a 404 (rest-api.md, "Versioning"): viewpoints from L2023.11 with the license,
 * `schemaOrigin` from L2021.3, API v2 from L8.1. A problem body proves that the area exists, so the 404 concerns an ID.
 * @param context.sentSchemaOrigin whether the request carried the build field `schemaOrigin`
 */
function getVersionHint(
  endpoint: EndpointId,
  context: { readonly status: number; readonly hasProblemBody: boolean; readonly sentSchemaOrigin: boolean },
): VersionHint | undefined {
  if (context.status !== 404 || context.hasProblemBody) {
    return undefined;
  }
  return endpoint === 'builds.start' && context.sentSchemaOrigin ? schemaOriginHint : versionHints[endpoint];
}
