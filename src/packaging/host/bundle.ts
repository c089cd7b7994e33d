import { posix, relative, sep } from 'node:path';
import { build, type BuildOptions } from 'esbuild';
import { type Bundle, type BundledFile, findStaticClosure, mergeStaticClosure } from './mergeChunks.ts';

/** The entry points of the processes and threads that the extension starts. */
const processes = {
  sandbox: 'src/sandbox/main.ts',
  sandboxServer: 'src/sandbox/serverThread.ts',
  engineProcess: 'src/sandbox/engine/engineProcess.ts',
  layoutWorker: 'src/webviews/diagramLayout/layoutWorker.ts',
  formatWorker: 'src/features/sqlLanguage/formatWorker.ts',
  statusWorker: 'src/project/status/statusWorker.ts',
  languageWorker: 'src/project/language/languageWorker.ts',
};

/** The file that the editor loads (`main` of the manifest). */
export const extensionEntry = 'extension.js';
/** The file with everything that is loaded at activation. */
export const activationFile = 'chunks/activation.js';

/** A built program. */
export interface Program {
  /** The texts of its files by their paths in the output folder. */
  readonly files: ReadonlyMap<string, string>;
  /** The paths of the sources that it was made from. */
  readonly sources: readonly string[];
}

/** The built extension. */
export interface Extension extends Program {
  /** The paths of the sources that are loaded at activation. */
  readonly activationSources: readonly string[];
}

/**
 * Bundles the extension. What is loaded at activation is one file; everything else is in files that are loaded later.
 */
export async function bundleExtension(root: string): Promise<Extension> {
  const bundle = await bundleEntries(root, { extension: 'src/extension.ts' });
  return {
    files: await mergeStaticClosure(bundle, extensionEntry, activationFile),
    sources: getSources(bundle, bundle.keys()),
    activationSources: getSources(bundle, findStaticClosure(bundle, extensionEntry)),
  };
}

/** Bundles the programs of the processes and threads that the extension starts. */
export async function bundleProcesses(root: string): Promise<Program> {
  const bundle = await bundleEntries(root, processes);
  return {
    files: new Map(Array.from(bundle, ([path, { text }]) => [path, text])),
    sources: getSources(bundle, bundle.keys()),
  };
}

const getSources = (bundle: Bundle, paths: Iterable<string>): readonly string[] =>
  Array.from(paths).flatMap((path) => bundle.get(path)?.sources ?? []);

async function bundleEntries(root: string, entryPoints: Record<string, string>): Promise<Bundle> {
  const outdir = posix.join(root.split(sep).join('/'), 'dist');
  const options = {
    absWorkingDir: root,
    entryPoints,
    outdir,
    write: false,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node24',
    external: ['vscode'],
    mainFields: ['module', 'main'],
    minify: true,
    keepNames: true,
    legalComments: 'none',
    chunkNames: 'chunks/[name]-[hash]',
    metafile: true,
    logLevel: 'warning',
  } as const satisfies BuildOptions;
  const { outputFiles, metafile } = await build(options);
  const toPath = (absolutePath: string): string => relative(outdir, absolutePath).split(sep).join('/');
  const texts = new Map(outputFiles.map(({ path, text }) => [toPath(path), text]));
  return new Map(
    Object.entries(metafile.outputs).map(([output, { exports, imports, inputs }]): [string, BundledFile] => {
      const path = posix.relative('dist', output);
      const internalImports = imports
        .filter(({ external }) => external !== true)
        .map((imported) => ({ ...imported, path: posix.relative('dist', imported.path) }));
      return [
        path,
        {
          text: withRequire(texts.get(path) ?? ''),
          sources: Object.keys(inputs),
          exports,
          staticImports: internalImports
            .filter(({ kind }) => kind === 'import-statement')
            .map((imported) => imported.path),
          dynamicImports: internalImports
            .filter(({ kind }) => kind === 'dynamic-import')
            .map((imported) => imported.path),
        },
      ];
    }),
  );
}

/** Defines `require` in a file that uses it: bundled CommonJS modules require those of Node. */
const withRequire = (text: string): string =>
  /\brequire\b/.test(text)
    ? `import{createRequire as __createRequire}from'node:module';const require=__createRequire(import.meta.url);${text}`
    : text;
