import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { test } from 'vitest';
import { projectRoot } from '../../../src/launcher/projectRoot.ts';
import { journey } from '../support/journey.ts';
import { installPackage, packageFile } from '../support/packagedExtension.ts';

journey('the packaged extension starts the sandbox and builds a datamodel', async ({ openStudio }) => {
  const studio = await openStudio({ vsix: packageFile });
  await studio.openView();
  await studio.screenshot('welcome');
  await studio.clickWelcomeAction('Start Sandbox');
  await studio.findTreeItem(['Sandbox', 'Datamodels', 'Retail', 'Sales', 'Orders', 'Order Date']);
  await studio.chooseFromContextMenu('Retail', 'Build', 'More Options…');
  await studio.selectQuickPick('Replace All');
  await studio.waitForStatusBarItem(/Retail built in/);
  await studio.screenshot('built');
});

/** Patterns that no file of the package may contain, whatever its name. */
const forbiddenPatterns: readonly (readonly [what: string, pattern: RegExp])[] = [
  ['a source map', /sourceMappingURL=/],
  ['a private key', /-----BEGIN [A-Z ]*PRIVATE KEY-----\s+[A-Za-z0-9+/]{40}/],
  ['a token', /\b(?:gh[pousr]_\w{30}|npm_\w{30}|eyJ[\w-]{20,}\.eyJ[\w-]{20,})/],
  ['a path of the machine that built it', new RegExp(projectRoot.replaceAll(/[.*+?^$()|[\]\\]/g, '\\$&'))],
];

test('the package contains only what it needs to run', async () => {
  await using installed = await installPackage();
  const entries = await readdir(installed.folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const extensions = new Set(files.map((file) => extname(file)));
  const allowedExtensions = [
    '',
    '.css',
    '.js',
    '.json',
    '.md',
    '.png',
    '.svg',
    '.ttf',
    '.txt',
    '.vsixmanifest',
  ];
  assert.deepEqual(
    [...extensions].filter((extension) => !allowedExtensions.includes(extension)),
    [],
  );
  assert.deepEqual(
    files.filter((file) =>
      /[\\/](?:test|src|node_modules|\.git)[\\/]/.test(file.slice(installed.folder.length)),
    ),
    [],
  );
  const listScripts = async (folder: string): Promise<readonly string[]> =>
    (await readdir(join(folder, 'dist'))).filter((name) => name.endsWith('.js')).sort();
  // The package has all scripts except the command line, which is a separate package.
  const built = (await listScripts(projectRoot)).filter((name) => name !== 'cli.js');
  assert.deepEqual(await listScripts(installed.folder), built);
  const forbiddenContents: string[] = [];
  for (const file of files) {
    const text = await readFile(file, 'latin1');
    forbiddenContents.push(
      ...forbiddenPatterns.filter(([, pattern]) => pattern.test(text)).map(([what]) => `${file}: ${what}`),
    );
  }
  assert.deepEqual(forbiddenContents, []);
});
