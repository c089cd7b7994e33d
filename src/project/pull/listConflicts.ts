import { formatItemKey } from '../item.ts';
import type { PullConflict } from './decideUnit.ts';
import type { Decisions } from './decisions.ts';
import type { ProtectionInput } from './gainedColumns.ts';

/**
 * Lists the conflicts of all units. An item that the lock has under its former name, and that the project has under a
 * new name, is reported as renamed in the project, not as deleted.
 */
export function listConflicts(
  decisions: Decisions,
  { project, renameItem }: Pick<ProtectionInput, 'project' | 'renameItem'>,
): readonly PullConflict[] {
  const projectKeys = new Set(project.items.map(({ key }) => formatItemKey(key)));
  const isRenamed = ({ key, theirs: content }: PullConflict): boolean =>
    renameItem !== undefined &&
    content !== undefined &&
    projectKeys.has(formatItemKey(renameItem({ key, content }).key));
  return [...decisions.values()].flatMap((decision) =>
    decision.kind === 'conflict'
      ? decision.conflicts.map((conflict) =>
          conflict.reason === 'deleted-here' && isRenamed(conflict)
            ? { ...conflict, reason: 'renamed-here' as const }
            : conflict,
        )
      : [],
  );
}
