/**
 * Runs before each test file. Provides `mutantSwitch`, by which the instrumented code knows which mutant is active. In
 * some runs, one mutant is active all the time. Otherwise, each test first runs without a mutant, which records the
 * mutants that the test reaches, and then once with each of these mutants that is to be tried.
 */
import * as fc from 'fast-check';
import { afterEach, beforeEach, inject, type RunnerTestCase } from 'vitest';

declare module 'vitest' {
  interface ProvidedContext {
    /** The ID of the mutant that is active all the time, or `undefined`. */
    readonly mutant: number | undefined;
    /** The number of steps after which a test file counts as an endless loop. A step is one call of `isActive`. */
    readonly maxSteps: number;
    /** The IDs of the mutants to try. */
    readonly candidates: readonly number[];
    /** A test tries no further mutants after this time. */
    readonly maxTrialMs: number;
    /** By file, the IDs of mutants that it reaches outside of tests, as far as that is known. They are not tried. */
    readonly reachedOutside: Readonly<Record<string, readonly number[]>>;
  }

  interface TaskMeta {
    /** The IDs of the mutants that this test reached. */
    reached?: readonly number[];
    /** The IDs of the mutants that were reached outside of tests before this one, by imports and by hooks. */
    reachedBefore?: readonly number[];
    /** The time that the test took without a mutant. */
    milliseconds?: number;
    /** The number of steps since the start of the file, without those of tried mutants. */
    steps?: number;
    /** The IDs of the mutants with which this test passed. */
    passedWith?: readonly number[];
    /** The IDs of the mutants with which this test failed. */
    failedWith?: readonly number[];
  }
}

/** The message of the error that makes Vitest run a test again. */
const anotherAttemptMessage = 'Run this test again';

/** Reads the real time, even if a test has replaced the clock. */
const now = performance.now.bind(performance);

interface MutantSwitch {
  active: number | undefined;
  steps: number;
  maxSteps: number;
  reached: Set<number>;
  /** The mutants that no test has noticed yet. */
  readonly pending: Set<number>;
  readonly isActive: (id: number) => boolean;
}

declare global {
  var mutantSwitch: MutantSwitch | undefined;
}

function createSwitch(): MutantSwitch {
  const state: MutantSwitch = {
    active: inject('mutant'),
    steps: 0,
    maxSteps: inject('maxSteps'),
    reached: new Set(),
    pending: new Set(inject('candidates')),
    isActive: (id) => {
      state.steps += 1;
      if (state.active === undefined) {
        state.reached.add(id);
      }
      if (state.steps > state.maxSteps) {
        throw new Error('An endless loop');
      }
      return id === state.active;
    },
  };
  return state;
}

function takeReached(state: MutantSwitch): readonly number[] {
  const reached = [...state.reached];
  state.reached = new Set();
  return reached;
}

/** The attempts of one test: without a mutant, and with each mutant of the queue. */
interface Trial {
  readonly task: RunnerTestCase;
  readonly startedAt: number;
  /** The number of steps without a mutant. */
  steps: number;
  queue: readonly number[];
  /**
   * The mutant with which the test has just failed, until the test has run without it to find out whether the mutant
   * was the cause.
   */
  suspect: number | undefined;
  readonly passedWith: number[];
  readonly failedWith: number[];
}

/** Tries mutants in the tests of one file. */
class MutantTrials {
  readonly #state: MutantSwitch;
  readonly #reachedOutside: Set<number>;
  #fileSteps = 0;
  #isReliable = true;
  #trial: Trial | undefined;

  constructor(state: MutantSwitch, reachedOutside: readonly number[]) {
    this.#state = state;
    this.#reachedOutside = new Set(reachedOutside);
  }

  startAttempt(task: RunnerTestCase): void {
    const state = this.#state;
    if (this.#trial?.task !== task) {
      this.#fileSteps += state.steps;
      const reachedBefore = takeReached(state);
      reachedBefore.forEach((id) => this.#reachedOutside.add(id));
      task.meta.reachedBefore = reachedBefore;
      this.#trial = {
        task,
        startedAt: now(),
        steps: 0,
        queue: [],
        suspect: undefined,
        passedWith: [],
        failedWith: [],
      };
    }
    state.steps = 0;
  }

  endAttempt(task: RunnerTestCase): void {
    const trial = this.#trial;
    if (trial === undefined) {
      return;
    }
    const hasFailed = task.result?.state === 'fail';
    if (this.#state.active !== undefined) {
      this.#addOutcome(trial, this.#state.active, hasFailed);
    } else if (trial.suspect !== undefined) {
      this.#confirmSuspect(trial, trial.suspect, hasFailed);
    } else {
      this.#recordReach(trial);
      if (hasFailed) {
        return;
      }
    }
    this.#startNext(trial);
  }

  #recordReach(trial: Trial): void {
    const state = this.#state;
    const reached = takeReached(state);
    this.#fileSteps += state.steps;
    trial.steps = state.steps;
    trial.task.meta.reached = reached;
    trial.task.meta.milliseconds = now() - trial.startedAt;
    trial.task.meta.steps = this.#fileSteps;
    trial.queue = this.#isReliable
      ? reached.filter((id) => !this.#reachedOutside.has(id) && state.pending.has(id))
      : [];
  }

  #addOutcome(trial: Trial, mutant: number, hasFailed: boolean): void {
    trial.queue = trial.queue.slice(1);
    if (hasFailed) {
      trial.suspect = mutant;
    } else {
      trial.passedWith.push(mutant);
    }
  }

  #confirmSuspect(trial: Trial, mutant: number, hasFailed: boolean): void {
    trial.suspect = undefined;
    if (hasFailed) {
      // The test fails even without a mutant: an earlier attempt has changed its state, so no other result is reliable.
      this.#isReliable = false;
      trial.queue = [];
    } else {
      trial.failedWith.push(mutant);
      this.#state.pending.delete(mutant);
    }
  }

  #startNext(trial: Trial): void {
    const state = this.#state;
    const { result } = trial.task;
    const hasTime = trial.suspect !== undefined || now() - trial.startedAt < inject('maxTrialMs');
    const isDone = trial.suspect === undefined && (trial.queue.length === 0 || !hasTime);
    state.active = isDone || trial.suspect !== undefined ? undefined : trial.queue[0];
    // A mutant may take more steps than the original code, but one that takes this many has caused an endless loop.
    state.maxSteps = state.active === undefined ? Infinity : 20 * trial.steps + 100_000;
    state.steps = 0;
    state.reached = new Set();
    if (isDone) {
      trial.task.meta.passedWith = trial.passedWith;
      trial.task.meta.failedWith = trial.failedWith;
    }
    if (result !== undefined) {
      result.state = isDone ? 'pass' : 'fail';
      if (isDone) {
        delete result.errors;
      } else {
        result.errors = [{ message: anotherAttemptMessage }];
      }
    }
  }
}

// Only whether a property test fails matters, so the failing example isn't reduced to a smaller one.
fc.configureGlobal({ ...fc.readConfigureGlobal(), endOnFailure: true });
// The modules under test are loaded once for all test files of a run, and keep the switch that they were loaded with.
const state = (globalThis.mutantSwitch ??= createSwitch());
state.steps = 0;
if (inject('mutant') === undefined) {
  const reachedOutside = inject('reachedOutside');
  let trials: MutantTrials | undefined;
  beforeEach(({ task }) => {
    trials ??= new MutantTrials(state, reachedOutside[task.file.name] ?? []);
    trials.startAttempt(task);
  });
  afterEach(({ task }) => trials?.endAttempt(task));
}
