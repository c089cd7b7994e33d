import { type Profiler, Session } from 'node:inspector';
import { getBuiltInSteps, instrumentBuiltIns } from './builtInSteps.ts';

/** Prepares the work to count at a given size. */
export type StepCase = (size: number) => () => unknown;

const session = new Session();
session.connect();
session.post('Profiler.enable');
// Start before our own code is loaded, so that all of it is counted.
session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });

/**
 * Returns the number of code blocks that ran since the last call, without those of Node.js and of the counting itself.
 */
function takeExecutedBlocks(): number {
  let sum = 0;
  session.post('Profiler.takePreciseCoverage', (error, coverage) => {
    if (error !== null) {
      throw error;
    }
    sum = coverage.result.filter(isCounted).reduce((total, script) => total + countBlocks(script), 0);
  });
  return sum;
}

const isCounted = ({ url }: Profiler.ScriptCoverage): boolean =>
  !url.startsWith('node:') && !/\/test\/support\/(stepsProcess|builtInSteps)\.ts$/.test(url);

const countBlocks = ({ functions }: Profiler.ScriptCoverage): number =>
  functions.reduce((total, { ranges }) => total + ranges.reduce((sum, { count }) => sum + count, 0), 0);

function countSteps(prepare: StepCase, size: number): number {
  const work = prepare(size);
  takeExecutedBlocks();
  const before = getBuiltInSteps();
  work();
  const builtInSteps = getBuiltInSteps() - before;
  return takeExecutedBlocks() + builtInSteps;
}

const { cases } = (await import(process.argv[2] ?? '')) as {
  readonly cases: Readonly<Record<string, StepCase>>;
};
instrumentBuiltIns();
process.on('message', ({ name, sizes }: { readonly name: string; readonly sizes: readonly number[] }) => {
  const prepare = cases[name];
  if (prepare === undefined) {
    throw new Error(`No case ${name}`);
  }
  // Run once without counting, so that one-time initialization is not counted.
  prepare(sizes[0] ?? 1)();
  process.send?.(sizes.map((size) => countSteps(prepare, size)));
});
