import type { PlanNeededError, Report } from '../../changes/run/problems.ts';
import type { Operation } from '../../changes/model/operation.ts';
import type { Permit, RunOptions } from '../../changes/run/runOptions.ts';
import type { PlanFeatureDeps } from './deps.ts';

/** How features write: with the plan in between, where one is needed. */
export interface Performer {
  /**
   * Carries out what a person asked for. `undefined` when they gave up.
   * @throws ApiError, ConflictError, and an Error that tells how far an operation of several requests came
   */
  perform(operation: Operation, options?: RunOptions): Promise<Report | undefined>;
  /** Shows a plan that a save needs, and does what `run` does once the person wants it. */
  review(needed: PlanNeededError, run: (permit: Permit) => Promise<Report>): Promise<Report | undefined>;
}

const load = () => import('./perform.ts');

/** The plan before each write that deletes or breaks something; its page and words are loaded with the first. */
export const performer = (deps: PlanFeatureDeps): Performer => ({
  perform: async (operation, options) => (await load()).perform(deps, operation, options),
  review: async (needed, run) => (await load()).review(deps, needed, run),
});
