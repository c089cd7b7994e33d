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
/** An editor is idle half of the time, so two at once keep two cores busy. */
const atOnce = 2;
/** The number of reruns of a failed journey. */
const moreRuns = 2;
const suffix = '.journey.test.ts';

/**
 * The titles of the journeys that passed and failed; a file that failed before any journey is listed by its file name.
 */
interface JourneyOutcome {
  readonly passed: readonly string[];
  readonly failed: readonly string[];
  readonly skipped: number;
}

/**
 * Runs every `*.journey.test.ts` whose path contains the filter, two files at a time; returns true if all passed. On a
 * shared machine a whole editor may miss a timeout, so a failed journey is run again, alone; a file that passes only
 * then is listed as flaky.
 */
export async function runJourneys(filter: string, env: NodeJS.ProcessEnv = {}): Promise<boolean> {
  const files = findFiles(journeysFolder, `**/*${suffix}`).filter((file) => file.includes(filter));
  if (files.length === 0) {
    process.stdout.write(`journeys: no test file for "${filter}": FAILED\n`);
    return false;
  }
  // The download takes minutes on a new machine, and must not count against the time limit of a test.
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

/** Runs the journeys on the package, installed as an editor does it, instead of the checkout. */
export async function runJourneysOnPackage(filter: string): Promise<boolean> {
  await ensureCodeServer();
  await using installed = await installPackage();
  // Awaited here: the package has to exist until the last journey ends.
  return await runJourneys(filter, { DATAMODEL_STUDIO_EXTENSION: installed.folder });
}

/** Longer files usually run longer; starting with the longest keeps both cores busy until the end. */
function sortLongestFirst(files: readonly string[]): string[] {
  const size = (file: string): number => statSync(join(journeysFolder, file)).size;
  return files.toSorted((a, b) => size(b) - size(a));
}

/** Reruns failed journeys, tracing the last attempt; returns the files that passed on a rerun. */
async function runFailedAgain(
  outcomes: Map<string, JourneyOutcome>,
  env: NodeJS.ProcessEnv,
): Promise<readonly string[]> {
  const hasFailed = (file: string): boolean => (outcomes.get(file)?.failed ?? []).length > 0;
  const failed = [...outcomes.keys()].filter(hasFailed);
  for (let again = 1; again <= moreRuns; again += 1) {
    for (const file of failed.filter(hasFailed)) {
      // Traces cost a third of a journey's time.
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

/** Merges the outcomes of a file of which only the failed journeys were rerun. */
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

/**
 * Runs all journeys of a file, or those with the titles. Prints the output at the end, since two runs at once would
 * mix.
 */
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
    // A file without tests is reported as a passed test named after the file.
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
