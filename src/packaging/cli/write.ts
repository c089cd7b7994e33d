import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createCliManifest } from './manifest.ts';

const root = join(import.meta.dirname, '../../..');
const folder = join(root, 'dist/cli-package');

const files = [
  ['dist/cli.js', 'cli.js'],
  ['docs/command-line.md', 'README.md'],
  ['dist/ThirdPartyNotices.txt', 'ThirdPartyNotices.txt'],
  ['LICENSE', 'LICENSE'],
] as const;

// This script writes the folder of the command-line tool's npm package, for `npm pack`. It runs after the build.
const missing = files.find(([path]) => !existsSync(join(root, path)));
if (missing !== undefined) {
  process.stderr.write(`${missing[0]} is missing. Run npm run build first.\n`);
  process.exit(1);
}
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder);
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Parameters<
  typeof createCliManifest
>[0];
writeFileSync(join(folder, 'package.json'), `${JSON.stringify(createCliManifest(manifest), null, 2)}\n`);
for (const [sourcePath, name] of files) {
  copyFileSync(join(root, sourcePath), join(folder, name));
}
