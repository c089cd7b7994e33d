/** `npm run bench [filter]`: runs every `*.bench.ts` in its own process; each prints one JSON object per line. */
import { spawn } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';

const [filter = ''] = process.argv.slice(2);
const benchmarks = readdirSync(import.meta.dirname)
  .filter((name) => name.endsWith('.bench.ts') && name.includes(filter))
  .sort();

if (benchmarks.length === 0) {
  process.stderr.write(`No benchmark matches "${filter}"\n`);
  process.exitCode = 1;
}
for (const name of benchmarks) {
  process.stderr.write(`${name}\n`);
  const child = spawn(process.execPath, ['--expose-gc', join(import.meta.dirname, name)], {
    stdio: 'inherit',
  });
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  if (code !== 0) {
    process.exitCode = 1;
  }
}
