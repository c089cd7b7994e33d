import { join } from 'node:path';
import { build } from 'esbuild';
import { projectRoot } from '../../src/launcher/projectRoot.ts';
import { createDemoFolders } from './demoFolders.ts';
import { demoRoot, programsFolder, sandboxProgram } from './programs.ts';

const sources: Readonly<Record<string, string>> = {
  sandbox: 'src/sandbox/main.ts',
  sandboxServer: 'src/sandbox/serverThread.ts',
  engineProcess: 'src/sandbox/engine/engineProcess.ts',
  killedWriter: 'test/integration/changes/run/killedWriter.ts',
};

/**
 * Prepares what integration tests start from: programs, and data folders of the demo. Runs once before the tests, so
 * nothing is older than its sources.
 */
export async function setup(): Promise<void> {
  await bundlePrograms();
  await createDemoFolders(sandboxProgram, demoRoot);
}

/**
 * Bundles the programs that integration tests start in processes of their own: a bundle starts three times as fast as
 * its sources.
 */
async function bundlePrograms(): Promise<void> {
  await build({
    entryPoints: Object.fromEntries(
      Object.entries(sources).map(([name, source]) => [name, join(projectRoot, source)]),
    ),
    outdir: programsFolder,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node24',
    mainFields: ['module', 'main'],
    banner: {
      js: `import { createRequire as createProgramRequire } from 'node:module'; const require = createProgramRequire(import.meta.url);`,
    },
    logLevel: 'warning',
  });
}
