import { administratorProbe } from '../../client/administratorProbe.ts';
import {
  ApiError,
  HttpError,
  ReadOnlyError,
  SchemaError,
  SignedOutError,
  TimeoutError,
} from '../../client/errors.ts';
import { Pipeline } from '../../client/pipeline.ts';
import { SessionResource } from '../../client/resources/people.ts';
import { ViewpointsResource } from '../../client/resources/viewpoints.ts';
import { defaultRetryPolicy } from '../../client/pacing.ts';
import { readIgnoringBody } from '../../client/reading.ts';
import type { Send } from '../../client/send.ts';
import { type SessionCheck, getSignInPage } from '../../contract/people.ts';
import { readViewpointStatus } from '../../contract/viewpointStatus.ts';
import type { DiagnosisContext } from './diagnosisContext.ts';
import type { StepFacts, StepResult } from './diagnosis.ts';

/** Checks the token (rest-api.md, "Authentication" 3). */
export async function checkToken(context: DiagnosisContext): Promise<StepResult> {
  return runWithSend(context, createTokenSource(context), async (send) => {
    try {
      const { value } = await new SessionResource(send).check(context.signal);
      return value.isauthenticated
        ? { outcome: 'ok', finding: 'token-accepted' }
        : { ...refusedTokenResult, facts: getSignInFacts(value) };
    } catch (error) {
      if (error instanceof SignedOutError) {
        const finding = error.code === 'bad-token' ? 'token-unusable' : 'no-token';
        return { outcome: 'failed', finding, remedy: 'sign-in' };
      }
      if (error instanceof HttpError && (error.isUnauthorized || error.isForbidden)) {
        return { ...refusedTokenResult, facts: getErrorFacts(error) };
      }
      return { ...createUnclearResult(context, error), outcome: 'failed' };
    }
  });
}

const refusedTokenResult: StepResult = { outcome: 'failed', finding: 'token-refused', remedy: 'sign-in' };

/** The sign-in page of an instance with single sign-on, without the rest of its address, which may contain secrets. */
function getSignInFacts(session: SessionCheck): StepFacts {
  const origin = URL.parse(getSignInPage(session) ?? '')?.origin;
  return origin === undefined ? {} : { targetOrigin: origin };
}

/**
 * Checks if the token's user may change data security rules (rest-api.md, "Authentication" 2). No request reports it,
 * so an empty list of rules is posted, which changes nothing, and the response shows whether a change would be allowed.
 */
export async function checkAdministrator(context: DiagnosisContext): Promise<StepResult> {
  const refusal = context.deps.locks.getRefusal(context.connection);
  if (refusal !== undefined) {
    return createWritesRefusedResult(refusal);
  }
  return runWithSend(context, createTokenSource(context), async (send) => {
    try {
      const { endpoint, body } = administratorProbe;
      // A web page isn't a response of the platform, whatever its status.
      readIgnoringBody(await send(endpoint, {}, { createBody: () => [...body], signal: context.signal }));
      return { outcome: 'ok', finding: 'administrator' };
    } catch (error) {
      if (error instanceof ReadOnlyError) {
        return createWritesRefusedResult(error.code);
      }
      if (error instanceof HttpError && (error.isUnauthorized || error.isForbidden)) {
        return {
          outcome: 'warning',
          finding: 'no-administrator',
          remedy: 'ask-administrator',
          facts: getErrorFacts(error),
        };
      }
      return createUnclearResult(context, error);
    }
  });
}

const createWritesRefusedResult = (refusal: 'read-only' | 'locked'): StepResult => ({
  outcome: 'skipped',
  finding: 'refuses-writes',
  facts: { refusal },
  ...(refusal === 'locked' ? { remedy: 'unlock' } : {}),
});

/** The requirements of the viewpoint service (rest-api.md, "Versioning"). */
const viewpointRequirements = { since: 'L2023.11', license: 'assistant-apps' };

/**
 * Checks if the instance has viewpoints. Sent without a token: GET /infusion/status needs none
 * (rest-api.md, "Authentication" 5).
 */
export async function checkViewpoints(context: DiagnosisContext): Promise<StepResult> {
  return runWithSend(context, getNoToken, async (send) => {
    try {
      const { value } = await new ViewpointsResource(send).status(context.signal);
      const { isReady, summary } = readViewpointStatus(value);
      const facts = summary === '' ? {} : { facts: { serverMessage: summary } };
      return isReady
        ? { outcome: 'ok', finding: 'viewpoints-run', requirements: viewpointRequirements, ...facts }
        : {
            outcome: 'warning',
            finding: 'viewpoints-not-ready',
            remedy: 'check-server',
            requirements: viewpointRequirements,
            ...facts,
          };
    } catch (error) {
      // Front ends return a web page for every path that they do not know.
      const isMissing =
        (error instanceof HttpError && error.status === 404) ||
        (error instanceof SchemaError && error.problem === 'html');
      return isMissing
        ? {
            outcome: 'warning',
            finding: 'no-viewpoints',
            remedy: 'check-version',
            requirements: viewpointRequirements,
            facts: getErrorFacts(error),
          }
        : { ...createUnclearResult(context, error), requirements: viewpointRequirements };
    }
  });
}

const getNoToken = async (): Promise<undefined> => undefined;

const createTokenSource =
  ({ deps, connection, address }: DiagnosisContext) =>
  () =>
    deps.tokens.get(connection.id, new URL(address).origin);

/** Runs a check that sends requests through the client's pipeline, with its write guard; nothing is retried. */
async function runWithSend(
  context: DiagnosisContext,
  tokenSource: () => Promise<string | undefined>,
  run: (send: Send) => Promise<StepResult>,
): Promise<StepResult> {
  const { deps, connection, address } = context;
  const pipeline = new Pipeline({
    baseUrl: address,
    transport: await context.getTransport(),
    tokenSource,
    guard: { getRefusal: () => deps.locks.getRefusal(connection) },
    clock: deps.clock,
    log: deps.log,
    random: () => 0,
    retry: { ...defaultRetryPolicy, maxAttempts: 1 },
    timeoutMs: context.stepTimeoutMs,
    concurrency: 1,
    ...(connection.tenantId ? { tenantId: connection.tenantId } : {}),
  });
  try {
    return await run((endpoint, params, options = {}) =>
      pipeline.send(endpoint, params, { ...options, dialect: 'plain' }),
    );
  } finally {
    pipeline.dispose();
  }
}

/** The result if the response proves neither success nor failure. */
function createUnclearResult(context: DiagnosisContext, error: unknown): StepResult {
  context.signal.throwIfAborted();
  return error instanceof TimeoutError
    ? { outcome: 'warning', finding: 'timed-out', remedy: 'check-server' }
    : { outcome: 'warning', finding: 'unclear', remedy: 'check-server', facts: getErrorFacts(error) };
}

function getErrorFacts(error: unknown): StepFacts {
  if (error instanceof HttpError || error instanceof SchemaError) {
    return {
      status: error.status,
      ...(error.serverMessage === undefined ? {} : { serverMessage: error.serverMessage }),
    };
  }
  return { reason: error instanceof ApiError ? error.code : String(error) };
}
