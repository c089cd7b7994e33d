import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { startSandboxProcess } from '../../src/sandbox/host/sandboxProcess.ts';
import { type ProfileName, profileNames } from '../../src/sandbox/profiles/profile.ts';

/** Returns the data folder of the demo in a profile, within the folder that `createDemoFolders` has filled. */
export const getDemoFolder = (root: string, profile: ProfileName): string => join(root, profile);

/**
 * Starts a demo sandbox in each profile once. Sandboxes of tests start from a copy of its data folder, which saves the
 * time to fill and build it.
 * @param script the path of the bundled sandbox
 * @param root the folder to create the data folders in
 */
export async function createDemoFolders(script: string, root: string): Promise<void> {
  await rm(root, { recursive: true, force: true });
  await Promise.all(
    profileNames.map(async (profile) => {
      const folder = getDemoFolder(root, profile);
      await mkdir(folder, { recursive: true });
      const sandbox = await startSandboxProcess({ script, folder, seed: 'demo', profile });
      await sandbox.stop();
      // Each copy gets tokens of its own.
      await rm(join(folder, 'tokens.json'));
    }),
  );
}
