/** `node test/editor/run.ts host [grep]`, `… journeys [filter]` on the checkout, `… packaged [filter]` on the package. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../../src/launcher/projectRoot.ts';
import { runHost } from './support/runHost.ts';
import { runJourneys, runJourneysOnPackage } from './support/runJourneys.ts';

const usage = 'Usage: node test/editor/run.ts host [grep] | journeys [filter] | packaged [filter]\n';

async function run(kind: string | undefined, filter: string | undefined): Promise<boolean> {
  if (!existsSync(join(projectRoot, 'dist', 'sandbox.js'))) {
    process.stderr.write('These tests need the build: npm run build\n');
    return false;
  }
  if (kind === 'host') {
    return runHost(filter ?? '');
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

const [kind, filter] = process.argv.slice(2);
process.exitCode = (await run(kind, filter)) ? 0 : 1;
