import { type SpawnOptions, spawn } from 'node:child_process';
import { constants, setPriority } from 'node:os';
import { parseArgs } from 'node:util';
import { findExecutable } from '../src/launcher/executables.ts';
import { projectRoot } from '../src/launcher/projectRoot.ts';
import { ensureSystemPackages } from '../src/launcher/systemPackages.ts';

/**
 * `npm test`: all checks and tests. The build comes first; then the tests in an editor run one after the other, and all
 * else beside them, with the processor time that they leave: nearly all of what an editor waits for is one processor.
 * After a failure, no further script starts. `--install-packages`, or CI in the environment, installs the Debian packages
 * that a machine lacks.
 */
const inEditor = ['test:host', 'package:vsix', 'test:journeys'];
const beside = ['typecheck', 'lint', 'test:core'];

/** The lowest priority: the tests in an editor wait for the rest only where both need the same processor. */
const lowPriority = constants.priority.PRIORITY_LOW;

const usage = 'Usage: npm test -- [--install-packages]\n';

function readOptions(): { readonly mayInstall: boolean } | undefined {
  try {
    const { values } = parseArgs({ options: { 'install-packages': { type: 'boolean', default: false } } });
    return { mayInstall: values['install-packages'] || Boolean(process.env['CI']) };
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n${usage}`);
    return undefined;
  }
}

interface RunOptions {
  /** Writes as it goes, instead of all at once when it has ended. */
  readonly isLive?: boolean;
  readonly priority?: number;
}

/** Runs a script of the package. Returns whether it succeeded. */
async function runScript(npm: string, name: string, { isLive, priority }: RunOptions = {}): Promise<boolean> {
  const started = performance.now();
  const options: SpawnOptions = { cwd: projectRoot, stdio: isLive ? 'inherit' : ['ignore', 'pipe', 'pipe'] };
  const child = spawn(npm, ['run', '--silent', name], options);
  if (priority !== undefined && child.pid !== undefined) {
    setPriority(child.pid, priority);
  }
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

async function runAll(): Promise<boolean> {
  const npm = findExecutable('npm');
  if (npm === undefined) {
    process.stderr.write('npm is not on the PATH\n');
    return false;
  }
  let havePassed = await runScript(npm, 'build', { isLive: true });
  const runInTurn = async (names: readonly string[], options: RunOptions): Promise<void> => {
    for (const name of names) {
      if (havePassed && !(await runScript(npm, name, options))) {
        havePassed = false;
      }
    }
  };
  await Promise.all([runInTurn(inEditor, {}), runInTurn(beside, { priority: lowPriority })]);
  return havePassed;
}

const options = readOptions();
if (options === undefined) {
  process.exitCode = 2;
} else {
  const isReady = await ensureSystemPackages({ purpose: 'tests', mayAsk: false, ...options });
  process.exitCode = isReady && (await runAll()) ? 0 : 1;
}
