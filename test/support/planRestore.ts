import type { HistoryEntry } from '../../src/changes/journal/entry.ts';
import type { UndoForReview } from '../../src/changes/run/planUndoForReview.ts';
import type { Writer } from '../../src/changes/run/writer.ts';

/** Plans a restore that overwrites all later changes. */
export async function planRestore(writer: Writer, entry: HistoryEntry): Promise<UndoForReview> {
  const names: ReadonlyMap<string, string> = new Map();
  const { laterChanges } = await writer.planUndoForReview(entry, 'restore', {
    overwrittenIds: new Set(),
    names,
  });
  const overwrittenIds = new Set(laterChanges.map(({ id }) => id));
  return writer.planUndoForReview(entry, 'restore', { overwrittenIds, names });
}
