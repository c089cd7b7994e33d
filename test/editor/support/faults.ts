import type { Fault } from '../../../src/sandbox/faults.ts';
import type { JourneySandbox } from './journeySandbox.ts';

/** Sets the faults with which the sandbox refuses or drops requests from now on; none to reset. */
export const setFaults = async (sandbox: JourneySandbox, ...faults: readonly Fault[]): Promise<void> => {
  await sandbox.request('PUT', '/sandbox/faults', { faults });
};
