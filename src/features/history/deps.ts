import type { HistoryEntry } from '../../changes/journal/entry.ts';
import type { Sessions } from '../../connections/sessions.ts';
import type { Clock } from '../../base/clock.ts';
import type { Log } from '../../base/log.ts';
import type { History } from '../../changes/journal/history.ts';
import type { Operation, RequiredBuild } from '../../changes/model/operation.ts';
import type { PlannedRecovery } from '../../changes/run/plannedRecovery.ts';
import type { UndoForReview, UndoChoices } from '../../changes/run/planUndoForReview.ts';
import type { PlanHash, StoppedError } from '../../changes/run/writeErrors.ts';
import type { AlternativePage, FollowUp } from '../../platform/followUp.ts';
import type { LocatedSection } from '../../platform/locatedSections.ts';
import type { WriteAccessDeps } from '../../platform/ensureWritable.ts';
import type { ItemKey } from '../../project/item.ts';
import type { ViewVisibility } from '../../platform/viewVisibility.ts';
import type { Writer } from '../../changes/run/writer.ts';
import type { PlanView } from '../../webviews/protocol/planPage.ts';

/** How an interrupted change was ended, as its page shows it. */
export interface RecoveryResult extends Pick<PlanView, 'summary' | 'tone' | 'sections'> {
  /** After an error: whether the change may already have made data visible that only the next build hides. */
  readonly mayShowMoreUntilBuild?: boolean;
  /** Whether the summary says what might be visible until the next build. */
  readonly namesVisibleData?: boolean;
  /** What to build in addition to what the plan says. */
  readonly builds?: readonly RequiredBuild[];
  readonly followUp?: FollowUp | undefined;
  readonly alternative?: AlternativePage | undefined;
}

/** What a reviewed undo didn't restore: the names of what the user has kept, and what can't be restored. */
export interface UndoneForReview extends Pick<UndoForReview, 'losses'> {
  readonly keptNames: readonly string[];
}

/**
 * The actions on a page that shows why an interrupted change couldn't be ended: to try again, or to end the change in
 * another way.
 */
export interface RecoveryNextSteps {
  readonly followUp: FollowUp;
  readonly alternative: AlternativePage;
}

/** The dependencies for showing and undoing changes. */
export interface HistoryFeatureDeps extends WriteAccessDeps {
  /** The writer of all changes, and the history that records them; loaded on first use. */
  readonly changeServices: () => Promise<{ readonly writer: Writer; readonly history: History }>;
  readonly changeReview: {
    /**
     * Shows an undo, a restore, or a rollback, and runs it once the user confirms. If `result` describes the result,
     * the page then shows it; otherwise, it closes. Resolves to `undefined` if the user canceled or it stopped, and to
     * `nothing` if there is nothing to undo.
     */
    reviewUndo(request: {
      readonly connectionId: string;
      readonly entryId: string;
      readonly title: string;
      readonly action: 'undo' | 'restore' | 'roll-back';
      /** A sentence that is added to the summary of what is undone. */
      readonly note?: string;
      readonly computeUndo: (choices: UndoChoices) => Promise<UndoForReview>;
      readonly prepare?: () => Promise<unknown>;
      /** Called once the undo or restore is done, before the page closes. */
      readonly complete?: () => Promise<void>;
      /** What to offer if there is nothing to send. */
      readonly followUp?: FollowUp;
      readonly result?: {
        readonly describe: (undone: UndoneForReview) => Promise<RecoveryResult>;
        /** Describes how far it got. */
        readonly describeStop: (error: StoppedError) => Promise<RecoveryResult>;
      };
    }): Promise<UndoneForReview | 'nothing' | undefined>;
    /**
     * Shows what finishing an interrupted change or rolling it back would write, does so once the user confirms, and
     * shows the result on the same page.
     */
    reviewRecovery(request: {
      readonly title: string;
      readonly applyLabel: string;
      readonly planned: PlannedRecovery;
      readonly notes: readonly string[];
      /**
       * What else the user should know before the change is ended. If there is anything, the page is shown as a
       * warning.
       */
      readonly warnings: readonly string[];
      readonly progressSections: readonly LocatedSection[];
      readonly run: (planHash: PlanHash) => Promise<RecoveryResult>;
    }): Promise<void>;
    /** Shows why an interrupted change can't be ended, and what to do. Doesn't wait until the page is closed. */
    showRefusedRecovery(
      request: RecoveryNextSteps & {
        readonly operation: Operation;
        readonly title: string;
        readonly reason: string;
        /**
         * The changes by others that prevent ending the change, and how far the change got. Items may open resources.
         */
        readonly sections: readonly LocatedSection[];
      },
    ): Promise<void>;
  };
  /**
   * Records the state of the instance in the lock file of a project whose apply was undone, or was interrupted and then
   * finished, rolled back, or abandoned. Returns the items that were undone and couldn't be read; `undefined` if
   * nothing could be recorded.
   */
  readonly recordAppliedState: (entry: HistoryEntry) => Promise<readonly ItemKey[] | undefined>;
  readonly sessions: Sessions;
  /** The folder of the history; it exists once something was written. */
  readonly historyFolder: string;
  readonly shownViews: ViewVisibility;
  readonly clock: Clock;
  readonly log: Log;
}
