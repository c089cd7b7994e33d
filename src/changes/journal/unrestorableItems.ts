import type { Loss } from '../model/inverseWrites.ts';
import type { HistoryEntry } from './entry.ts';
import { createUndo } from './undo.ts';

/**
 * What a rollback can't restore: a relation that had lost a column already, or what needs columns of a custom table, which
 * only a build creates, or sharing that no request can set. If only the settings of a column are lost, such as whether it's hidden, `name` is that column.
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
  return losses.flatMap(({ code, name }) =>
    code === 'broken' || code === 'needs-build' || code === 'column-settings' || code === 'sharing'
      ? [{ code, name }]
      : [],
  );
}
