import type { Operation } from '../../changes/model/operation.ts';
import type { PlannedRecovery } from '../../changes/run/plannedRecovery.ts';
import type { LocatedSection } from '../../platform/locatedSections.ts';
import type { PlanFeatureDeps } from './deps.ts';
import { createLossSections, describeNewIds } from './describeUndo.ts';
import type { AlternativePage, FollowUp } from '../../platform/followUp.ts';
import { describeTarget, type PlanLink } from './describePlan.ts';
import { openPlanSubject } from './perform.ts';
import { PlanPanel } from './planPanel.ts';
import {
  linkItems,
  type OperationsReviewRequest,
  reviewOperations,
  showAlternative,
  showUntilClosed,
} from './reviewOperations.ts';

/** How an interrupted change would be ended, for a review: what finishing the change or rolling it back would write. */
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

/** Why an interrupted change can't be ended, and what to do. */
export interface RefusedRecovery {
  /** The interrupted change. */
  readonly operation: Operation;
  readonly title: string;
  readonly reason: string;
  /** The changes by others that prevent ending the change, and how far the change got. */
  readonly sections: readonly LocatedSection[];
  readonly followUp: FollowUp;
  readonly alternative: AlternativePage;
}

/** Shows on a page why an interrupted change can't be ended, and what to do. Doesn't wait until the page is closed. */
export function showRefusedRecovery(
  deps: PlanFeatureDeps,
  { operation, title, reason, sections, followUp, alternative }: RefusedRecovery,
): void {
  const { connectionId } = operation;
  const panel: PlanPanel = new PlanPanel(
    {
      ...deps,
      connectionId,
      open: (subject) => void openPlanSubject(connectionId, subject),
      onAlternative: () => void showAlternative(panel, alternative, deps.log),
    },
    title,
  );
  const links: PlanLink[] = [];
  const view = {
    ...describeTarget(operation, deps.connections.find(connectionId)),
    title,
    tone: 'error',
    summary: reason,
    sections: sections.map((section) => linkItems(section, links)),
    applyLabel: '',
    alternative: alternative.label,
  } as const;
  void showUntilClosed(panel, { view, links }, () => followUp, deps.log);
}
