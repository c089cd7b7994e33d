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

/**
 * A changed cell: its party, its column, its new value, and the value that it had on the server or in the files when
 * the user changed it (`was`).
 */
const cellSchema = z.object({
  party: partySchema,
  column: columnSchema,
  value: z.array(valueSetSchema),
  was: z.string(),
});
export type MatrixCellChange = z.infer<typeof cellSchema>;

/** The changes that have not been applied, as stored while the page is closed; with the added parties and columns. */
export const persistedDraftSchema = z.object({
  cells: z.array(cellSchema),
  parties: z.array(partySchema.extend({ name: z.string() })),
  columns: z.array(columnSchema),
});
export type PersistedDraft = z.infer<typeof persistedDraftSchema>;

/** Messages from the host to the matrix page. */
export type MatrixHostMessage =
  | ToAccess
  /** Changes that an earlier page for the same rules did not apply; sent before the first `data`. */
  | { readonly type: 'draft'; readonly draft: PersistedDraft }
  /**
   * Whether the rules can be changed. With a `reason`, they can't, and the grid is read-only. With `canRetry`, the
   * reason may no longer apply, so the page offers to make the grid editable again.
   */
  | { readonly type: 'readOnly'; readonly reason?: string; readonly canRetry?: true }
  /** Asks for `apply`, like a click on the button. */
  | { readonly type: 'applyRequested' }
  /** The result of the last `apply`. In case of a `conflict`, the changed rules were sent before, as `data`. */
  | {
      readonly type: 'outcome';
      readonly outcome: 'applied' | 'cancelled' | 'conflict' | 'failed';
      readonly message?: string;
    };

/** Messages from the matrix page to the host. */
export const fromMatrixSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('ready') }),
  z.object({ type: z.literal('reload') }),
  findPartySchema,
  z.object({ type: z.literal('openAccess') }),
  /** Opens the rules of a column as JSON; those of all columns if `column` is absent. */
  z.object({ type: z.literal('openRules'), column: columnSchema.optional() }),
  /** Makes a read-only grid editable again, if it `canRetry`. */
  z.object({ type: z.literal('retryEditing') }),
  z.object({ type: z.literal('draft'), draft: persistedDraftSchema }),
  z.object({ type: z.literal('apply'), cells: z.array(cellSchema) }),
]);
export type MatrixPageMessage = z.infer<typeof fromMatrixSchema>;
