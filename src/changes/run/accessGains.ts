import { ApiError } from '../../client/errors.ts';
import type { Write } from '../model/operation.ts';
import type { Plan } from '../model/plan.ts';
import { isRuleWrite } from '../rules/ruleAction.ts';

/** Returns whether a write can give someone access without deleting anything: it changes rules or relations. */
export const canGiveAccess = (write: Pick<Write, 'endpoint'>): boolean =>
  isRuleWrite(write) || write.endpoint === 'relations.create' || write.endpoint === 'relations.update';

/** Returns whether anyone gains access by a plan, or may gain it; true if that can't be computed. */
export async function givesAccess(plan: Pick<Plan, 'loadAccess'>): Promise<boolean> {
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
