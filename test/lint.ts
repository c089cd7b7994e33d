/** `npm run lint`: runs each check even if another one fails, so that one run reports everything. */
import { spawnSync } from 'node:child_process';
import { projectRoot } from '../src/launcher/projectRoot.ts';

const checks = ['code', 'format', 'unused', 'words'];
const failed = checks.filter(
  (check) =>
    spawnSync('npm', ['run', '--silent', `lint:${check}`], { cwd: projectRoot, stdio: 'inherit' }).status !==
    0,
);
if (failed.length > 0) {
  process.stderr.write(`failed: ${failed.map((check) => `npm run lint:${check}`).join(', ')}\n`);
  process.exitCode = 1;
}
