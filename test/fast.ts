/**
 * `npm run test:fast`: the tests that the uncommitted changes affect, or those of the last commit if there are none:
 * the unit tests and tests of pages that import a changed file, the test that counts what activation loads, the
 * integration tests that were changed themselves, and the tests in the extension host if a feature or such a test has
 * changed.
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
if (changedFiles.some((path) => path.startsWith('src/'))) {
  // This test bundles the sources instead of importing them, so a change of any of them may affect it.
  results.push(await run(vitest, 'run', '--project=unit', 'test/unit/packaging/host/bundle.test.ts'));
}
const integrationTests = changedFiles.filter((path) => /^test\/integration\/.*\.test\.ts$/.test(path));
if (integrationTests.length > 0) {
  const projects = ['--project=integration', '--project=integration-contract'];
  results.push(await run(vitest, 'run', ...projects, ...integrationTests));
}
if (changedFiles.some((path) => /^(src\/(features|platform)|test\/host)\//.test(path))) {
  results.push(await run('test/editor/run.ts', 'host'));
}
process.exitCode = results.includes(false) ? 1 : 0;
