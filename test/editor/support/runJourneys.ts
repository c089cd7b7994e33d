import { join } from 'node:path';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import { ensureCodeServer } from '../../../src/launcher/codeServerInstall.ts';
import { projectRoot } from '../../../src/launcher/projectRoot.ts';
import { findFiles } from './findFiles.ts';
import { installPackage } from './packagedExtension.ts';

const journeysFolder = join(projectRoot, 'test', 'editor', 'journeys');
const fileTimeoutMs = 600_000;
/** An editor waits half of its time, so two of them at once keep two cores busy. */
const atOnce = 2;
/** How often a file that failed is run again. */
const moreRuns = 2;

interface Outcome {
  passed: number;
  failed: number;
  skipped: number;
}

/**
 * Runs every `*.journey.test.ts` whose path holds the filter, two files at a time; true when all passed. A whole
 * editor on a machine that is shared may miss a time-out, so a file that failed is run again, by itself; a file that
 * passed only then is named as flaky, in the open.
 */
export async function runJourneys(filter: string, env: NodeJS.ProcessEnv = {}): Promise<boolean> {
  const files = findFiles(journeysFolder, '**/*.journey.test.ts').filter((file) => file.includes(filter));
  if (files.length === 0) {
    process.stdout.write(`journeys: no test file for "${filter}": FAILED\n`);
    return false;
  }
  // Minutes on a new machine, which are to count against no test's time.
  await ensureCodeServer();
  const outcomes = new Map<string, Outcome>();
  const waiting = [...files];
  const lane = async (): Promise<void> => {
    for (let file = waiting.shift(); file !== undefined; file = waiting.shift()) {
      outcomes.set(file, await runFile(file, env));
    }
  };
  await Promise.all(Array.from({ length: atOnce }, lane));
  const flaky = await runFailedAgain(outcomes, env);
  return summed([...outcomes.values()], flaky);
}

/** Runs the journeys on the package, as an editor installs it, in place of the checkout. */
export async function runJourneysOnPackage(filter: string): Promise<boolean> {
  await ensureCodeServer();
  await using installed = await installPackage();
  // Awaited here: the package is to be there until the last journey is over.
  return await runJourneys(filter, { DATAMODEL_STUDIO_EXTENSION: installed.folder });
}

/** Runs what failed again, the last time traced; answers the files that passed then. */
async function runFailedAgain(
  outcomes: Map<string, Outcome>,
  env: NodeJS.ProcessEnv,
): Promise<readonly string[]> {
  const hasFailed = (file: string): boolean => (outcomes.get(file)?.failed ?? 0) > 0;
  const failed = [...outcomes.keys()].filter(hasFailed);
  for (let again = 1; again <= moreRuns; again += 1) {
    for (const file of failed.filter(hasFailed)) {
      process.stdout.write(`journeys: ${file} failed and is run again\n`);
      // Traces take a third of a journey's time.
      const tracing = again === moreRuns ? { DATAMODEL_STUDIO_TRACE: '1' } : {};
      outcomes.set(file, await runFile(file, { ...env, ...tracing }));
    }
  }
  return failed.filter((file) => !hasFailed(file));
}

function summed(outcomes: readonly Outcome[], flaky: readonly string[]): boolean {
  const sum = (part: keyof Outcome): number => outcomes.reduce((total, outcome) => total + outcome[part], 0);
  const [passed, failed, skipped] = [sum('passed'), sum('failed'), sum('skipped')];
  const didPass = failed === 0 && passed > 0;
  process.stdout.write(
    `journeys: ${passed} passed, ${failed} failed, ${skipped} skipped, ${flaky.length} flaky files` +
      `${flaky.length === 0 ? '' : ` (${flaky.join(', ')})`}: ${didPass ? 'ok' : 'FAILED'}\n`,
  );
  return didPass;
}

/** What a file says is printed when it has ended: two at once would mix their words. */
async function runFile(file: string, env: NodeJS.ProcessEnv): Promise<Outcome> {
  const outcome: Outcome = { passed: 0, failed: 0, skipped: 0 };
  const stream = run({
    files: [join(journeysFolder, file)],
    concurrency: 1,
    timeout: fileTimeoutMs,
    env: { ...process.env, ...env },
  });
  stream.on('test:pass', ({ name, skip }) => {
    // A file without a test is reported as a passed test that is named after the file.
    if (skip !== undefined) {
      outcome.skipped += 1;
    } else if (!name.endsWith('.journey.test.ts')) {
      outcome.passed += 1;
    }
  });
  stream.on('test:fail', () => {
    outcome.failed += 1;
  });
  let words = '';
  for await (const text of stream.compose(spec)) {
    words += String(text);
  }
  process.stdout.write(`${file}\n${words}`);
  return outcome;
}
