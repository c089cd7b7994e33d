/**
 * `node test/editor/run.ts host [grep] [--seed N]`, `… journeys [filter]` on the checkout, `… packaged [filter]` on the
 * package.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { projectRoot } from '../../src/launcher/projectRoot.ts';
import { runHost } from './support/runHost.ts';
import { runJourneys, runJourneysOnPackage } from './support/runJourneys.ts';

const usage =
  'Usage: node test/editor/run.ts host [grep] [--seed N] | journeys [filter] | packaged [filter]\n';

async function run(
  kind: string | undefined,
  filter: string | undefined,
  seed: number | undefined,
): Promise<boolean> {
  if (!existsSync(join(projectRoot, 'dist', 'sandbox.js'))) {
    process.stderr.write('These tests need the build: npm run build\n');
    return false;
  }
  if (kind === 'host') {
    return runHost(filter ?? '', seed);
  }
  if (kind === 'journeys') {
    return runJourneys(filter ?? '');
  }
  if (kind === 'packaged') {
    return runJourneysOnPackage(filter ?? '');
  }
  process.stderr.write(usage);
  return false;
}

const {
  positionals: [kind, filter],
  values: { seed },
} = parseArgs({ allowPositionals: true, options: { seed: { type: 'string' } } });
process.exitCode = (await run(kind, filter, seed === undefined ? undefined : Number(seed))) ? 0 : 1;
