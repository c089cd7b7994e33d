import { createHash } from 'node:crypto';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build, type BuildOptions, type BuildResult } from 'esbuild';
import { nodeEngine, oldestParsingNode } from './manifest.ts';
import {
  precomputedSchemas,
  bundleUndiciParts,
  composeDeferredEntry,
  deferModules,
  formatDeferredComment,
  lazyNodeModules,
  omitSimdHttpParser,
} from './plugins.ts';

// Bundles the command-line tool into a single file without chunks, so that it can be copied anywhere. Code that only
// the commands need is compressed in a comment of the file (see `deferModules`).

const root = join(import.meta.dirname, '../../..');
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };

/** Replaced by a hash of the code that contains it. */
const buildIdPlaceholder = '<build ID>';

const options = {
  absWorkingDir: root,
  write: false,
  bundle: true,
  platform: 'node',
  target: `node${nodeEngine}`,
  mainFields: ['module', 'main'],
  minify: true,
  legalComments: 'none',
  define: {
    builtVersion: JSON.stringify(version),
    builtId: JSON.stringify(buildIdPlaceholder),
    // With this constant, undici leaves out its experimental HTTP parser, as in Node itself.
    esbuildDetection: 'true',
  },
  metafile: true,
  logLevel: 'warning',
} as const satisfies BuildOptions;

/** The modules that only the commands need, filled by `deferModules`. */
const deferredPaths: string[] = [];
const main = await build({
  ...options,
  entryPoints: ['src/cli/main.ts'],
  target: `node${oldestParsingNode}`,
  format: 'esm',
  plugins: [deferModules(deferredPaths), lazyNodeModules],
});
const deferred = await build({
  ...options,
  stdin: { contents: composeDeferredEntry(deferredPaths), resolveDir: root },
  format: 'cjs',
  plugins: [bundleUndiciParts(root), precomputedSchemas, omitSimdHttpParser, lazyNodeModules],
});
const code = getText(deferred);
const identifiedCode = code.replaceAll(buildIdPlaceholder, createHash('sha256').update(code).digest('hex'));
const outputPath = join(root, 'dist/cli.js');
mkdirSync(join(root, 'dist'), { recursive: true });
writeFileSync(outputPath, `${getText(main)}${formatDeferredComment(identifiedCode)}`);
chmodSync(outputPath, 0o755);
writeFileSync(
  join(root, 'dist/cli.meta.json'),
  JSON.stringify({ inputs: { ...main.metafile.inputs, ...deferred.metafile.inputs } }),
);

function getText({ outputFiles }: BuildResult<{ write: false }>): string {
  const [file] = outputFiles;
  if (file === undefined) {
    throw new Error('The bundle has no file');
  }
  return file.text;
}
