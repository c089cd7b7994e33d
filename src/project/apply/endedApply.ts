import type { HistoryEntry } from '../../changes/journal/entry.ts';
import { getRestoredIds } from '../../changes/journal/translateToCurrentState.ts';
import { getUndoneIds } from '../../changes/journal/undoneEntries.ts';
import type { ProjectComparison } from '../plan/compareProject.ts';
import { type RecordedState, recordState } from './finishApply.ts';
import type { ProjectPlan } from './loadProjectPlan.ts';
import { restorePlannedItems } from './plannedItems.ts';
import { getLeftRuleKeys, getWrittenItems } from './writtenItems.ts';

/** An interrupted apply that was finished, rolled back, or abandoned. */
export interface EndedApply {
  /** Its journal, as it ended, even if the change that was finished is an undo of it. */
  readonly entry: HistoryEntry;
  /** Whether it, or an undo of it, was abandoned, so that what it has written stays. */
  readonly isAbandoned: boolean;
  /** All journals of the connection. */
  readonly entries: readonly HistoryEntry[];
}

/** What is known of the instance after an interrupted apply was ended. */
export interface EndedState extends RecordedState {
  /** The project as it was applied, compared with the instance: what differs was changed by others since. */
  readonly appliedComparison: ProjectComparison;
}

/**
 * Returns what is known of the instance after an interrupted apply was ended. What the apply has written counts as seen,
 * even if the files have changed since.
 * @param after the project and the instance, read afterward
 */
export function recordEndedApply(
  after: ProjectPlan,
  { entry, isAbandoned, entries }: EndedApply,
): EndedState {
  const restoredIds = getRestoredIds(entry, entries);
  if (entry.end === 'rolled-back' || getUndoneIds(entries).has(entry.id)) {
    // The instance has what the lock has recorded before the apply.
    return {
      ...recordState(after, { restoredIds }),
      appliedComparison: after.prepared.comparison,
    };
  }
  const project = restorePlannedItems(after.project, entry.operation.project?.items);
  const appliedComparison = after.prepared.recompare({ project, lock: after.lock });
  const recorded = recordState(after, {
    appliedProject: { project, comparison: appliedComparison },
    written: getWrittenItems(entry, { reading: after.reading, project }),
    leftKeys: isAbandoned ? getLeftRuleKeys(entry, after) : new Set(),
    restoredIds,
  });
  return { ...recorded, appliedComparison };
}
