import { statSync } from 'node:fs';
import { join } from 'node:path';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import { ensureCodeServer } from '../../../src/launcher/codeServerInstall.ts';
import { projectRoot } from '../../../src/launcher/projectRoot.ts';
import { findFiles } from './findFiles.ts';
import { installPackage } from './packagedExtension.ts';
import { toExactPattern } from './text.ts';

const journeysFolder = join(projectRoot, 'test', 'editor', 'journeys');
const fileTimeoutMs = 600_000;
/** An editor waits half of its time, so two of them at once keep two cores busy. */
const atOnce = 2;
/** How often a journey that failed is run again. */
const moreRuns = 2;
const suffix = '.journey.test.ts';

/** The titles of what passed and failed; a file that came to no journey of its own is named in their place. */
interface JourneyOutcome {
  readonly passed: readonly string[];
  readonly failed: readonly string[];
  readonly skipped: number;
}

/**
 * Runs every `*.journey.test.ts` whose path holds the filter, two files at a time; true when all passed. A whole
 * editor on a machine that is shared may miss a time-out, so a journey that failed is run again, by itself; a file
 * with one that passed only then is named as flaky, in the open.
 */
export async function runJourneys(filter: string, env: NodeJS.ProcessEnv = {}): Promise<boolean> {
  const files = findFiles(journeysFolder, `**/*${suffix}`).filter((file) => file.includes(filter));
  if (files.length === 0) {
    process.stdout.write(`journeys: no test file for "${filter}": FAILED\n`);
    return false;
  }
  // Minutes on a new machine, which are to count against no test's time.
  await ensureCodeServer();
  const outcomes = new Map<string, JourneyOutcome>();
  const waiting = sortLongestFirst(files);
  const lane = async (): Promise<void> => {
    for (let file = waiting.shift(); file !== undefined; file = waiting.shift()) {
      outcomes.set(file, await runFile(file, env));
    }
  };
  await Promise.all(Array.from({ length: atOnce }, lane));
  const flaky = await runFailedAgain(outcomes, env);
  return printSummary([...outcomes.values()], flaky);
}

/** Runs the journeys on the package, as an editor installs it, in place of the checkout. */
export async function runJourneysOnPackage(filter: string): Promise<boolean> {
  await ensureCodeServer();
  await using installed = await installPackage();
  // Awaited here: the package is to be there until the last journey is over.
  return await runJourneys(filter, { DATAMODEL_STUDIO_EXTENSION: installed.folder });
}

/** Longer texts walk further, more or less; when the longest begin, no core waits for the other at the end. */
function sortLongestFirst(files: readonly string[]): string[] {
  const size = (file: string): number => statSync(join(journeysFolder, file)).size;
  return files.toSorted((a, b) => size(b) - size(a));
}

/** Runs what failed again, the last time traced; answers the files that passed then. */
async function runFailedAgain(
  outcomes: Map<string, JourneyOutcome>,
  env: NodeJS.ProcessEnv,
): Promise<readonly string[]> {
  const hasFailed = (file: string): boolean => (outcomes.get(file)?.failed ?? []).length > 0;
  const failed = [...outcomes.keys()].filter(hasFailed);
  for (let again = 1; again <= moreRuns; again += 1) {
    for (const file of failed.filter(hasFailed)) {
      // Traces take a third of a journey's time.
      const tracing = again === moreRuns ? { DATAMODEL_STUDIO_TRACE: '1' } : {};
      const before = outcomes.get(file) ?? nothing;
      const titles = before.failed.some((title) => title.endsWith(suffix)) ? [] : before.failed;
      process.stdout.write(`journeys: ${[file, ...titles].join(', ')} failed and is run again\n`);
      const now = await runFile(file, { ...env, ...tracing }, titles);
      outcomes.set(file, titles.length === 0 ? now : mergeOutcomes(before, now));
    }
  }
  return failed.filter((file) => !hasFailed(file));
}

const nothing: JourneyOutcome = { passed: [], failed: [], skipped: 0 };

/** What is known of a file of which only those journeys were run again that had failed. */
function mergeOutcomes(before: JourneyOutcome, now: JourneyOutcome): JourneyOutcome {
  const stillFailed = before.failed.filter((title) => !now.passed.includes(title));
  return {
    passed: [...before.passed, ...now.passed],
    failed: [...new Set([...stillFailed, ...now.failed])],
    skipped: before.skipped,
  };
}

function printSummary(outcomes: readonly JourneyOutcome[], flaky: readonly string[]): boolean {
  const passed = outcomes.flatMap((outcome) => outcome.passed).length;
  const failed = outcomes.flatMap((outcome) => outcome.failed).length;
  const skipped = outcomes.reduce((total, outcome) => total + outcome.skipped, 0);
  const didPass = failed === 0 && passed > 0;
  process.stdout.write(
    `journeys: ${passed} passed, ${failed} failed, ${skipped} skipped, ${flaky.length} flaky files` +
      `${flaky.length === 0 ? '' : ` (${flaky.join(', ')})`}: ${didPass ? 'ok' : 'FAILED'}\n`,
  );
  return didPass;
}

/** Runs the journeys of a file, or those with the titles. What it says is printed when it has ended: two at once would mix. */
async function runFile(
  file: string,
  env: NodeJS.ProcessEnv,
  titles: readonly string[] = [],
): Promise<JourneyOutcome> {
  const passed: string[] = [];
  const failed: string[] = [];
  let skipped = 0;
  const stream = run({
    files: [join(journeysFolder, file)],
    concurrency: 1,
    timeout: fileTimeoutMs,
    env: { ...process.env, ...env },
    testNamePatterns: titles.map(toExactPattern),
  });
  stream.on('test:pass', ({ name, skip }) => {
    // A file without a test is reported as a passed test that is named after the file.
    if (skip !== undefined) {
      skipped += 1;
    } else if (!name.endsWith(suffix)) {
      passed.push(name);
    }
  });
  stream.on('test:fail', ({ name }) => {
    failed.push(name);
  });
  let words = '';
  for await (const text of stream.compose(spec)) {
    words += String(text);
  }
  process.stdout.write(`${file}\n${words}`);
  return { passed, failed, skipped };
}
