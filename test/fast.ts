/**
 * `npm run test:fast`: the tests that the uncommitted changes affect, or those of the last commit if there are none:
 * the unit tests and tests of pages that import a changed file, the tests that read the files of the project instead of
 * importing them, the integration tests that were changed themselves, those of the client if it has changed, and the
 * tests in the extension host if a feature or such a test has changed.
 */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { projectRoot } from '../src/launcher/projectRoot.ts';

const git = (...args: readonly string[]): readonly string[] =>
  execFileSync('git', args, { cwd: projectRoot, encoding: 'utf8' }).split('\n').filter(Boolean);

const uncommittedFiles = [
  ...git('diff', '--name-only', '--diff-filter=d', 'HEAD'),
  ...git('ls-files', '--others', '--exclude-standard'),
];
const baseCommit = uncommittedFiles.length > 0 ? 'HEAD' : 'HEAD~1';
const changedFiles =
  uncommittedFiles.length > 0 ? uncommittedFiles : git('diff', '--name-only', '--diff-filter=d', baseCommit);

async function run(...args: readonly string[]): Promise<boolean> {
  const child = spawn(process.execPath, args, { cwd: projectRoot, stdio: 'inherit' });
  const [code] = await once(child, 'exit');
  return code === 0;
}

const vitest = join('node_modules', 'vitest', 'vitest.mjs');
const results = [
  await run(
    vitest,
    'run',
    '--project=unit',
    '--project=pages',
    `--changed=${baseCommit}`,
    '--passWithNoTests',
  ),
];
const hasChanged = (pattern: RegExp): boolean => changedFiles.some((path) => pattern.test(path));
// These tests read the sources, texts, and pages instead of importing them, so a change of any of them may affect them.
results.push(
  await run(
    vitest,
    'run',
    '--project=unit',
    'test/architecture.test.ts',
    'test/unit/localization.test.ts',
    'test/unit/docs',
    ...(hasChanged(/^src\//) ? ['test/unit/packaging/host/bundle.test.ts'] : []),
  ),
);
const integrationTests = [
  ...(hasChanged(/^src\/client\//) ? ['test/integration/client'] : []),
  ...changedFiles.filter((path) => /^test\/integration\/.*\.test\.ts$/.test(path)),
];
if (integrationTests.length > 0) {
  const projects = ['--project=integration', '--project=integration-contract'];
  results.push(await run(vitest, 'run', ...projects, ...integrationTests));
}
if (hasChanged(/^(src\/(features|platform)|test\/host)\//)) {
  results.push(await run('test/editor/run.ts', 'host'));
}
process.exitCode = results.includes(false) ? 1 : 0;
