import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createShippedReadme } from './readme.ts';

const root = join(import.meta.dirname, '../../..');

// This script writes the README of the package. It runs when the extension is built, and fails if an image is missing.
const text = readFileSync(join(root, 'README.md'), 'utf8');
writeFileSync(
  join(root, 'dist/README.md'),
  createShippedReadme(text, (path) => readFileSync(join(root, path))),
);
