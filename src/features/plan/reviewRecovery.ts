import type { PlannedRecovery } from '../../changes/run/plannedRecovery.ts';
import type { LocatedSection } from '../../platform/locatedSections.ts';
import type { PlanFeatureDeps } from './deps.ts';
import { createLossSections, describeNewIds } from './describeUndo.ts';
import { type OperationsReviewRequest, reviewOperations } from './reviewOperations.ts';

/** The end of an interrupted change to review: what finishing it, or rolling it back, would write. */
export interface RecoveryReviewRequest
  extends Pick<OperationsReviewRequest, 'title' | 'applyLabel' | 'notes' | 'warnings' | 'run'> {
  readonly planned: PlannedRecovery;
  /** What the change has written so far. Left out of the result. */
  readonly progressSections: readonly LocatedSection[];
}

/**
 * Shows on one page what ending an interrupted change would write, ends it once the user confirms, and shows the result
 * on the same page. Resolves when the result is shown, or when the user cancels.
 * @throws ApiError
 */
export const reviewRecovery = (
  deps: PlanFeatureDeps,
  { planned, progressSections, ...request }: RecoveryReviewRequest,
): Promise<void> =>
  reviewOperations(deps, {
    ...request,
    operation: planned.plan.operation,
    planned,
    leadingSections: [...createLossSections(planned.losses), ...progressSections],
    unchangedSections: [],
    footnotes: describeNewIds(planned),
  });
