import { ApiError } from '../../client/errors.ts';
import type { Write } from '../model/operation.ts';
import type { Plan } from '../model/plan.ts';
import { isRuleWrite } from '../rules/ruleAction.ts';
import type { RunOptions } from './runOptions.ts';

/** Which plans a user reviews before they're sent, apart from those that delete or break something. */
export type ReviewOptions = Pick<RunOptions, 'alwaysReview' | 'reviewsGains'>;

/** Returns whether a plan may need a review, as far as that shows without reading who has access. */
export const mayNeedReview = (
  { severity, operation: { writes } }: Pick<Plan, 'severity' | 'operation'>,
  { alwaysReview = false, reviewsGains = false }: ReviewOptions,
): boolean => severity !== 'harmless' || alwaysReview || (reviewsGains && writes.some(canGiveAccess));

/** Returns whether a user has to review a plan before it's sent. Reads who has access if that decides. */
export const needsReview = async (plan: Plan, options: ReviewOptions): Promise<boolean> =>
  mayNeedReview(plan, { ...options, reviewsGains: false }) ||
  (mayNeedReview(plan, options) && (await givesAccess(plan)));

/** Returns whether a write can give someone access without deleting anything: it changes rules or relations. */
const canGiveAccess = (write: Pick<Write, 'endpoint'>): boolean =>
  isRuleWrite(write) || write.endpoint === 'relations.create' || write.endpoint === 'relations.update';

/** Returns whether anyone gains access by a plan, or may gain it; true if that can't be computed. */
async function givesAccess(plan: Pick<Plan, 'loadAccess'>): Promise<boolean> {
  try {
    const { subjects = [], viewpoints = [] } = (await plan.loadAccess()) ?? {};
    return (
      subjects.some(
        ({ difference: { rows, otherPartyCount, hasMoreCombinations }, hasUnreadableTables = false }) =>
          hasUnreadableTables ||
          hasMoreCombinations ||
          otherPartyCount > 0 ||
          rows.some(({ effect }) => effect !== 'loses'),
      ) || viewpoints.some(({ differences }) => differences.some(({ effect }) => effect !== 'loses'))
    );
  } catch (error) {
    if (error instanceof ApiError) {
      return true;
    }
    throw error;
  }
}
