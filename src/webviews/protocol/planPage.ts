import * as z from 'zod';

/** An item of a plan. The texts are localized by the host. */
export interface PlanItem {
  /** The name of a codicon. */
  readonly icon: string;
  readonly text: string;
  readonly detail?: string;
  /** Set if the item can be opened: the number to send in the `open` message. */
  readonly link?: number;
}

export interface PlanSection {
  readonly title: string;
  readonly tone: 'plain' | 'warning' | 'error';
  /** The total number of items. If only some are listed, the last one says how many are not. */
  readonly count: number;
  readonly items: readonly PlanItem[];
}

/** The content of the Review Changes page. */
export interface PlanView {
  readonly title: string;
  readonly tone: 'info' | 'warning' | 'error';
  /** A sentence below the title that summarizes the plan. */
  readonly summary: string;
  readonly sections: readonly PlanSection[];
  /** The label of the button that applies the plan. */
  readonly applyLabel: string;
  /** Set if a name must be typed before the plan can be applied, as for a production instance. */
  readonly confirmation?: { readonly prompt: string; readonly name: string };
}

/** Messages from the host to the page of a plan. */
export type ToPlanPage =
  | { readonly type: 'plan'; readonly view: PlanView; readonly note?: string }
  | { readonly type: 'busy' };

/** Messages from the page of a plan to the host. */
export const fromPlanPageSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('ready') }),
  z.object({ type: z.literal('open'), link: z.int().nonnegative() }),
  z.object({ type: z.literal('apply') }),
  z.object({ type: z.literal('cancel') }),
]);
export type FromPlanPage = z.infer<typeof fromPlanPageSchema>;
