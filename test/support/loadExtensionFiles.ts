/** Loads every file of the built extension, without an editor, and prints how many there are. Run as a program. */
import { readdirSync, readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { projectRoot } from '../../src/launcher/projectRoot.ts';

const dist = join(projectRoot, 'dist');

/** Creates a stand-in for the module `vscode` with the same exports, whose members are only their names. */
function createVscodeModule(): string {
  const types = readFileSync(join(projectRoot, 'node_modules/@types/vscode/index.d.ts'), 'utf8');
  const names = new Set(
    [...types.matchAll(/^\s+export (?:abstract )?(?:class|enum|namespace|const) (\w+)/gm)].map(
      ([, name]) => name,
    ),
  );
  const create = 'new Proxy(class {}, { get: (target, name) => Reflect.get(target, name) ?? String(name) })';
  return [...names].map((name) => `export const ${name} = ${create};`).join('\n');
}

const vscodeUrl = `data:text/javascript,${encodeURIComponent(createVscodeModule())}`;
registerHooks({
  resolve: (specifier, context, next) =>
    specifier === 'vscode'
      ? { url: vscodeUrl, format: 'module', shortCircuit: true }
      : next(specifier, context),
});

const chunks = readdirSync(join(dist, 'chunks')).map((name) => join('chunks', name));
for (const path of ['extension.js', ...chunks]) {
  await import(pathToFileURL(join(dist, path)).href);
}
process.stdout.write(String(chunks.length));
