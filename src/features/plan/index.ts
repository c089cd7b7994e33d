import type { PlanNeededError, OperationReport } from '../../changes/run/writeErrors.ts';
import type { Operation } from '../../changes/model/operation.ts';
import type { PlannedAccess } from '../../changes/model/plan.ts';
import type { ApprovalToken, RunOptions } from '../../changes/run/runOptions.ts';
import type { AccessChangesView } from '../../webviews/protocol/planPage.ts';
import type { ChangedFile, PlanFeatureDeps } from './deps.ts';
import type { OperationsReviewRequest } from './reviewOperations.ts';
import type { RecoveryReviewRequest, RefusedRecovery } from './reviewRecovery.ts';
import type { UndoResult, UndoReviewRequest } from './reviewUndo.ts';

/** Performs the writes of features, and shows Review Changes first if required. */
export interface ChangeReview {
  /**
   * Performs an operation that the user requested. Returns `undefined` if the user canceled. Review Changes also lists
   * the files that the caller changes afterwards.
   * @throws ApiError, ConflictError, and an Error that reports how far an operation of several requests got
   */
  perform(
    operation: Operation,
    options?: RunOptions,
    files?: readonly ChangedFile[],
  ): Promise<OperationReport | undefined>;
  /** Shows Review Changes for a save, and calls `run` once the user confirms. The user may cancel the run. */
  review(
    planNeededError: PlanNeededError,
    run: (approval: ApprovalToken, options: Pick<RunOptions, 'signal'>) => Promise<OperationReport>,
  ): Promise<OperationReport | undefined>;
  /**
   * Shows an undo or a restore, and runs it once the user confirms. Returns `undefined` if the user canceled, and
   * `nothing` if there is nothing to undo.
   * @throws ApiError, EndedError, and an Error that reports how far the undo got
   */
  reviewUndo(request: UndoReviewRequest): Promise<UndoResult | 'nothing' | undefined>;
  /**
   * Shows the plan of several operations on one page, runs them once the user confirms, and shows the result there.
   * @throws ApiError
   */
  reviewOperations(request: OperationsReviewRequest): Promise<void>;
  /**
   * Shows what finishing an interrupted change or rolling it back would write, does so once the user confirms, and
   * shows the result on the same page.
   * @throws ApiError
   */
  reviewRecovery(request: RecoveryReviewRequest): Promise<void>;
  /** Shows why an interrupted change can't be ended, and what to do. Doesn't wait until the page is closed. */
  showRefusedRecovery(request: RefusedRecovery): Promise<void>;
  /** Describes who gains and who loses access, for a page that describes the other parts of a change itself. */
  describeAccess(access: PlannedAccess): Promise<AccessChangesView>;
}

const loadPerform = () => import('./perform.ts');

/** Creates the review. Its page and messages are loaded on first use. */
export function createChangeReview(services: Omit<PlanFeatureDeps, 'loadingPages'>): ChangeReview {
  const deps: PlanFeatureDeps = { ...services, loadingPages: new Set() };
  return {
    perform: async (operation, options, files) =>
      (await loadPerform()).perform(deps, operation, options, files),
    review: async (planNeededError, run) => (await loadPerform()).review(deps, planNeededError, run),
    reviewUndo: async (request) => (await import('./reviewUndo.ts')).reviewUndo(deps, request),
    reviewRecovery: async (request) => (await import('./reviewRecovery.ts')).reviewRecovery(deps, request),
    showRefusedRecovery: async (request) =>
      (await import('./reviewRecovery.ts')).showRefusedRecovery(deps, request),
    describeAccess: async (access) => (await import('./describeAccessView.ts')).describeAccessView(access),
    reviewOperations: async (request) =>
      (await import('./reviewOperations.ts')).reviewOperations(deps, request),
  };
}
