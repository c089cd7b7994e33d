import * as z from 'zod';

/** Creates the schema of the messages from a form page. Edits and questions depend on the type of its document. */
export const createFormMessageSchema = <Edit extends z.ZodType, Question extends z.ZodType>(
  editSchema: Edit,
  questionSchema: Question,
) =>
  z.discriminatedUnion('type', [
    z.object({ type: z.literal('ready') }),
    z.object({
      type: z.literal('edit'),
      /** Counts the edits of the page. The host reports the number of the last edit that it has processed. */
      number: z.int(),
      /** Counts the external changes that the page knew of at the time of the edit or question. */
      epoch: z.int(),
      edit: editSchema,
    }),
    z.object({
      type: z.literal('showText'),
      path: z.array(z.union([z.string(), z.int()])).optional(),
    }),
    z.object({ type: z.literal('reloadModel') }),
    z.object({ type: z.literal('ask'), epoch: z.int(), question: questionSchema }),
  ]);
