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

/** A changed cell: its party, its column, the new value, and the server's value when the user began. */
const cellSchema = z.object({
  party: partySchema,
  column: columnSchema,
  value: z.array(valueSetSchema),
  was: z.string(),
});
export type MatrixCellChange = z.infer<typeof cellSchema>;

/** The unsent changes, as kept while no page shows them. */
export const persistedDraftSchema = z.object({
  cells: z.array(cellSchema),
  parties: z.array(partySchema.extend({ name: z.string() })),
  columns: z.array(columnSchema),
});
export type PersistedDraft = z.infer<typeof persistedDraftSchema>;

/** Messages from the host to the matrix page: those for the Effective Access page, and more. */
export type ToMatrix =
  | ToAccess
  /** Unsent changes of an earlier page for the same rules; sent before the first data. */
  | { readonly type: 'draft'; readonly draft: PersistedDraft }
  /** The result of the last `apply`; for `conflict`, the differing data was sent before. */
  | {
      readonly type: 'outcome';
      readonly outcome: 'applied' | 'cancelled' | 'conflict' | 'failed';
      readonly message?: string;
    };

/** Messages from the matrix page to its host. */
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
