import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Fault } from '../../src/sandbox/faults.ts';
import {
  type RunningSandbox,
  type SandboxProcessOptions,
  startSandboxProcess,
} from '../../src/sandbox/host/sandboxProcess.ts';
import { sandboxProfile } from './profile.ts';
import { sandboxProgram } from './programs.ts';

export interface TemporarySandbox extends RunningSandbox {
  /** The sandbox's data folder, which is removed when it stops. */
  readonly folder: string;
  /** Turns these fault switches on and all others off. */
  setFaults(faults: readonly Fault[]): Promise<void>;
}

/**
 * How a sandbox behaves: the profile of the platform that it follows, and whether a new rule for the same parties is
 * added or overwrites the old one (`sameShares`).
 */
export type SandboxBehavior = Pick<SandboxProcessOptions, 'profile' | 'sameShares'>;

/**
 * Starts a sandbox on a free port with a temporary folder; `stop` ends the process and removes the folder.
 * @param behavior by default, the profile of the vitest project that the test runs in
 */
export async function startTemporarySandbox(
  seed: SandboxProcessOptions['seed'],
  behavior: SandboxBehavior = { profile: sandboxProfile },
): Promise<TemporarySandbox> {
  const folder = await mkdtemp(join(tmpdir(), 'datamodel-studio-sandbox-'));
  const sandbox = await startSandboxProcess({ script: sandboxProgram, folder, seed, ...behavior });
  return {
    ...sandbox,
    folder,
    async setFaults(faults) {
      const response = await fetch(`${sandbox.url}/sandbox/faults`, {
        method: 'PUT',
        headers: { authorization: `Bearer ${sandbox.adminToken}`, 'content-type': 'application/json' },
        body: JSON.stringify({ faults }),
      });
      if (!response.ok) {
        throw new Error(`The fault switches were refused: ${response.status} ${await response.text()}`);
      }
    },
    async stop() {
      await sandbox.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
