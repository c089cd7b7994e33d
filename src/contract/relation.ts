import * as z from 'zod';
import { id, optional } from './values.ts';

/** One end of a relation: the oids of a column and of what holds it (spec, "Relation"). */
export const relationColumnSchema = z.looseObject({ dataset: id, table: id, column: id });
export type RelationColumn = z.infer<typeof relationColumnSchema>;

/** A relation as the platform answers it. Its further fields are not shown. */
export const relationSchema = z.looseObject({
  oid: id,
  columns: optional(z.array(relationColumnSchema)),
});
export type Relation = z.infer<typeof relationSchema>;

/** Columns in a Relation: at least 2 (spec, "Limits" and errors 2). */
export const minRelationColumns = 2;

/** Body of POST and PATCH: the complete columns array; on PATCH, columns not sent are removed (spec, rule 3). */
export const relationInputSchema = z.looseObject({
  columns: z.array(relationColumnSchema).min(minRelationColumns),
});
export type RelationInput = z.input<typeof relationInputSchema>;
