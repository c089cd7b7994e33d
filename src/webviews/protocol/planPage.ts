import * as z from 'zod';

/** One thing that a plan speaks of, worded by the host. */
export interface PlanItem {
  /** Name of a codicon. */
  readonly icon: string;
  readonly text: string;
  readonly detail?: string;
  /** Set where the thing can be opened: what the page sends back for it. */
  readonly link?: number;
}

export interface PlanSection {
  readonly title: string;
  readonly tone: 'plain' | 'warning' | 'error';
  /** How many things it speaks of; the last item may stand for those that are not shown. */
  readonly count: number;
  readonly items: readonly PlanItem[];
}

/** A plan as a person reads it. */
export interface PlanView {
  readonly title: string;
  readonly tone: 'info' | 'warning' | 'error';
  /** What it comes to, in a sentence. */
  readonly lead: string;
  readonly sections: readonly PlanSection[];
  /** What the button says that does it. */
  readonly apply: string;
  /** A name that has to be typed first, as on a production instance. */
  readonly typed?: { readonly prompt: string; readonly name: string };
}

/** What the host says to the page of a plan. */
export type ToPlanPage =
  | { readonly type: 'plan'; readonly view: PlanView; readonly note?: string }
  | { readonly type: 'busy' };

/** What the page of a plan says to the host. */
export const fromPlanPageSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('ready') }),
  z.object({ type: z.literal('open'), link: z.int().nonnegative() }),
  z.object({ type: z.literal('apply') }),
  z.object({ type: z.literal('cancel') }),
]);
export type FromPlanPage = z.infer<typeof fromPlanPageSchema>;
