import * as z from 'zod';

/** Reads what the page of a form says; `edit` reads its edits. */
export const fromFormSchema = <Edit extends z.ZodType>(edit: Edit) =>
  z.discriminatedUnion('type', [
    z.object({ type: z.literal('ready') }),
    z.object({ type: z.literal('edit'), number: z.int(), epoch: z.int(), edit }),
    z.object({
      type: z.literal('showText'),
      path: z.array(z.union([z.string(), z.int()])).optional(),
    }),
    z.object({ type: z.literal('pickDatamodel') }),
    z.object({ type: z.literal('reloadModel') }),
    z.object({ type: z.literal('findGroup') }),
  ]);
