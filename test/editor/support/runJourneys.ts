import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { ensureCodeServer } from '../../../src/launcher/codeServerInstall.ts';
import { projectRoot } from '../../../src/launcher/projectRoot.ts';
import { installPackage } from './packagedExtension.ts';

const vitest = join(projectRoot, 'node_modules', 'vitest', 'vitest.mjs');

/** Runs the journeys whose path contains the filter, two files at a time; returns true if all passed. */
export async function runJourneys(filter: string, env: NodeJS.ProcessEnv = {}): Promise<boolean> {
  // The download takes minutes on a new machine, and must not count against the time limit of a test.
  await ensureCodeServer();
  const args = ['run', '--project', 'journeys', ...(filter === '' ? [] : [filter])];
  const child = spawn(process.execPath, [vitest, ...args], {
    cwd: projectRoot,
    stdio: 'inherit',
    env: { ...process.env, ...env },
  });
  const [code] = await once(child, 'exit');
  return code === 0;
}

/** Runs the journeys on the package, installed as an editor does it, instead of the checkout. */
export async function runJourneysOnPackage(filter: string): Promise<boolean> {
  await ensureCodeServer();
  await using installed = await installPackage();
  // Without `await`, the package would be deleted before the journeys end.
  return await runJourneys(filter, { DATAMODEL_STUDIO_EXTENSION: installed.folder });
}
