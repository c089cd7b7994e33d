import type { Loss } from '../model/inverseWrites.ts';
import type { HistoryEntry } from './entry.ts';
import { createUndo } from './undo.ts';

/**
 * What a rollback can't restore. `broken`: a relation that had lost a column already. `needs-build`: an item that needs
 * columns of a custom table, which only a build creates. `column-settings`: the settings of such a column, for example
 * whether it's hidden; `name` is that column. `sharing`: a sharing that no request can set.
 */
export interface UnrestorableItem extends Loss {
  readonly code: 'broken' | 'needs-build' | 'column-settings' | 'sharing';
}

/**
 * Finds what a rollback of a change can't restore. Only writes that are known to be done count: after a rollback, the
 * journal must be read again, since it verifies the last write.
 */
export async function findUnrestorableItems(entry: HistoryEntry): Promise<readonly UnrestorableItem[]> {
  const { losses } = await createUndo(entry, []);
  return selectUnrestorableItems(losses);
}

/** Selects what must be restored later, or never can be, from what an undo loses. */
export const selectUnrestorableItems = (losses: readonly Loss[]): readonly UnrestorableItem[] =>
  losses.flatMap(({ code, name }) =>
    code === 'broken' || code === 'needs-build' || code === 'column-settings' || code === 'sharing'
      ? [{ code, name }]
      : [],
  );
