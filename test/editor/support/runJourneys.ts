import { join } from 'node:path';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import { projectRoot } from '../../../src/launcher/projectRoot.ts';
import { findFiles } from './findFiles.ts';

const journeysFolder = join(projectRoot, 'test', 'editor', 'journeys');
const fileTimeoutMs = 600_000;

/** Runs every `*.journey.test.ts` whose path holds the filter, one after the other; true when all passed. */
export async function runJourneys(filter = ''): Promise<boolean> {
  const files = findFiles(journeysFolder, '**/*.journey.test.ts').filter((file) => file.includes(filter));
  if (files.length === 0) {
    process.stdout.write(`journeys: no test file for "${filter}": FAILED\n`);
    return false;
  }
  const counts = { passed: 0, failed: 0, skipped: 0 };
  const stream = run({
    files: files.map((file) => join(journeysFolder, file)),
    concurrency: 1,
    timeout: fileTimeoutMs,
  });
  stream.on('test:pass', ({ name, skip }) => {
    // A file without a test is reported as a passed test that is named after the file.
    if (skip !== undefined) {
      counts.skipped += 1;
    } else if (!name.endsWith('.journey.test.ts')) {
      counts.passed += 1;
    }
  });
  stream.on('test:fail', () => {
    counts.failed += 1;
  });
  for await (const text of stream.compose(spec)) {
    process.stdout.write(String(text));
  }
  const { passed, failed, skipped } = counts;
  const didPass = failed === 0 && passed > 0;
  process.stdout.write(
    `journeys: ${passed} passed, ${failed} failed, ${skipped} skipped: ${didPass ? 'ok' : 'FAILED'}\n`,
  );
  return didPass;
}
