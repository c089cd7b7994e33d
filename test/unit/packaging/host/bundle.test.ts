import { posix } from 'node:path';
import { build } from 'esbuild';
import { expect, test } from 'vitest';
import { projectRoot } from '../../../../src/launcher/projectRoot.ts';
import { activationFile, bundleExtension, extensionEntry } from '../../../../src/packaging/host/bundle.ts';

/** decisions.md, "Activation and quality": activation stays small, heavy parts load on first use. */
const maxBytes = 80_000;
const maxFiles = 2;

const extension = await bundleExtension(projectRoot);

/** Returns the paths of a file and its static imports, which are loaded with it. */
function findLoaded(path: string, found = new Set<string>()): ReadonlySet<string> {
  if (!found.has(path)) {
    found.add(path);
    const imports = (extension.files.get(path) ?? '').matchAll(/(?:from|import)\s*"(\.[^"]+)"/g);
    for (const [, imported = ''] of imports) {
      findLoaded(posix.join(posix.dirname(path), imported), found);
    }
  }
  return found;
}

test('activation loads few bytes in few files', () => {
  const loaded = [...findLoaded(extensionEntry)];
  const bytes = loaded.reduce((sum, path) => sum + Buffer.byteLength(extension.files.get(path) ?? ''), 0);
  expect(loaded).toContain(activationFile);
  expect(loaded.length).toBeLessThanOrEqual(maxFiles);
  expect(bytes).toBeLessThanOrEqual(maxBytes);
  // A smaller bundle would lack the features.
  expect(bytes).toBeGreaterThan(maxBytes / 4);
});

test('no package, and nothing of HTTP, the client and the contract is loaded at activation', () => {
  expect(
    extension.activationSources.filter((path) =>
      /^(node_modules|src\/(client|contract|documents|sql|security|viewpoints|changes)\/)/.test(path),
    ),
  ).toEqual([]);
});

test('each module is in one file', () => {
  expect(extension.sources.filter((path, index) => extension.sources.indexOf(path) !== index)).toEqual([]);
});

test('every import finds its file, and its names in it', async () => {
  const { warnings } = await build({
    entryPoints: [...extension.files.keys()],
    outdir: '/out',
    write: false,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'esnext',
    external: ['vscode'],
    logLevel: 'silent',
    plugins: [
      {
        name: 'bundle',
        setup: (pluginBuild) => {
          pluginBuild.onResolve({ filter: /.*/, namespace: 'bundle' }, ({ path, importer }) =>
            path.startsWith('.')
              ? { path: posix.join(posix.dirname(importer), path), namespace: 'bundle' }
              : { path, external: true },
          );
          pluginBuild.onResolve({ filter: /.*/ }, ({ path }) => ({ path, namespace: 'bundle' }));
          pluginBuild.onLoad({ filter: /.*/, namespace: 'bundle' }, ({ path }) => {
            const contents = extension.files.get(path);
            return contents === undefined ? { errors: [{ text: `There is no ${path}` }] } : { contents };
          });
        },
      },
    ],
  });
  expect(warnings.filter(({ id }) => id === 'import-is-undefined')).toEqual([]);
});
