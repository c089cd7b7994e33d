import * as z from 'zod';

/** One of the objects that a change affects, as JSON before and after it. */
export interface ChangeSample {
  readonly before: string;
  /** Absent if the change deletes the object. */
  readonly after?: string;
}

/** Messages from the host to the custom data page. */
export type ToCustomData =
  /** The connection of the page. The page persists the ID, so that its tab can be restored after a reload. */
  | { readonly type: 'title'; readonly connection: string; readonly connectionId: string }
  | { readonly type: 'loading' }
  /** The server's response with the matching objects, as JSON text, so that large numbers keep all digits. */
  | { readonly type: 'objects'; readonly filter: string; readonly text: string }
  | { readonly type: 'failed'; readonly message: string }
  /** Asks the user to confirm a change, and shows its current effect. */
  | {
      readonly type: 'question';
      readonly action: 'change' | 'delete';
      readonly filter: string;
      /** True if the user is asked again, because the matching objects have changed since the first question. */
      readonly isRepeated: boolean;
      readonly count: number;
      readonly sample: readonly ChangeSample[];
    }
  /** The requested change was canceled. */
  | { readonly type: 'cancelled' }
  | { readonly type: 'changed'; readonly action: 'change' | 'delete' | 'undo'; readonly count: number };

const jsonTextSchema = z.string().max(1_000_000);

/** Messages from the custom data page to the host. Filters and changes are JSON text, as typed. */
export const fromCustomDataSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('ready') }),
  z.object({ type: z.literal('find'), filter: jsonTextSchema }),
  /** Requests a change. The host replies with a `question`, and changes nothing before the `answer`. */
  z.object({
    type: z.literal('ask'),
    action: z.enum(['change', 'delete']),
    filter: jsonTextSchema,
    change: jsonTextSchema.optional(),
  }),
  z.object({ type: z.literal('answer'), isConfirmed: z.boolean() }),
  z.object({ type: z.literal('undo') }),
  z.object({ type: z.literal('add') }),
  z.object({ type: z.literal('open'), objectId: z.string().min(1), name: z.string() }),
  z.object({ type: z.literal('openAll') }),
]);
export type FromCustomData = z.infer<typeof fromCustomDataSchema>;
