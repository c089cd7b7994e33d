/** Runs before each test file: says which change is active, and notes which changes each test reaches. */
import { afterEach, beforeEach, inject } from 'vitest';

declare module 'vitest' {
  interface ProvidedContext {
    /** The active change, or `undefined` to note which ones are reached. */
    readonly mutant: number | undefined;
    /** The number of steps after which a test file is in an endless loop. A step is a decision that can be changed. */
    readonly maxSteps: number;
  }

  interface TaskMeta {
    /** The changes that this test reached. */
    reached?: readonly number[];
    /** The changes that were reached before this test, outside of tests: by imports and by preparations. */
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
