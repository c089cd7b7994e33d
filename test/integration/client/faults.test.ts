import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ApiError } from '../../../src/client/errors.ts';
import { isRetryable } from '../../../src/client/pacing.ts';
import { type EndpointId, endpoints, takesBody } from '../../../src/contract/endpoints.ts';
import type { Fault } from '../../../src/sandbox/faults.ts';
import { createClientCalls } from '../../support/clientCalls.ts';
import { type TemporarySandbox, startTemporarySandbox } from '../../support/temporarySandbox.ts';
import { expectApiErrorWithoutSecrets, createRealClient } from './realClient.ts';

let sandbox: TemporarySandbox;
beforeAll(async () => {
  sandbox = await startTemporarySandbox('empty');
});
afterAll(() => sandbox.stop());

const endpointIds = Object.keys(endpoints) as EndpointId[];
const isGet = (id: EndpointId): boolean => endpoints[id].method === 'GET';

interface Outcome {
  readonly id: EndpointId;
  readonly error: ApiError | undefined;
  /** The number of times the operation was sent. */
  readonly attempts: number;
}

/**
 * Calls every method of the client once while the fault is active. Each has its own client, so that its attempts are
 * counted apart.
 */
async function callAllUnderFault(fault: Fault, timeoutMs = 5000): Promise<readonly Outcome[]> {
  await sandbox.setFaults([]);
  const clients = endpointIds.map((id) => ({
    id,
    realClient: createRealClient(sandbox.url, sandbox.adminToken, {
      transport: { limitBytes: 300_000 },
      deps: { timeoutMs },
    }),
  }));
  // Listing first detects the dialect, so that under the fault only the operation itself is sent.
  for (const { realClient } of clients) {
    await realClient.client.datamodels.list();
  }
  await sandbox.setFaults([fault]);
  const outcomes = await Promise.all(
    clients.map(async ({ id, realClient: { client, log } }): Promise<Outcome> => {
      const before = log.entries.length;
      const call = createClientCalls(client)[id]();
      const failed = await call.then(
        () => false,
        () => true,
      );
      const error = failed ? await expectApiErrorWithoutSecrets(call, log, [sandbox.adminToken]) : undefined;
      const attempts = log.entries.slice(before).filter(({ fields }) => fields['endpoint'] === id).length;
      client.dispose();
      return { id, error, attempts };
    }),
  );
  await sandbox.setFaults([]);
  return outcomes;
}

/** Returns the operations whose error code or number of attempts differs from the expected one. */
function findUnexpected(
  outcomes: readonly Outcome[],
  expected: (id: EndpointId) => { readonly code: string | undefined; readonly attempts: number },
) {
  return outcomes
    .map(({ id, error, attempts }) => ({ id, code: error?.code, attempts }))
    .filter(({ id, code, attempts }) => code !== expected(id).code || attempts !== expected(id).attempts);
}

const failsAtOnce = (code: string) => () => ({ code, attempts: 1 });
const failsAfterRetries = (code: string) => (id: EndpointId) => ({ code, attempts: isRetryable(id) ? 3 : 1 });

describe('every operation reports the right error for each fault, and only a GET or a DELETE by ID is retried', () => {
  test.each([
    // One rule of a live datamodel is sent in both forms: if the first form is refused, nothing was written.
    [400, (id: EndpointId) => ({ code: 'rejected', attempts: id === 'liveRules.create' ? 2 : 1 })],
    [
      403,
      (id: EndpointId) => ({
        code: 'requiresAdministrator' in endpoints[id] ? 'administrator-required' : 'forbidden',
        attempts: 1,
      }),
    ],
    [409, failsAtOnce('conflict')],
    [413, failsAtOnce('request-too-large')],
    [500, failsAtOnce('server-error')],
    [502, failsAfterRetries('server-error')],
    [503, failsAfterRetries('server-error')],
    [504, failsAfterRetries('server-error')],
  ] as const)(
    'status %i is an error, and a write may have taken effect only after a server error',
    async (status, expected) => {
      const outcomes = await callAllUnderFault({ kind: 'status', status });
      expect(findUnexpected(outcomes, expected)).toEqual([]);
      const possiblyEffectiveIds = outcomes
        .filter(({ error }) => error?.mayHaveTakenEffect === true)
        .map(({ id }) => id);
      expect(possiblyEffectiveIds).toEqual(status >= 500 ? endpointIds.filter((id) => !isGet(id)) : []);
    },
  );

  test('too many requests are an error if the server requests a long delay', async () => {
    const outcomes = await callAllUnderFault({ kind: 'tooManyRequests', retryAfter: 60 });
    expect(findUnexpected(outcomes, failsAtOnce('too-many-requests'))).toEqual([]);
    expect(outcomes.every(({ error }) => Reflect.get(error ?? {}, 'retryAfterMs') === 60_000)).toBe(true);
  });

  test('too many requests are retried if the server requests no delay, but only reads', async () => {
    const outcomes = await callAllUnderFault({ kind: 'tooManyRequests', retryAfter: 0 });
    expect(
      findUnexpected(outcomes, (id) =>
        (isGet(id) ? failsAfterRetries : failsAtOnce)('too-many-requests')(id),
      ),
    ).toEqual([]);
  });

  test('a web page is an error with the text of the page', async () => {
    const outcomes = await callAllUnderFault({ kind: 'html' });
    expect(findUnexpected(outcomes, failsAtOnce('answer-html'))).toEqual([]);
    expect(
      outcomes.every(({ error }) => /Sign in/.test(String(Reflect.get(error ?? {}, 'serverMessage')))),
    ).toBe(true);
  });

  test('an empty body is an error for a read, and a success for most writes', async () => {
    const acceptsEmptyBody = (id: EndpointId): boolean =>
      isGet(id) ? id === 'viewpoints.status' : id !== 'builds.start';
    const outcomes = await callAllUnderFault({ kind: 'emptyBody' });
    expect(
      findUnexpected(outcomes, (id) => ({
        code: acceptsEmptyBody(id) ? undefined : 'answer-empty',
        attempts: 1,
      })),
    ).toEqual([]);
  });

  test('a redirect is followed by a GET up to a limit, and not by a write', async () => {
    const outcomes = await callAllUnderFault({
      kind: 'redirect',
      status: 307,
      methods: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
    });
    expect(findUnexpected(outcomes, failsAtOnce('redirected'))).toEqual([]);
    const reasons = outcomes.map(({ id, error }) => [isGet(id), Reflect.get(error ?? {}, 'reason')].join());
    expect(new Set(reasons)).toEqual(new Set(['true,too-many', 'false,write']));
  });

  test.each(['drop', 'truncate'] as const)(
    '%s is a broken connection, after which a write may have taken effect',
    async (kind) => {
      const outcomes = await callAllUnderFault({ kind });
      expect(findUnexpected(outcomes, failsAfterRetries('network-reset'))).toEqual([]);
      expect(outcomes.every(({ id, error }) => error?.mayHaveTakenEffect === !isGet(id))).toBe(true);
    },
  );

  test('a server that hangs causes a timeout, after which a write may have taken effect', async () => {
    const outcomes = await callAllUnderFault({ kind: 'hang' }, 400);
    expect(findUnexpected(outcomes, failsAtOnce('timeout'))).toEqual([]);
    expect(outcomes.every(({ id, error }) => error?.mayHaveTakenEffect === !isGet(id))).toBe(true);
  });

  test('an endless response is an error', async () => {
    const outcomes = await callAllUnderFault({ kind: 'endless' });
    expect(findUnexpected(outcomes, failsAtOnce('answer-too-large'))).toEqual([]);
  });

  test('a request body that is too long is refused', async () => {
    const outcomes = await callAllUnderFault({ kind: 'bodyLimit', bytes: 0 });
    const refused = outcomes.filter(({ error }) => error?.code === 'request-too-large').map(({ id }) => id);
    expect(refused).toEqual(endpointIds.filter(takesBody));
  });

  test('500 on every third call fails only these calls', async () => {
    await sandbox.setFaults([{ kind: 'status', status: 500, every: 3 }]);
    const { client, log } = createRealClient(sandbox.url, sandbox.adminToken);
    const codes: (string | undefined)[] = [];
    for (let call = 0; call < 9; call += 1) {
      const check = client.session.check();
      const didSucceed = await check.then(
        () => true,
        () => false,
      );
      codes.push(
        didSucceed ? undefined : (await expectApiErrorWithoutSecrets(check, log, [sandbox.adminToken])).code,
      );
    }
    await sandbox.setFaults([]);
    expect(codes.filter((code) => code === 'server-error')).toHaveLength(3);
    client.dispose();
  });

  test('latency delays calls, and only one beyond the timeout causes an error', async () => {
    const { client } = createRealClient(sandbox.url, sandbox.adminToken);
    await sandbox.setFaults([{ kind: 'latency', ms: 60 }]);
    expect((await client.session.check()).value.isauthenticated).toBe(true);
    client.dispose();
    await sandbox.setFaults([{ kind: 'latency', ms: 600_000 }]);
    const impatientClient = createRealClient(sandbox.url, sandbox.adminToken, { deps: { timeoutMs: 50 } });
    const error = await expectApiErrorWithoutSecrets(
      impatientClient.client.session.check(),
      impatientClient.log,
      [sandbox.adminToken],
    );
    expect(error.code).toBe('timeout');
    await sandbox.setFaults([]);
    impatientClient.client.dispose();
  });
});
