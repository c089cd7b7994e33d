import * as z from 'zod';

/** An item of a plan, worded by the host. */
export interface PlanItem {
  /** Name of a codicon. */
  readonly icon: string;
  readonly text: string;
  readonly detail?: string;
  /** Set if the item can be opened: the number that the page sends back for it. */
  readonly link?: number;
}

export interface PlanSection {
  readonly title: string;
  readonly tone: 'plain' | 'warning' | 'error';
  /** The number of items; the last item may stand for those that are not shown. */
  readonly count: number;
  readonly items: readonly PlanItem[];
}

/** The displayed plan. */
export interface PlanView {
  readonly title: string;
  readonly tone: 'info' | 'warning' | 'error';
  /** A summary in a sentence. */
  readonly lead: string;
  readonly sections: readonly PlanSection[];
  /** The label of the button that applies it. */
  readonly apply: string;
  /** A name that must be typed first, as on a production instance. */
  readonly typed?: { readonly prompt: string; readonly name: string };
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
