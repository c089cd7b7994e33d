import { readFileSync, readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { findAvoided } from './support/vocabulary.ts';

/** Prints each occurrence in the sources, docs, and texts of a word that this project avoids; fails if there is one. */
const root = join(import.meta.dirname, '..');
/** Files that contain the avoided words: their list, and its test. */
const exempt: ReadonlySet<string> = new Set(['test/support/vocabulary.ts', 'test/unit/vocabulary.test.ts']);

const listFiles = (folders: readonly string[], extension: RegExp): readonly string[] =>
  folders
    .flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((path) =>
        relative(root, join(root, folder, path)).replaceAll('\\', '/'),
      ),
    )
    .filter((path) => extension.test(path) && !path.includes('.artifacts') && !exempt.has(path));

const files = [
  ...listFiles(['src', 'test'], /\.tsx?$/),
  ...listFiles(['docs'], /\.md$/),
  'README.md',
  'CHANGELOG.md',
  'CONTRIBUTING.md',
  'package.nls.json',
];

const lines = files.flatMap((path) =>
  findAvoided(readFileSync(join(root, path), 'utf8')).map(
    ({ line, found, use }) => `${path}:${line}: "${found}": write ${use}`,
  ),
);

process.stdout.write(lines.map((line) => `${line}\n`).join(''));
process.exitCode = lines.length === 0 ? 0 : 1;
