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
 * Finds what a rollback of a change can't restore. Only writes that are known to be done count. A rollback first
 * verifies the last write, so read the journal again after it.
 */
export async function findUnrestorableItems(entry: HistoryEntry): Promise<readonly UnrestorableItem[]> {
  const { losses } = await createUndo(entry, []);
  return losses.flatMap(({ code, name }) =>
    code === 'broken' || code === 'needs-build' || code === 'column-settings' || code === 'sharing'
      ? [{ code, name }]
      : [],
  );
}
