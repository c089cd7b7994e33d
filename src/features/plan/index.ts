import type { PlanNeededError, OperationReport } from '../../changes/run/problems.ts';
import type { Operation } from '../../changes/model/operation.ts';
import type { ApprovalToken, RunOptions } from '../../changes/run/runOptions.ts';
import type { PlanFeatureDeps } from './deps.ts';

/** How features write: with the plan in between, where one is needed. */
export interface Performer {
  /**
   * Carries out what a person asked for. `undefined` when they gave up.
   * @throws ApiError, ConflictError, and an Error that tells how far an operation of several requests came
   */
  perform(operation: Operation, options?: RunOptions): Promise<OperationReport | undefined>;
  /** Shows a plan that a save needs, and does what `run` does once the person wants it. */
  review(
    needed: PlanNeededError,
    run: (approval: ApprovalToken) => Promise<OperationReport>,
  ): Promise<OperationReport | undefined>;
}

const loadPerform = () => import('./perform.ts');

/** The plan before each write that deletes or breaks something; its page and words are loaded with the first. */
export const createPerformer = (deps: PlanFeatureDeps): Performer => ({
  perform: async (operation, options) => (await loadPerform()).perform(deps, operation, options),
  review: async (needed, run) => (await loadPerform()).review(deps, needed, run),
});
