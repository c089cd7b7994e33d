import { expect } from 'vitest';
import { ApiError } from '../../../src/client/errors.ts';
import { writableGuard } from '../../fakes/guards.ts';
import { PlatformClient, type PlatformClientDeps } from '../../../src/client/platformClient.ts';
import { FakeClock } from '../../fakes/fakeClock.ts';
import { MemoryLog } from '../../fakes/memoryLog.ts';
import { type MemoryResponse, MemoryTransport } from '../../fakes/memoryTransport.ts';
import type { TransportRequest } from '../../../src/client/transport.ts';

export const token = 'token-that-must-not-leak';

/** Creates a client on an in-memory transport, with a fake clock and no random pauses. */
export function createTestClient(
  answer:
    | MemoryResponse
    | ((request: TransportRequest, index: number) => MemoryResponse | Promise<MemoryResponse>),
  deps: Partial<PlatformClientDeps> = {},
) {
  const transport = new MemoryTransport(typeof answer === 'function' ? answer : () => answer);
  const log = new MemoryLog();
  const clock = new FakeClock();
  const client = new PlatformClient({
    baseUrl: 'https://bi.example.com',
    tokenSource: () => Promise.resolve(token),
    transport,
    log,
    clock,
    guard: writableGuard,
    random: () => 0,
    ...deps,
  });
  return { client, transport, log, clock };
}

/** A response with a JSON body. */
export const json = (value: unknown, status = 200): MemoryResponse => ({
  status,
  body: JSON.stringify(value),
});

/** Returns the error that a call rejects with; anything but an ApiError fails the test. */
export async function getFailure(call: Promise<unknown>): Promise<ApiError> {
  try {
    await call;
  } catch (error) {
    if (error instanceof ApiError) {
      return error;
    }
    throw error;
  }
  throw new Error('The call succeeded');
}

/** Creates a client, with functions that return the body of its last request: as text, and parsed. */
export function createClientWithLastBody() {
  const { client, transport } = createTestClient(json([]));
  return {
    client,
    getBodyText: () => transport.lastRequest.body ?? '',
    getBody: () => JSON.parse(transport.lastRequest.body ?? 'null'),
    transport,
  };
}

/** Expects the write to be rejected before anything is sent; returns the problem with its payload. */
export async function getPayloadProblem(call: Promise<unknown>): Promise<string> {
  const error = await getFailure(call);
  expect(error).toMatchObject({
    name: 'InvalidRequestError',
    code: 'invalid-request',
    mayHaveTakenEffect: false,
  });
  return error.message.replace(/^.*was not sent: /, '');
}
