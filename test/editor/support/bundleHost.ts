import { mkdir, readFile, rm, symlink } from 'node:fs/promises';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Plugin, build } from 'esbuild';
import { projectRoot } from '../../../src/launcher/projectRoot.ts';
import { SeededRandom } from '../../../src/sandbox/seeds/seededRandom.ts';
import { findFiles } from './findFiles.ts';

const hostFolder = join(projectRoot, 'test', 'host');
const testsNamespace = 'host-tests';

/** An extension that consists of the product's sources and of the tests. */
export interface HostExtension {
  /** The folder that VS Code loads as a development extension. */
  readonly folder: string;
  /** The modules that run the tests, each a part of them. */
  readonly testModules: readonly string[];
}

export interface HostTestOrder {
  /** Shuffles the test files; otherwise they run in the order of their paths. */
  readonly seed?: number | undefined;
  /** The number of parts that the tests are divided into. */
  readonly partCount: number;
}

/**
 * Bundles the sources of the extension together with every `*.host.test.ts`, so that the tests share the modules, and the
 * editor's API object, with the extension. Everything else of the extension is linked from the checkout, which must have
 * been built before.
 */
export async function bundleHostTests({ seed, partCount }: HostTestOrder): Promise<HostExtension> {
  const files = orderTestFiles(findFiles(hostFolder, '**/*.host.test.ts'), seed);
  if (files.length < partCount) {
    throw new Error(`Only ${files.length} *.host.test.ts under ${hostFolder}`);
  }
  const parts = new Map(
    divideFiles(files, partCount).map((part, index) => [`host-${index + 1}`, part] as const),
  );
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
    entryPoints: {
      main: join(hostFolder, 'main.ts'),
      ...Object.fromEntries([...parts.keys()].map((name) => [name, `${testsNamespace}:${name}`])),
    },
    plugins: [createTestListPlugin(parts), sourceFolderPlugin],
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
  return { folder, testModules: [...parts.keys()].map((name) => join(outdir, `${name}.js`)) };
}

/** Shuffles the files if there is a seed; those that count all requests stay the first ones. */
function orderTestFiles(files: readonly string[], seed: number | undefined): readonly string[] {
  if (seed === undefined) {
    return files;
  }
  const random = new SeededRandom(seed);
  return files
    .map((file) => ({ file, rank: file.startsWith('counts/') ? -1 : random.next() }))
    .toSorted((a, b) => a.rank - b.rank)
    .map(({ file }) => file);
}

/** Divides files into parts of about the same size, since the size is the best available estimate of their duration. */
function divideFiles(files: readonly string[], partCount: number): readonly (readonly string[])[] {
  const sizes = new Map(files.map((file) => [file, statSync(join(hostFolder, file)).size]));
  const parts = Array.from({ length: partCount }, () => ({ files: new Set<string>(), size: 0 }));
  for (const [file, size] of [...sizes].toSorted(([, a], [, b]) => b - a)) {
    const smallest = parts.reduce((best, part) => (part.size < best.size ? part : best));
    smallest.files.add(file);
    smallest.size += size;
  }
  return parts.map((part) => files.filter((file) => part.files.has(file)));
}

/** A plugin that provides, for each part of the tests, the module that imports its files. */
const createTestListPlugin = (parts: ReadonlyMap<string, readonly string[]>): Plugin => ({
  name: testsNamespace,
  setup(builder) {
    builder.onResolve({ filter: new RegExp(`^${testsNamespace}:`) }, ({ path }) => ({
      path: path.slice(testsNamespace.length + 1),
      namespace: testsNamespace,
    }));
    builder.onLoad({ filter: /.*/, namespace: testsNamespace }, ({ path }) => ({
      contents: [
        `import { runHostTests } from './runner.ts';`,
        `export const run = () => runHostTests(async () => {`,
        ...(parts.get(path) ?? []).map((file) => `  await import(${JSON.stringify(`./${file}`)});`),
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
