import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { silentLog } from '../../src/base/log.ts';
import type { Fault } from '../../src/sandbox/faults.ts';
import { openSandbox } from '../../src/sandbox/openSandbox.ts';
import type { ProfileName, SameSharesMode } from '../../src/sandbox/profiles/profile.ts';
import type { SeedName } from '../../src/sandbox/seeds/seed.ts';
import type { SandboxAccess } from '../../src/sandbox/server.ts';
import { getDemoFolder } from './demoFolders.ts';
import { sandboxProfile } from './profile.ts';
import { demoRoot, engineProgram } from './programs.ts';

export interface TemporarySandbox extends SandboxAccess {
  /** The sandbox's data folder, which is removed when it stops. */
  readonly folder: string;
  /** Turns these fault switches on and all others off. */
  setFaults(faults: readonly Fault[]): Promise<void>;
  stop(): Promise<void>;
}

/**
 * How a sandbox behaves: the profile of the platform that it follows, and whether a new rule for the same parties is
 * added or overwrites the old one (`sameShares`).
 */
export interface SandboxBehavior {
  readonly profile: ProfileName;
  readonly sameShares?: SameSharesMode | undefined;
}

/**
 * Starts a sandbox on a free port with a temporary folder; `stop` ends it and removes the folder. It runs in this process,
 * which saves the time that a new process needs; that process is tested in `sandbox/process.test.ts`.
 * @param behavior by default, the profile of the vitest project that the test runs in
 */
export async function startTemporarySandbox(
  seed: SeedName,
  { profile, sameShares }: SandboxBehavior = { profile: sandboxProfile },
): Promise<TemporarySandbox> {
  const folder = await mkdtemp(join(tmpdir(), 'datamodel-studio-sandbox-'));
  if (seed === 'demo') {
    await cp(getDemoFolder(demoRoot, profile), folder, { recursive: true });
  }
  const sandbox = await openSandbox(
    { port: 0, dataFolder: folder, seed, profile, sameShares, buildDelayMs: 0, faults: [] },
    { engineProgram, log: silentLog },
  );
  if (sandbox.kind !== 'started') {
    throw new Error('The new folder is already in use by another sandbox');
  }
  const { access } = sandbox;
  return {
    ...access,
    folder,
    async setFaults(faults) {
      const response = await fetch(`${access.url}/sandbox/faults`, {
        method: 'PUT',
        headers: { authorization: `Bearer ${access.adminToken}`, 'content-type': 'application/json' },
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
