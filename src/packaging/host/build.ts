import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { bundleExtension, bundleProcesses } from './bundle.ts';

const root = join(import.meta.dirname, '../../..');
const dist = join(root, 'dist');

// This script writes the extension, and the programs of the processes and threads that the extension starts.
const programs = await Promise.all([bundleExtension(root), bundleProcesses(root)]);
for (const [path, text] of programs.flatMap(({ files }) => [...files])) {
  mkdirSync(dirname(join(dist, path)), { recursive: true });
  writeFileSync(join(dist, path), text);
}
const inputs = Object.fromEntries(programs.flatMap(({ sources }) => sources.map((path) => [path, {}])));
writeFileSync(join(dist, 'host.meta.json'), JSON.stringify({ inputs }));
