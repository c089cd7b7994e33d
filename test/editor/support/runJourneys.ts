import { join } from 'node:path';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import { ensureCodeServer } from '../../../src/launcher/codeServerInstall.ts';
import { projectRoot } from '../../../src/launcher/projectRoot.ts';
import { findFiles } from './findFiles.ts';

const journeysFolder = join(projectRoot, 'test', 'editor', 'journeys');
const fileTimeoutMs = 600_000;

interface Outcome {
  passed: number;
  failed: number;
  skipped: number;
}

/**
 * Runs every `*.journey.test.ts` whose path holds the filter, one after the other; true when all passed. A whole
 * editor on a machine that is shared may miss a time-out, so a file that failed is run once more; a file that passed
 * only then is counted as flaky, in the open.
 */
export async function runJourneys(filter = ''): Promise<boolean> {
  const files = findFiles(journeysFolder, '**/*.journey.test.ts').filter((file) => file.includes(filter));
  if (files.length === 0) {
    process.stdout.write(`journeys: no test file for "${filter}": FAILED\n`);
    return false;
  }
  // Minutes on a new machine, which are to count against no test's time.
  await ensureCodeServer();
  const total = { passed: 0, failed: 0, skipped: 0, flaky: 0 };
  for (const file of files) {
    let outcome = await runFile(file);
    if (outcome.failed > 0) {
      process.stdout.write(`journeys: ${file} failed and is run once more\n`);
      outcome = await runFile(file, { DATAMODEL_STUDIO_TRACE: '1' });
      total.flaky += outcome.failed === 0 ? 1 : 0;
    }
    total.passed += outcome.passed;
    total.failed += outcome.failed;
    total.skipped += outcome.skipped;
  }
  const { passed, failed, skipped, flaky } = total;
  const didPass = failed === 0 && passed > 0;
  process.stdout.write(
    `journeys: ${passed} passed, ${failed} failed, ${skipped} skipped, ${flaky} flaky files: ${didPass ? 'ok' : 'FAILED'}\n`,
  );
  return didPass;
}

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
  for await (const text of stream.compose(spec)) {
    process.stdout.write(String(text));
  }
  return outcome;
}
