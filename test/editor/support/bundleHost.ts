import { mkdir, readFile, rm, symlink } from 'node:fs/promises';
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Plugin, build } from 'esbuild';
import { projectRoot } from '../../../src/launcher/projectRoot.ts';
import { SeededRandom } from '../../../src/sandbox/seeds/seededRandom.ts';
import { findFiles } from './findFiles.ts';

const hostFolder = join(projectRoot, 'test', 'host');
const testsModule = 'host-tests';

/** An extension that consists of the product's sources and of the tests. */
export interface HostExtension {
  /** The folder that VS Code loads as a development extension. */
  readonly folder: string;
  /** The module that runs the tests. */
  readonly tests: string;
}

/**
 * Bundles the sources of the extension together with every `*.host.test.ts`, so that the tests share the modules, and the
 * editor's API object, with the extension. Everything else of the extension is linked from the checkout, which must have
 * been built before. The test files run in the order of their paths, or shuffled by a seed.
 */
export async function bundleHostTests(seed?: number): Promise<HostExtension> {
  const files = sortTestFiles(findFiles(hostFolder, '**/*.host.test.ts'), seed);
  if (files.length === 0) {
    throw new Error(`No *.host.test.ts under ${hostFolder}`);
  }
  const folder = join(projectRoot, 'test', '.artifacts', 'host-extension');
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  await Promise.all(
    ['package.nls.json', 'media', 'syntaxes', 'dist'].map((name) =>
      symlink(join(projectRoot, name), join(folder, name)),
    ),
  );
  const manifest: object = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8'));
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ ...manifest, main: './out/main.js' }));
  const outdir = join(folder, 'out');
  await build({
    entryPoints: { main: join(hostFolder, 'main.ts'), index: testsModule },
    plugins: [createTestListPlugin(files), sourceFolderPlugin],
    outdir,
    // Chunks let tests and extension share their modules, and name the file in a stack trace.
    splitting: true,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node24',
    mainFields: ['module', 'main'],
    sourcemap: 'linked',
    keepNames: true,
    external: ['vscode', 'mocha'],
    banner: {
      js: `import { createRequire as createHostRequire } from 'node:module'; const require = createHostRequire(import.meta.url);`,
    },
    logLevel: 'warning',
  });
  return { folder, tests: join(outdir, 'index.js') };
}

/** Shuffles the files; those that count all requests stay the first ones. */
function sortTestFiles(files: readonly string[], seed: number | undefined): readonly string[] {
  if (seed === undefined) {
    return files;
  }
  const random = new SeededRandom(seed);
  return files
    .map((file) => ({ file, rank: file.startsWith('counts/') ? -1 : random.next() }))
    .toSorted((a, b) => a.rank - b.rank)
    .map(({ file }) => file);
}

/** A plugin that provides the module that imports all test files. */
const createTestListPlugin = (files: readonly string[]): Plugin => ({
  name: testsModule,
  setup(builder) {
    builder.onResolve({ filter: new RegExp(`^${testsModule}$`) }, () => ({
      path: testsModule,
      namespace: testsModule,
    }));
    builder.onLoad({ filter: /.*/, namespace: testsModule }, () => ({
      contents: [
        `import { runHostTests } from './runner.ts';`,
        `export const run = () => runHostTests(async () => {`,
        ...files.map((file) => `  await import(${JSON.stringify(`./${file}`)});`),
        `});`,
      ].join('\n'),
      resolveDir: hostFolder,
      loader: 'ts',
    }));
  },
});

/** A plugin that replaces `import.meta.dirname` by the folder of the source file, so that tests find their fixtures. */
const sourceFolderPlugin: Plugin = {
  name: 'source-folders',
  setup(builder) {
    builder.onLoad({ filter: /[\\/]test[\\/].*\.ts$/ }, async ({ path }) => ({
      contents: (await readFile(path, 'utf8')).replaceAll(
        'import.meta.dirname',
        JSON.stringify(dirname(path)),
      ),
      loader: 'ts',
    }));
  },
};
