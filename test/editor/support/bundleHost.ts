import { rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { projectRoot } from '../../../src/launcher/projectRoot.ts';
import { findFiles } from './findFiles.ts';

const runner = fileURLToPath(new URL('../host/runner.ts', import.meta.url));
const hostFolder = dirname(runner);

/** Bundles every `*.host.test.ts` and returns the path of the module that VS Code runs. */
export async function bundleHostTests(): Promise<string> {
  const files = findFiles(hostFolder, '**/*.host.test.ts');
  if (files.length === 0) {
    throw new Error(`No *.host.test.ts under ${hostFolder}`);
  }
  const outdir = join(projectRoot, 'dist', 'test-host');
  await rm(outdir, { recursive: true, force: true });
  await build({
    stdin: {
      contents: [
        `import { runHostTests } from ${JSON.stringify(runner)};`,
        `export const run = () => runHostTests(async () => {`,
        ...files.map((file) => `  await import(${JSON.stringify(`./${file}`)});`),
        `});`,
      ].join('\n'),
      resolveDir: hostFolder,
      sourcefile: 'index.ts',
      loader: 'ts',
    },
    outdir,
    entryNames: 'index',
    // VS Code doesn't map stack traces; separate chunks at least include the name of the test file.
    splitting: true,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node24',
    sourcemap: 'linked',
    external: ['vscode', 'mocha'],
    banner: {
      js: `import { createRequire as createHostRequire } from 'node:module'; const require = createHostRequire(import.meta.url);`,
    },
    logLevel: 'warning',
  });
  return join(outdir, 'index.js');
}
