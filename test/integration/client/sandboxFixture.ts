import { afterAll, beforeAll, expect } from 'vitest';
import type { PlatformClient } from '../../../src/client/platformClient.ts';
import type { EndpointId } from '../../../src/contract/endpoints.ts';
import { type TemporarySandbox, startTemporarySandbox } from '../../support/sandboxProcess.ts';
import { type RealClient, getFailure, realClient } from './support.ts';

/** A demo sandbox for the tests of one file, with an administrator's client. */
export interface SandboxFixture {
  readonly sandbox: TemporarySandbox;
  readonly client: PlatformClient;
  /** Returns the number of requests that the client has sent so far. */
  requests(): number;
  /** Returns the ApiError that a call rejects with; neither it nor the log contains a token. */
  fail(call: Promise<unknown>): Promise<Awaited<ReturnType<typeof getFailure>>>;
  /** Runs `flow`; the sandbox must have responded to each of these endpoints with a success meanwhile. */
  uses(ids: readonly EndpointId[], flow: () => Promise<void>): Promise<void>;
}

/** Starts a sandbox before the tests of the file and stops it after them. */
export function useSandbox(): SandboxFixture {
  let started: { sandbox: TemporarySandbox; real: RealClient } | undefined;
  const use = () => defined(started);
  beforeAll(async () => {
    const sandbox = await startTemporarySandbox('demo');
    started = { sandbox, real: realClient(sandbox.url, sandbox.adminToken) };
  });
  afterAll(async () => {
    use().real.client.dispose();
    await use().sandbox.stop();
  });
  return {
    get sandbox() {
      return use().sandbox;
    },
    get client() {
      return use().real.client;
    },
    requests: () => use().real.log.entries.filter(({ facts }) => facts['status'] !== undefined).length,
    fail: (call) => getFailure(call, use().real.log, [use().sandbox.adminToken, use().sandbox.userToken]),
    async uses(ids, flow) {
      const { entries } = use().real.log;
      const before = entries.length;
      await flow();
      const successes = entries.slice(before).filter(({ facts }) => String(facts['status']).startsWith('2'));
      const answered = new Set(successes.map(({ facts }) => facts['endpoint']));
      expect(ids.filter((id) => !answered.has(id))).toEqual([]);
    },
  };
}

/** Asserts that a value is defined. */
export function defined<T>(value: T | undefined): T {
  if (value === undefined) {
    throw new Error('It is not there');
  }
  return value;
}
