import type { JourneySandbox } from '../../editor/support/journeySandbox.ts';

/** Turns on faults of the sandbox until the end of the block. */
export async function useFaults(
  sandbox: JourneySandbox,
  ...faults: readonly object[]
): Promise<AsyncDisposable> {
  await sandbox.request('PUT', '/sandbox/faults', { faults });
  return {
    async [Symbol.asyncDispose]() {
      await sandbox.request('PUT', '/sandbox/faults', { faults: [] });
    },
  };
}
