import type { Fault } from '../../../src/sandbox/faults.ts';
import type { JourneySandbox } from './journeySandbox.ts';

/** Turns on these faults of the sandbox and turns off all others. */
export const setFaults = async (sandbox: JourneySandbox, ...faults: readonly Fault[]): Promise<void> => {
  await sandbox.request('PUT', '/sandbox/faults', { faults });
};
