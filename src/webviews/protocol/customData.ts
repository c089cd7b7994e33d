import * as z from 'zod';

/** One of the objects that a change affects, as JSON before and after it. */
export interface ChangeSample {
  readonly before: string;
  /** Absent for one that is deleted. */
  readonly after?: string;
}

/** Messages from the host to the custom data page. */
export type ToCustomData =
  /** The owner of the custom data; the page keeps the ID, so that its tab can be restored after a reload. */
  | { readonly type: 'title'; readonly connection: string; readonly connectionId: string }
  | { readonly type: 'loading' }
  /** The matching objects in the server's response: JSON text, so that no number loses digits. */
  | { readonly type: 'objects'; readonly filter: string; readonly text: string }
  | { readonly type: 'failed'; readonly message: string }
  /** The current effect of a change. */
  | {
      readonly type: 'question';
      readonly action: 'change' | 'delete';
      readonly filter: string;
      /** The matching objects differ from those of the previous request. */
      readonly isRepeat: boolean;
      readonly count: number;
      readonly sample: readonly ChangeSample[];
    }
  /** The requested change is not to be made. */
  | { readonly type: 'cancelled' }
  | { readonly type: 'changed'; readonly action: 'change' | 'delete' | 'undo'; readonly count: number };

const json = z.string().max(1_000_000);

/** Messages from the page to its host. Filters and changes are JSON text, as typed. */
export const fromCustomDataSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('ready') }),
  z.object({ type: z.literal('find'), filter: json }),
  /** Requests the effect of a change; nothing is changed before that is answered. */
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
