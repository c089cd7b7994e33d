import { addEffectsToHash } from '../project/plan/planHash.ts';
import { hashInstance } from '../project/pull/instanceHash.ts';
import { CommandRefusedError } from './exitCodes.ts';
import type { PlanFile } from './planFile.ts';
import type { LoadedPlan, PlanEffects } from './projectPlan.ts';
import type { ProjectTarget } from './projectTarget.ts';

/**
 * Checks that a plan file, if there is one, is for the instance and the environment of a target.
 * @throws CommandRefusedError
 */
export function checkPlanTarget(
  file: PlanFile | undefined,
  { instance, environmentName }: ProjectTarget,
): void {
  if (file === undefined) {
    return;
  }
  const { url, tenant } = file.instance;
  const isSameInstance = hashInstance({ url, tenantId: tenant }) === hashInstance(instance.connection);
  if (!isSameInstance || file.environment !== environmentName) {
    throw new CommandRefusedError(
      `The file is a plan for the environment ${file.environment} at ${url}, not for this environment.`,
    );
  }
}

/**
 * Checks that the plan of a plan file, if there is one, would still make the same changes with the same effects.
 * @throws CommandRefusedError
 */
export function requireUnchangedPlan(
  file: PlanFile | undefined,
  { prepared, hash }: LoadedPlan,
  effects: PlanEffects | undefined,
): void {
  // A plan that was applied already has another hash, but nothing left to do.
  if (
    file !== undefined &&
    prepared.comparison.changes.length > 0 &&
    file.hash !== addEffectsToHash(hash, effects?.planHash.effects)
  ) {
    throw new CommandRefusedError(
      'The plan is out of date: the project or the instance has changed since. Nothing was written. Create a new plan.',
    );
  }
}
