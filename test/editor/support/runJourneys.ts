import { join } from 'node:path';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import { ensureCodeServer } from '../../../src/launcher/codeServerInstall.ts';
import { projectRoot } from '../../../src/launcher/projectRoot.ts';
import { findFiles } from './findFiles.ts';

const journeysFolder = join(projectRoot, 'test', 'editor', 'journeys');
const fileTimeoutMs = 600_000;
/** An editor waits half of its time, so two of them at once keep two cores busy. */
const atOnce = 2;
/**
 * The journeys of `npm start` build the product anew, which nothing else may stand on meanwhile; those of the large
 * datamodel measure the time that the page takes on the processor.
 */
const alone = /(?:start|explorerLarge)\.journey/;

interface Outcome {
  passed: number;
  failed: number;
  skipped: number;
}

/**
 * Runs every `*.journey.test.ts` whose path holds the filter, two files at a time; true when all passed. A whole
 * editor on a machine that is shared may miss a time-out, so a file that failed is run once more, by itself; a file
 * that passed only then is counted as flaky, in the open.
 */
export async function runJourneys(filter = ''): Promise<boolean> {
  const files = findFiles(journeysFolder, '**/*.journey.test.ts').filter((file) => file.includes(filter));
  if (files.length === 0) {
    process.stdout.write(`journeys: no test file for "${filter}": FAILED\n`);
    return false;
  }
  // Minutes on a new machine, which are to count against no test's time.
  await ensureCodeServer();
  const outcomes = new Map<string, Outcome>();
  const waiting = files.filter((file) => !alone.test(file));
  const lane = async (): Promise<void> => {
    for (let file = waiting.shift(); file !== undefined; file = waiting.shift()) {
      outcomes.set(file, await runFile(file));
    }
  };
  await Promise.all(Array.from({ length: atOnce }, lane));
  for (const file of files.filter((each) => alone.test(each))) {
    outcomes.set(file, await runFile(file));
  }
  const flaky = await runFailedAgain(outcomes);
  return summed([...outcomes.values()], flaky);
}

/** Runs what failed once more, traced; answers how many files passed then. */
async function runFailedAgain(outcomes: Map<string, Outcome>): Promise<number> {
  let flaky = 0;
  for (const file of [...outcomes.keys()].filter((each) => (outcomes.get(each)?.failed ?? 0) > 0)) {
    process.stdout.write(`journeys: ${file} failed and is run once more\n`);
    const outcome = await runFile(file, { DATAMODEL_STUDIO_TRACE: '1' });
    flaky += outcome.failed === 0 ? 1 : 0;
    outcomes.set(file, outcome);
  }
  return flaky;
}

function summed(outcomes: readonly Outcome[], flaky: number): boolean {
  const sum = (part: keyof Outcome): number => outcomes.reduce((total, outcome) => total + outcome[part], 0);
  const [passed, failed, skipped] = [sum('passed'), sum('failed'), sum('skipped')];
  const didPass = failed === 0 && passed > 0;
  process.stdout.write(
    `journeys: ${passed} passed, ${failed} failed, ${skipped} skipped, ${flaky} flaky files: ${didPass ? 'ok' : 'FAILED'}\n`,
  );
  return didPass;
}

/** What a file says is printed when it has ended: two at once would mix their words. */
async function runFile(file: string, env: NodeJS.ProcessEnv = {}): Promise<Outcome> {
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
