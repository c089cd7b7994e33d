/** `node test/editor/run.ts host` and `node test/editor/run.ts journeys [filter]`. */
import { runHost } from './support/runHost.ts';
import { runJourneys } from './support/runJourneys.ts';

const usage = 'Usage: node test/editor/run.ts host | journeys [filter]\n';

async function run(kind: string | undefined, filter: string | undefined): Promise<boolean> {
  if (kind === 'host') {
    return runHost();
  }
  if (kind === 'journeys') {
    return runJourneys(filter);
  }
  process.stderr.write(usage);
  return false;
}

const [kind, filter] = process.argv.slice(2);
process.exitCode = (await run(kind, filter)) ? 0 : 1;
