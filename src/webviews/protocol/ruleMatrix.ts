import * as z from 'zod';
import { partyTypes } from '../../contract/terms.ts';
import { findPartySchema, type ToAccess } from './access.ts';

const partySchema = z.object({ type: z.enum(partyTypes), id: z.string().min(1).optional() });
const columnSchema = z.object({
  table: z.string().min(1),
  column: z.string().min(1),
  datatype: z.enum(['text', 'numeric']),
});
const valueSetSchema = z.object({ kind: z.enum(['only', 'except']), values: z.array(z.string()) });

/** A cell that was changed: whose, of which column, what it says now, and what it said when the person began. */
const cellSchema = z.object({
  party: partySchema,
  column: columnSchema,
  value: z.array(valueSetSchema),
  was: z.string(),
});
export type MatrixCellChange = z.infer<typeof cellSchema>;

/** What is not yet sent, as it is kept while no page shows it. */
export const persistedDraftSchema = z.object({
  cells: z.array(cellSchema),
  parties: z.array(partySchema.extend({ name: z.string() })),
  columns: z.array(columnSchema),
});
export type PersistedDraft = z.infer<typeof persistedDraftSchema>;

/** What the host says to the page of the matrix: what it says to the page that tells who sees what, and more. */
export type ToMatrix =
  | ToAccess
  /** What an earlier page of the same rules left unsent; before the first data. */
  | { readonly type: 'draft'; readonly draft: PersistedDraft }
  /** How the last `apply` ended; with `conflict`, data that says otherwise came before. */
  | {
      readonly type: 'outcome';
      readonly outcome: 'applied' | 'cancelled' | 'conflict' | 'failed';
      readonly message?: string;
    };

/** What the page of the matrix says to its host. */
export const fromMatrixSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('ready') }),
  z.object({ type: z.literal('reload') }),
  findPartySchema,
  z.object({ type: z.literal('openAccess') }),
  /** Opens the rules of a column as JSON, or all. */
  z.object({ type: z.literal('openRules'), of: columnSchema.optional() }),
  z.object({ type: z.literal('draft'), draft: persistedDraftSchema }),
  z.object({ type: z.literal('apply'), cells: z.array(cellSchema) }),
]);
export type FromMatrix = z.infer<typeof fromMatrixSchema>;
