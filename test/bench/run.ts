/**
 * `npm run bench [FILTER]` measures the speed of the product as ratios, alternating, on a quiet machine; `--against REF`
 * measures another commit side by side, and `--write` writes the table of docs/performance.md (see `usage`). Exits with
 * 1 if a benchmark failed or a limit was missed, with 2 for wrong arguments, and with 3 if the machine was not quiet.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { constants, tmpdir } from 'node:os';
import { join } from 'node:path';
import { projectRoot } from '../../src/launcher/projectRoot.ts';
import { type BenchCommand, parseArguments, usage } from './harness/arguments.ts';
import { type Checkout, checkOut } from './harness/checkout.ts';
import { type Figure, describeFigure, getVerdict } from './harness/figures.ts';
import { updateTable } from './harness/performanceTable.ts';
import { QuietMachine } from './harness/quietMachine.ts';
import { mergeResults, readResults, writeResults } from './harness/resultFile.ts';
import { runBenchmarks } from './harness/runBenchmarks.ts';

const resultPath = join(projectRoot, 'test', '.artifacts', 'bench.json');
const pagePath = join(projectRoot, 'docs', 'performance.md');
const exitCodes = { done: 0, failed: 1, usage: 2, notQuiet: 3 } as const;

const print = (message: string): void => void process.stderr.write(`${message}\n`);

/** Aborted when the process is to end. Before it ends, everything temporary is removed. */
const stop = new AbortController();
const stopSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
for (const name of stopSignals) {
  process.on(name, () => {
    process.exitCode = 128 + constants.signals[name];
    stop.abort();
  });
}

async function build(folder: string): Promise<void> {
  print(`Building ${folder}`);
  const child = spawn('npm', ['run', '--silent', 'build'], {
    cwd: folder,
    stdio: ['ignore', 2, 2],
    signal: stop.signal,
  });
  const [code] = (await once(child, 'close')) as [number | null];
  stop.signal.throwIfAborted();
  if (code !== 0) {
    throw new Error(`npm run build failed in ${folder}`);
  }
}

async function writeTable(): Promise<number> {
  const results = await readResults(resultPath);
  if (results === undefined) {
    print('Nothing was measured yet: run `npm run bench` first.');
    return exitCodes.failed;
  }
  const page = await readFile(pagePath, 'utf8');
  await writeFile(pagePath, updateTable(page, results.figures, { keepsOthers: !results.isComplete }));
  return exitCodes.done;
}

async function run({ filter, ref, maxWaitMs }: Extract<BenchCommand, { kind: 'run' }>): Promise<number> {
  await using stack = new AsyncDisposableStack();
  // Benchmarks put their temporary files here, too, so that nothing of them is left if they are interrupted.
  const temporaryFolder = await mkdtemp(join(tmpdir(), 'dms-bench-'));
  stack.defer(() => rm(temporaryFolder, { recursive: true, force: true, maxRetries: 5 }));
  process.env['TMPDIR'] = temporaryFolder;

  const { signal } = stop;
  let other: Checkout | undefined;
  if (ref !== undefined) {
    other = stack.use(
      await checkOut(ref, { root: projectRoot, folder: join(temporaryFolder, 'other'), signal }),
    );
    await build(other.folder);
  }
  await build(projectRoot);

  const figures: Figure[] = [];
  let isComplete = false;
  // Figures that were measured before an interruption are kept.
  stack.defer(async () => {
    if (figures.length > 0) {
      const run = { isComplete, figures };
      await writeResults(resultPath, mergeResults(await readResults(resultPath), run));
    }
  });
  const failedFiles = await runBenchmarks({
    root: projectRoot,
    otherRoot: other?.folder,
    filter,
    machine: new QuietMachine({ maxWaitMs, print, signal }),
    signal,
    print,
    onFigure: (figure) => {
      figures.push(figure);
      process.stdout.write(`${describeFigure(figure)}\n`);
    },
  });
  failedFiles.forEach((file) => print(`FAILED: ${file}`));
  isComplete = filter === '' && failedFiles.length === 0;
  return getExitCode(figures, failedFiles);
}

function getExitCode(figures: readonly Figure[], failedFiles: readonly string[]): number {
  if (figures.length === 0) {
    print('No comparison matches.');
  }
  if (figures.length === 0 || failedFiles.length > 0) {
    return exitCodes.failed;
  }
  // A limit that was missed on a busy machine might be met on a quiet one.
  if (figures.some(({ times }) => times?.wasQuiet === false)) {
    print('The machine was not quiet, so these figures are not reliable.');
    return exitCodes.notQuiet;
  }
  return figures.some((figure) => getVerdict(figure) === 'missed') ? exitCodes.failed : exitCodes.done;
}

function readCommand(): BenchCommand | undefined {
  try {
    return parseArguments(process.argv.slice(2));
  } catch (error) {
    print(`${error instanceof Error ? error.message : String(error)}\n${usage}`);
    return undefined;
  }
}

const command = readCommand();
if (command === undefined) {
  process.exitCode = exitCodes.usage;
} else {
  try {
    process.exitCode = await (command.kind === 'write' ? writeTable() : run(command));
  } catch (error) {
    if (!stop.signal.aborted) {
      throw error;
    }
    print('Stopped.');
  }
}
