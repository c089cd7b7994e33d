import * as z from 'zod';
import type { DiffLine } from '../../base/lineDiff.ts';

/** A text that changes, line by line. */
export interface PlanDiff {
  /** The name of the field. */
  readonly label: string;
  readonly lines: readonly DiffLine[];
  /** Says how many lines are left out, if there are too many. */
  readonly omission?: string;
}

/** An item of a plan. The texts are localized by the host. */
export interface PlanItem {
  /** The name of a codicon. */
  readonly icon: string;
  readonly text: string;
  readonly detail?: string;
  readonly diffs?: readonly PlanDiff[];
  /** Set if the item can be opened: the number to send in the `open` message. */
  readonly link?: number;
}

export interface PlanSection {
  readonly title: string;
  readonly tone: 'plain' | 'warning' | 'error';
  /** The total number of items. If only some are listed, the last item contains the number of the others. */
  readonly count: number;
  readonly items: readonly PlanItem[];
}

/** Who gains and who loses access by a change, gains first. */
export interface AccessChangesView {
  readonly summary: string;
  readonly sections: readonly PlanSection[];
}

/** A change that was made after the one to undo. The user decides whether to keep or to overwrite it. */
export interface PlanLaterChange {
  /** The name of a codicon. */
  readonly icon: string;
  readonly text: string;
  readonly location?: string;
  /** What was changed, line by line: before and now. */
  readonly lines: readonly string[];
  /** False if there is nothing to decide: the undo doesn't affect this change. */
  readonly canOverwrite: boolean;
  /** True if the item is deleted unless it is kept. */
  readonly isDeletion?: boolean;
  readonly isOverwritten: boolean;
}

/** A restored item whose name is in use, and the name that it gets instead. */
export interface PlanNewName {
  /** The message that the original name is in use. */
  readonly label: string;
  readonly name: string;
  /** The reason why `name` can't be used either. */
  readonly problem?: string;
}

/** The content of the Review Changes page. */
export interface PlanView {
  /** What is changed: the connection with its role, and the containers of the changed item. Shown first. */
  readonly target?: { readonly text: string; readonly isProduction: boolean };
  readonly title: string;
  readonly tone: 'info' | 'warning' | 'error';
  /** A sentence below the title that summarizes the plan. */
  readonly summary: string;
  readonly sections: readonly PlanSection[];
  /** For an undo: the changes that were made since. */
  readonly laterChanges?: readonly PlanLaterChange[];
  /** For an undo: new names of restored items. */
  readonly newNames?: readonly PlanNewName[];
  /** Notes that should not affect the user's decision. Shown last. */
  readonly footnotes?: readonly string[];
  /** True if the page shows the result of an applied plan: there is nothing left to apply. */
  readonly isResult?: boolean;
  /** The label of the button for the next step, on a page with nothing to apply. */
  readonly followUp?: string;
  /** The label of the button that shows another page in place of this one, such as a plan with deletions. */
  readonly alternative?: string;
  /** The reason why the plan can't be applied. */
  readonly blockedReason?: string;
  /** The label of the button that applies the plan. */
  readonly applyLabel: string;
  /** Set if a name must be typed before the plan can be applied, as for a production instance. */
  readonly confirmation?: { readonly prompt: string; readonly name: string };
}

/** Messages from the host to the page of a plan. */
export type ToPlanPage =
  | { readonly type: 'plan'; readonly view: PlanView; readonly note?: string }
  /**
   * The plan is being applied. `progress` is absent if it is unknown; without `cancellation`, the user can't cancel it.
   */
  | {
      readonly type: 'busy';
      /** Set while the user is asked to unlock the connection: nothing has been sent yet. */
      readonly isUnlocking?: true;
      readonly progress?: string;
      readonly cancellation?: 'possible' | 'requested';
    }
  /** The page that takes the place of this one is being loaded. The user can only close this one. */
  | { readonly type: 'loading' }
  /** The plan isn't applied, because the user hasn't unlocked the connection: it can be used again as it was. */
  | { readonly type: 'idle' };

/** Messages from the page of a plan to the host. */
export const fromPlanPageSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('ready') }),
  z.object({ type: z.literal('open'), link: z.int().nonnegative() }),
  z.object({ type: z.literal('apply') }),
  z.object({ type: z.literal('cancel') }),
  z.object({ type: z.literal('followUp') }),
  z.object({ type: z.literal('alternative') }),
  /** Whether the page has the focus now. */
  z.object({ type: z.literal('focus'), hasFocus: z.boolean() }),
  /** The user keeps or overwrites a later change, by its number. The host answers with the updated plan. */
  z.object({ type: z.literal('overwrite'), change: z.int().nonnegative(), isOverwritten: z.boolean() }),
  /** The user chooses another name for a restored item, by its number. The host answers with the updated plan. */
  z.object({ type: z.literal('rename'), item: z.int().nonnegative(), name: z.string() }),
]);
export type FromPlanPage = z.infer<typeof fromPlanPageSchema>;
