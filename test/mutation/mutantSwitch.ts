/**
 * Runs before each test file. Provides `mutantSwitch`, which the instrumented code asks which mutant is active; without
 * an active one, records which mutants each test reaches.
 */
import { afterEach, beforeEach, inject } from 'vitest';

declare module 'vitest' {
  interface ProvidedContext {
    /** The ID of the active mutant, or `undefined` to record which ones are reached. */
    readonly mutant: number | undefined;
    /** The number of steps after which a test file counts as an endless loop. A step is one call of `isActive`. */
    readonly maxSteps: number;
  }

  interface TaskMeta {
    /** The IDs of the mutants that this test reached. */
    reached?: readonly number[];
    /** The IDs of the mutants that were reached outside of tests before this one, by imports and by hooks. */
    reachedBefore?: readonly number[];
    /** The number of steps since the start of the file. */
    steps?: number;
  }
}

interface MutantSwitch {
  steps: number;
  reached: Set<number>;
  readonly isActive: (id: number) => boolean;
}

declare global {
  var mutantSwitch: MutantSwitch | undefined;
}

function createSwitch(): MutantSwitch {
  const active = inject('mutant');
  const maxSteps = inject('maxSteps');
  const state: MutantSwitch = {
    steps: 0,
    reached: new Set(),
    isActive: (id) => {
      state.steps += 1;
      if (active === undefined) {
        state.reached.add(id);
      } else if (state.steps > maxSteps) {
        throw new Error('An endless loop');
      }
      return id === active;
    },
  };
  return state;
}

function takeReached(state: MutantSwitch): readonly number[] {
  const reached = [...state.reached];
  state.reached = new Set();
  return reached;
}

// The modules under test are loaded once for all test files of a run, and keep the switch that they were loaded with.
const state = (globalThis.mutantSwitch ??= createSwitch());
state.steps = 0;
if (inject('mutant') === undefined) {
  beforeEach(({ task }) => {
    task.meta.reachedBefore = takeReached(state);
  });
  afterEach(({ task }) => {
    task.meta.reached = takeReached(state);
    task.meta.steps = state.steps;
  });
}
