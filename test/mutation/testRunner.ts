/**
 * A process that runs unit tests with one mutant after another. Each source file is transformed only once, with all of
 * its mutants in it; the request of a run names the mutants.
 */
import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { createVitest, type TestModule } from 'vitest/node';
import { unitTests } from '../../vitest.config.ts';
import { projectRoot } from '../../src/launcher/projectRoot.ts';
import { addSwitches, findMutants } from './mutants.ts';

/** The tests of a file to run; all of them if there are no `testIds`. */
export interface TestSelection {
  readonly file: string;
  readonly testIds?: readonly string[];
}

export interface RunRequest {
  /** The ID of the mutant that is active all the time, or `undefined` to run each test without one first. */
  readonly mutant: number | undefined;
  /** After this many steps, a test file counts as an endless loop. A step is one call of `mutantSwitch.isActive`. */
  readonly maxSteps: number;
  /** The IDs of the mutants to try in each test that reaches them. */
  readonly candidates: readonly number[];
  /** A test tries no further mutants after this time. */
  readonly maxTrialMs: number;
  /** By file, the IDs of mutants that it reaches outside of tests, as far as that is known. They are not tried. */
  readonly reachedOutside: Readonly<Record<string, readonly number[]>>;
  readonly tests: readonly TestSelection[];
}

/** The IDs of the mutants that the tests of a file reach while no mutant is active. */
export interface TestFileReach {
  readonly file: string;
  readonly didPass: boolean;
  /** The number of steps of the whole file, that is, of calls of `mutantSwitch.isActive`. */
  readonly steps: number;
  /** The mutants that are reached outside of tests. */
  readonly reached: readonly number[];
  readonly tests: readonly {
    readonly id: string;
    readonly milliseconds: number;
    readonly reached: readonly number[];
    /** The mutants with which the test passed. */
    readonly passedWith: readonly number[];
    /** The mutants with which the test failed. */
    readonly failedWith: readonly number[];
  }[];
}

export interface RunResult {
  readonly didPass: boolean;
  /** Empty if a mutant was active all the time. */
  readonly files: readonly TestFileReach[];
}

function describeReach(module: TestModule): TestFileReach {
  const tests = [...module.children.allTests()];
  return {
    file: relative(projectRoot, module.moduleId),
    didPass: module.ok(),
    steps: Math.max(0, ...tests.map((test) => test.meta().steps ?? 0)),
    reached: [...new Set(tests.flatMap((test) => test.meta().reachedBefore ?? []))],
    tests: tests.map((test) => ({
      id: test.id,
      milliseconds: test.meta().milliseconds ?? 0,
      reached: test.meta().reached ?? [],
      passedWith: test.meta().passedWith ?? [],
      failedWith: test.meta().failedWith ?? [],
    })),
  };
}

async function startRunner(sourceFiles: readonly string[], isReachAnalysis: boolean): Promise<void> {
  const codeWithSwitches = new Map<string, string>();
  let count = 0;
  for (const file of sourceFiles) {
    const source = readFileSync(join(projectRoot, file), 'utf8');
    const mutants = findMutants(file, source);
    codeWithSwitches.set(file, addSwitches(source, mutants, count));
    count += mutants.length;
  }
  const vitest = await createVitest(
    'test',
    {
      ...unitTests,
      config: false,
      root: projectRoot,
      watch: false,
      // The transformed modules contain the IDs of mutants, which differ between runs.
      fsModuleCache: false,
      setupFiles: [...unitTests.setupFiles, 'test/mutation/mutantSwitch.ts'],
      maxWorkers: 1,
      // The mutants that a test file reaches must not depend on modules that an earlier one has loaded.
      isolate: isReachAnalysis,
      bail: isReachAnalysis ? 0 : 1,
      // A test that tries mutants runs again with the next one.
      retry: { count: 10_000, condition: /^Run this test again$/ },
      // With a mutant, a test may wait forever.
      testTimeout: 60_000,
      reporters: [{}],
      silent: true,
      sequence: {
        sequencer: class {
          shard<File>(files: File[]): File[] {
            return files;
          }
          sort<File>(files: File[]): File[] {
            return files;
          }
        },
      },
    },
    {
      logLevel: 'silent',
      plugins: [
        {
          name: 'mutants',
          enforce: 'pre',
          transform: (_source: string, id: string) => {
            const code = codeWithSwitches.get(relative(projectRoot, id));
            return code === undefined ? undefined : { code, map: null };
          },
        },
      ],
    },
  );
  const project = vitest.getRootProject();
  process.on('disconnect', () => process.exit());
  process.on('message', (request: RunRequest) => {
    const run = async (): Promise<RunResult> => {
      project.provide('mutant', request.mutant);
      project.provide('maxSteps', request.maxSteps);
      project.provide('candidates', request.candidates);
      project.provide('maxTrialMs', request.maxTrialMs);
      project.provide('reachedOutside', request.reachedOutside);
      const specifications = request.tests.map(({ file, testIds }) =>
        project.createSpecification(join(projectRoot, file), testIds && { testIds: [...testIds] }),
      );
      // Otherwise, tests that do not run now would keep their results with an earlier mutant.
      vitest.state.filesMap.clear();
      vitest.state.idMap.clear();
      const { testModules, unhandledErrors } = await vitest.runTestSpecifications(specifications);
      return {
        didPass: unhandledErrors.length === 0 && testModules.every((module) => module.ok()),
        files: request.mutant === undefined ? testModules.map(describeReach) : [],
      };
    };
    void run().then((result) => process.send?.(result));
  });
  process.send?.('ready');
}

const [mode, ...sourceFiles] = process.argv.slice(2);
await startRunner(sourceFiles, mode === 'reach');
