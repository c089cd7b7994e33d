import { inspect } from 'node:util';
import { expect } from 'vitest';
import { ApiError } from '../../../src/client/errors.ts';
import { writableGuard } from '../../fakes/guards.ts';
import { PlatformClient, type PlatformClientDeps } from '../../../src/client/platformClient.ts';
import { type TransportOptions, UndiciTransport } from '../../../src/client/undiciTransport.ts';
import { systemClock } from '../../../src/base/clock.ts';
import { MemoryLog } from '../../fakes/memoryLog.ts';

/** Short delays between attempts; the delays of the product are tested with a fake clock. */
const quickRetry = { maxAttempts: 3, maxFirstPauseMs: 1, maxPauseMs: 2, maxRetryAfterMs: 30_000 };

export interface RealClient {
  readonly client: PlatformClient;
  readonly log: MemoryLog;
}

/** Creates a client over real sockets. */
export function createRealClient(
  baseUrl: string,
  token: string,
  options: { readonly transport?: TransportOptions; readonly deps?: Partial<PlatformClientDeps> } = {},
): RealClient {
  const log = new MemoryLog();
  const client = new PlatformClient({
    baseUrl,
    tokenSource: () => Promise.resolve(token),
    transport: new UndiciTransport(options.transport ?? {}),
    log,
    clock: systemClock,
    guard: writableGuard,
    retry: quickRetry,
    ...options.deps,
  });
  return { client, log };
}

/**
 * Returns the ApiError that a call rejects with. Expects that neither the error with its causes nor the log contains a
 * secret.
 */
export async function expectApiErrorWithoutSecrets(
  call: Promise<unknown>,
  log: MemoryLog,
  secrets: readonly string[],
): Promise<ApiError> {
  const error = await call.then(
    () => new Error('The call succeeded'),
    (reason: unknown) => reason,
  );
  if (!(error instanceof ApiError)) {
    throw error;
  }
  const everything = `${inspect(error, { depth: 12, showHidden: true })}${log.text}`;
  for (const secret of secrets) {
    expect(everything).not.toContain(secret);
  }
  return error;
}
