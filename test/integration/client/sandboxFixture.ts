import { afterAll, beforeAll, expect } from 'vitest';
import type { PlatformClient } from '../../../src/client/platformClient.ts';
import type { EndpointId } from '../../../src/contract/endpoints.ts';
import { type TemporarySandbox, startTemporarySandbox } from '../../support/temporarySandbox.ts';
import { type RealClient, expectApiErrorWithoutSecrets, createRealClient } from './realClient.ts';
import { expectDefined } from '../../support/expectations.ts';

/** A demo sandbox for the tests of one file, with an administrator's client. */
export interface SandboxFixture {
  readonly sandbox: TemporarySandbox;
  readonly client: PlatformClient;
  /** Returns the number of requests that the client has sent so far. */
  countRequests(): number;
  /** Returns the ApiError that a call rejects with. Expects that neither the error nor the log contains a token. */
  expectFailure(call: Promise<unknown>): Promise<Awaited<ReturnType<typeof expectApiErrorWithoutSecrets>>>;
  /** Runs `flow`, and expects that it called each of these endpoints successfully. */
  expectSuccesses(ids: readonly EndpointId[], flow: () => Promise<void>): Promise<void>;
}

/** Starts a sandbox before the tests of the file and stops it after them. */
export function useSandbox(): SandboxFixture {
  let started: { sandbox: TemporarySandbox; realClient: RealClient } | undefined;
  const getStarted = () => expectDefined(started);
  beforeAll(async () => {
    const sandbox = await startTemporarySandbox('demo');
    started = { sandbox, realClient: createRealClient(sandbox.url, sandbox.adminToken) };
  });
  afterAll(async () => {
    getStarted().realClient.client.dispose();
    await getStarted().sandbox.stop();
  });
  return {
    get sandbox() {
      return getStarted().sandbox;
    },
    get client() {
      return getStarted().realClient.client;
    },
    countRequests: () =>
      getStarted().realClient.log.entries.filter(({ fields }) => fields['status'] !== undefined).length,
    expectFailure: (call) =>
      expectApiErrorWithoutSecrets(call, getStarted().realClient.log, [
        getStarted().sandbox.adminToken,
        getStarted().sandbox.userToken,
      ]),
    async expectSuccesses(ids, flow) {
      const { entries } = getStarted().realClient.log;
      const before = entries.length;
      await flow();
      const successes = entries
        .slice(before)
        .filter(({ fields }) => String(fields['status']).startsWith('2'));
      const successfulEndpoints = new Set(successes.map(({ fields }) => fields['endpoint']));
      expect(ids.filter((id) => !successfulEndpoints.has(id))).toEqual([]);
    },
  };
}
