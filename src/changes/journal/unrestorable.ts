import type { HistoryEntry } from './entry.ts';
import { createUndo } from './undo.ts';

/** What a rollback can't restore, because it needs columns of a custom table, which only a build creates. */
export interface UnrestorableItem {
  readonly name: string;
  /** Whether only the settings of a column are lost, such as whether it's hidden. */
  readonly isColumn: boolean;
}

/**
 * Finds what a rollback of a change can't restore. Only writes that are known to be done count: after a rollback, the
 * journal must be read again, since it verifies the last write.
 */
export async function findUnrestorableItems(entry: HistoryEntry): Promise<readonly UnrestorableItem[]> {
  const { losses } = await createUndo(entry, []);
  return losses
    .filter(({ code }) => code === 'needs-build' || code === 'column-settings')
    .map(({ code, name }) => ({ name, isColumn: code === 'column-settings' }));
}
