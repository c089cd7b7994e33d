import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { nodeEngine } from './manifest.ts';

const root = join(import.meta.dirname, '../../..');

/**
 * Bundles the command-line tool into a single file without chunks, so that it can be copied anywhere. Modules that a
 * command does not need are parsed, but not run.
 */
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
const { metafile } = await build({
  absWorkingDir: root,
  entryPoints: ['src/cli/main.ts'],
  outfile: 'dist/cli.js',
  bundle: true,
  format: 'esm',
  platform: 'node',
  target: `node${nodeEngine}`,
  mainFields: ['module', 'main'],
  minify: true,
  keepNames: true,
  legalComments: 'none',
  // CommonJS packages load Node's modules with `require`.
  banner: {
    js: "import{createRequire as __createRequire}from'node:module';const require=__createRequire(import.meta.url);",
  },
  define: { builtVersion: JSON.stringify(version) },
  metafile: true,
  logLevel: 'warning',
});
writeFileSync(join(root, 'dist/cli.meta.json'), JSON.stringify(metafile));
