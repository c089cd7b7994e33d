import * as z from 'zod';
import { columnFlags, shareLists, type ViewpointEdit } from './viewpointEdit.ts';

const indexSchema = z.int().min(0);
const indexesSchema = z.array(indexSchema);
const complexValueSchema = z.union([z.record(z.string(), z.unknown()), z.array(z.unknown()), z.null()]);
const newColumnSchema = z.strictObject({
  table: z.string(),
  column: z.string(),
  dim: z.string(),
  datatype: z.string(),
  title: z.string(),
});

/** Validates an edit received from a webview. */
export const viewpointEditSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('text'), key: z.enum(['name', 'description']), value: z.string() }),
  z.strictObject({ kind: z.literal('published'), value: z.boolean() }),
  z.strictObject({
    kind: z.literal('datasource'),
    value: z.strictObject({
      id: z.string().optional(),
      title: z.string(),
      fullname: z.string(),
      modelType: z.string().optional(),
    }),
  }),
  z.strictObject({ kind: z.literal('share'), list: z.enum(shareLists), values: z.array(z.string()) }),
  z.strictObject({
    kind: z.literal('addColumns'),
    insertIndex: indexSchema,
    columns: z.array(newColumnSchema),
  }),
  z.strictObject({ kind: z.literal('removeColumns'), columns: indexesSchema }),
  z.strictObject({ kind: z.literal('moveColumns'), columns: indexesSchema, insertIndex: indexSchema }),
  z.strictObject({
    kind: z.literal('columnText'),
    columns: indexesSchema,
    key: z.enum(['title', 'datatype', 'agg', 'level', 'sort']),
    value: z.string(),
  }),
  z.strictObject({
    kind: z.literal('flag'),
    columns: indexesSchema,
    flag: z.enum(columnFlags),
    value: z.boolean(),
  }),
  z.strictObject({
    kind: z.literal('columnPart'),
    columns: indexesSchema,
    key: z.enum(['filter', 'format']),
    value: complexValueSchema,
  }),
]) satisfies z.ZodType<ViewpointEdit>;
