import { RunnerProcess } from './runnerProcess.ts';
import type { TestReachAnalysis } from './testReachAnalysis.ts';
import type { RunRequest, RunResult, TestFileReach } from './testRunner.ts';

const batchSize = 12;
/** At first, slow tests try only a few mutants, because faster tests notice most of them. */
const quickTrialMs = 3000;
const batchTimeLimitMs = 900_000;

/** Finds out which mutants the tests notice. */
export class MutationRun {
  readonly #analysis: TestReachAnalysis;
  readonly #sourceFiles: readonly string[];
  readonly #workerCount: number;
  /** The IDs of the mutants that no test has noticed yet. */
  readonly #pending: Set<number>;
  /** By mutant, the IDs of the tests that have passed with it. */
  readonly #passedTests = new Map<number, Set<string>>();

  constructor(
    analysis: TestReachAnalysis,
    sourceFiles: readonly string[],
    ids: readonly number[],
    workerCount: number,
  ) {
    this.#analysis = analysis;
    this.#sourceFiles = sourceFiles;
    this.#workerCount = workerCount;
    this.#pending = new Set(ids);
  }

  /**
   * Returns the IDs of the mutants that no test notices.
   * @param isQuick true to leave out what takes long: mutants may then be noticed by slow tests, or while tests are loaded
   * @param report called with the number of mutants that are still to be noticed, after each part of the run
   */
  async run(isQuick: boolean, report: (pendingCount: number) => void): Promise<readonly number[]> {
    const { unknownFiles, knownFiles } = this.#analysis;
    await this.#tryAll(unknownFiles, 'reach', quickTrialMs, report);
    await this.#tryAll(knownFiles, 'mutants', quickTrialMs, report);
    if (!isQuick) {
      await this.#tryAll(this.#analysis.knownFiles, 'mutants', Infinity, report);
      await this.#runEach([...this.#pending], report);
    }
    return [...this.#pending];
  }

  /** Runs test files batch by batch; each test tries the pending mutants that it reaches. */
  async #tryAll(
    allFiles: readonly string[],
    mode: 'reach' | 'mutants',
    maxTrialMs: number,
    report: (count: number) => void,
  ): Promise<void> {
    const files = [...allFiles];
    await this.#repeatInProcesses(mode, async (runner) => {
      const batch = files.splice(0, maxTrialMs === Infinity ? 1 : batchSize);
      const request = {
        ...(mode === 'reach' ? this.#createRequestForAll(batch) : this.#createRequestForReaching(batch)),
        maxTrialMs,
      };
      if (request.tests.length > 0) {
        const result = await runner.run(request, batchTimeLimitMs);
        await this.#addResult(batch, mode, result);
        report(this.#pending.size);
      }
      return files.length > 0;
    });
  }

  async #addResult(
    batch: readonly string[],
    mode: 'reach' | 'mutants',
    result: RunResult | undefined,
  ): Promise<void> {
    if (mode === 'mutants') {
      this.#addOutcomes(result?.files ?? []);
    } else if (result === undefined) {
      await this.#analyze(batch);
    } else {
      requirePassed(result.files);
      this.#analysis.add(result.files);
      this.#addOutcomes(result.files);
    }
  }

  /** Finds out which mutants a batch reaches, after a mutant has ended the process. */
  async #analyze(batch: readonly string[]): Promise<void> {
    await using runner = new RunnerProcess('reach', this.#sourceFiles);
    const result = await runner.run(
      { ...this.#createRequestForAll(batch), candidates: [] },
      batchTimeLimitMs,
    );
    if (result === undefined) {
      throw new Error(`Tests take too long without a change: ${batch.join(', ')}`);
    }
    requirePassed(result.files);
    this.#analysis.add(result.files);
  }

  #addOutcomes(files: readonly TestFileReach[]): void {
    for (const { id, passedWith, failedWith } of files.flatMap(({ tests }) => tests)) {
      failedWith.forEach((mutant) => this.#pending.delete(mutant));
      for (const mutant of passedWith) {
        const passedTests = this.#passedTests.get(mutant) ?? new Set();
        this.#passedTests.set(mutant, passedTests.add(id));
      }
    }
  }

  #createRequestForAll(files: readonly string[]): RunRequest {
    return {
      mutant: undefined,
      maxSteps: Infinity,
      maxTrialMs: 0,
      candidates: [...this.#pending],
      reachedOutside: {},
      tests: files.map((file) => ({ file })),
    };
  }

  #createRequestForReaching(files: readonly string[]): RunRequest {
    const found = files
      .map((file) => ({ file, ...this.#analysis.findTestsIn(file, this.#pending, this.#passedTests) }))
      .filter(({ testIds }) => testIds.length > 0);
    return {
      mutant: undefined,
      maxSteps: Infinity,
      maxTrialMs: 0,
      candidates: [...this.#pending],
      reachedOutside: Object.fromEntries(found.map(({ file, reachedOutside }) => [file, reachedOutside])),
      tests: found.map(({ file, testIds }) => ({ file, testIds })),
    };
  }

  /** Runs the tests that have not tried a mutant, because they reach it while they are loaded. */
  async #runEach(ids: number[], report: (count: number) => void): Promise<void> {
    await this.#repeatInProcesses('mutants', async (runner) => {
      const [id] = ids.splice(0, 1);
      if (id !== undefined && (await this.#isNoticed(id, runner))) {
        this.#pending.delete(id);
        report(this.#pending.size);
      }
      return ids.length > 0;
    });
  }

  async #isNoticed(id: number, runner: RunnerProcess): Promise<boolean> {
    const { tests, milliseconds, steps } = this.#analysis.findTests(id, this.#passedTests.get(id));
    if (tests.length === 0) {
      return false;
    }
    // A mutant may take more steps than the original code, but one that takes this many has caused an endless loop.
    const maxSteps = 20 * steps + 1_000_000;
    const request = { mutant: id, maxSteps, maxTrialMs: 0, candidates: [], reachedOutside: {}, tests };
    const result = await runner.run(request, Math.ceil(60_000 + 10 * milliseconds));
    return result?.didPass !== true;
  }

  /** Repeats a task in several processes; each stops when the task returns false. */
  async #repeatInProcesses(
    mode: 'reach' | 'mutants',
    task: (runner: RunnerProcess) => Promise<boolean>,
  ): Promise<void> {
    const run = async (): Promise<void> => {
      await using runner = new RunnerProcess(mode, this.#sourceFiles);
      let isUnfinished = true;
      while (isUnfinished) {
        isUnfinished = await task(runner);
      }
    };
    await Promise.all(Array.from({ length: this.#workerCount }, run));
  }
}

function requirePassed(files: readonly TestFileReach[]): void {
  const failed = files.filter(({ didPass }) => !didPass).map(({ file }) => file);
  if (failed.length > 0) {
    throw new Error(`Tests fail without a change: ${failed.join(', ')}`);
  }
}
