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
export const findUnrestorableItems = async (entry: HistoryEntry): Promise<readonly UnrestorableItem[]> =>
  selectUnrestorableItems(await findRollBackLosses(entry));

/**
 * Finds what is different after a rollback of a change, such as the IDs of what is restored. Only writes that are known to
 * be done count.
 */
export const findRollBackLosses = async (entry: HistoryEntry): Promise<readonly Loss[]> =>
  (await createUndo(entry, [])).losses;

/** Returns the losses that leave something to do, or that can't be restored by anyone. */
export const selectUnrestorableItems = (losses: readonly Loss[]): readonly UnrestorableItem[] =>
  losses.flatMap(({ code, name }) =>
    code === 'broken' || code === 'needs-build' || code === 'column-settings' || code === 'sharing'
      ? [{ code, name }]
      : [],
  );
