import { type SpawnOptions, spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import { mkdtemp, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { findExecutable } from '../src/launcher/executables.ts';
import { projectRoot } from '../src/launcher/projectRoot.ts';
import { ensureSystemPackages } from '../src/launcher/systemPackages.ts';

/**
 * `npm test`: all checks and tests, one stage after the other; the scripts of a stage run side by side. Stops after the
 * first stage with a failure. `--install-packages`, or CI in the environment, installs the Debian packages that a
 * machine lacks.
 */
const stages: readonly (readonly string[])[] = [
  ['build'],
  ['typecheck', 'lint', 'test:core'],
  ['test:host', 'package:vsix'],
  ['test:journeys'],
];

/** The file system in memory of Linux. */
const memoryFolder = '/dev/shm';
/** The free space that the folder in memory requires: several times as much as the tests use at the same time. */
const memoryBytes = 4 * 2 ** 30;

const usage = 'Usage: npm test -- [--install-packages]\n';

function readOptions(): { readonly installsWithoutAsking: boolean } | undefined {
  try {
    const { values } = parseArgs({ options: { 'install-packages': { type: 'boolean', default: false } } });
    return { installsWithoutAsking: values['install-packages'] || Boolean(process.env['CI']) };
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n${usage}`);
    return undefined;
  }
}

interface ScriptOptions {
  /** Whether no other script runs beside it. */
  readonly isAlone: boolean;
  readonly env: NodeJS.ProcessEnv;
}

/** Runs a script of the package. Its output is shown as it comes if it runs alone, otherwise when it has ended. */
async function runScript(npm: string, name: string, { isAlone, env }: ScriptOptions): Promise<boolean> {
  const started = performance.now();
  const options: SpawnOptions = {
    cwd: projectRoot,
    env,
    stdio: isAlone ? 'inherit' : ['ignore', 'pipe', 'pipe'],
  };
  const child = spawn(npm, ['run', '--silent', name], options);
  const output: Buffer[] = [];
  child.stdout?.on('data', (chunk: Buffer) => output.push(chunk));
  child.stderr?.on('data', (chunk: Buffer) => output.push(chunk));
  const { promise, resolve } = Promise.withResolvers<boolean>();
  child.once('error', () => resolve(false));
  child.once('close', (code) => resolve(code === 0));
  const didPass = await promise;
  const seconds = Math.round((performance.now() - started) / 1000);
  process.stdout.write(Buffer.concat(output));
  process.stdout.write(`${didPass ? 'passed' : 'FAILED'}: npm run ${name} (${seconds} s)\n`);
  return didPass;
}

/**
 * Creates a folder for temporary files in memory, if the machine has enough of it. The tests create and delete tens of
 * thousands of small files, which would take up to a quarter of their processor time on a disk.
 */
async function createFolderInMemory(): Promise<string | undefined> {
  try {
    const { bavail, bsize } = await statfs(memoryFolder);
    return bavail * bsize < memoryBytes ? undefined : await mkdtemp(join(memoryFolder, 'dms-'));
  } catch {
    // Only Linux has this folder, and it may not be writable. Without it, temporary files are created on the disk.
    return undefined;
  }
}

async function runStages(): Promise<boolean> {
  const npm = findExecutable('npm');
  if (npm === undefined) {
    process.stderr.write('npm is not on the PATH\n');
    return false;
  }
  const folder = await createFolderInMemory();
  const env = folder === undefined ? process.env : { ...process.env, TMPDIR: folder };
  if (folder !== undefined) {
    process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
    // Without a listener, a signal ends the process without an exit event.
    process.once('SIGINT', () => process.exit(130)).once('SIGTERM', () => process.exit(143));
  }
  for (const scripts of stages) {
    const results = await Promise.all(
      scripts.map((name) => runScript(npm, name, { isAlone: scripts.length === 1, env })),
    );
    if (results.includes(false)) {
      return false;
    }
  }
  return true;
}

const options = readOptions();
if (options === undefined) {
  process.exitCode = 2;
} else {
  const isReady = await ensureSystemPackages({ purpose: 'tests', mayAsk: false, ...options });
  process.exitCode = isReady && (await runStages()) ? 0 : 1;
}
