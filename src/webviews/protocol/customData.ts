import * as z from 'zod';

/** One of the objects that a change is about, as JSON before and after it. */
export interface ChangeSample {
  readonly before: string;
  /** Absent for one that is deleted. */
  readonly after?: string;
}

/** What the host says to the page of custom data. */
export type ToCustomData =
  /** Whose custom data it is; the page keeps the id, so that its tab can be brought back after a reload. */
  | { readonly type: 'title'; readonly connection: string; readonly connectionId: string }
  | { readonly type: 'loading' }
  /** The objects that match, as the server answered them: JSON text, so that no number is lost. */
  | { readonly type: 'objects'; readonly filter: string; readonly text: string }
  | { readonly type: 'failed'; readonly message: string }
  /** What a change would reach at this moment. */
  | {
      readonly type: 'question';
      readonly action: 'change' | 'delete';
      readonly filter: string;
      /** Others match than when it was asked before. */
      readonly isAnew: boolean;
      readonly count: number;
      readonly sample: readonly ChangeSample[];
    }
  /** What was asked is not to be done. */
  | { readonly type: 'cancelled' }
  | { readonly type: 'changed'; readonly action: 'change' | 'delete' | 'undo'; readonly count: number };

const json = z.string().max(1_000_000);

/** What the page says to its host. Filters and changes are JSON text, as they were typed. */
export const fromCustomDataSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('ready') }),
  z.object({ type: z.literal('find'), filter: json }),
  /** Asks what a change would reach; nothing is changed before the answer to that. */
  z.object({
    type: z.literal('ask'),
    action: z.enum(['change', 'delete']),
    filter: json,
    change: json.optional(),
  }),
  z.object({ type: z.literal('answer'), isWanted: z.boolean() }),
  z.object({ type: z.literal('undo') }),
  z.object({ type: z.literal('add') }),
  z.object({ type: z.literal('open'), objectId: z.string().min(1), name: z.string() }),
  z.object({ type: z.literal('openAll') }),
]);
export type FromCustomData = z.infer<typeof fromCustomDataSchema>;
