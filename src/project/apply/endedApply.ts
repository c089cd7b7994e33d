import type { HistoryEntry } from '../../changes/journal/entry.ts';
import { getRestoredIds } from '../../changes/journal/translateToCurrentState.ts';
import { findHiddenAfterStop } from '../../changes/journal/hiddenAfterStop.ts';
import { getUndoneIds } from '../../changes/journal/undoneEntries.ts';
import { type ItemKey, parseItemKey } from '../item.ts';
import type { ProjectComparison } from '../plan/compareProject.ts';
import type { Lock } from '../pull/lock.ts';
import { type RecordedState, computeRecordedState } from './finishApply.ts';
import { restoreFormerLock } from './formerLock.ts';
import type { ProjectPlan } from './loadProjectPlan.ts';
import { restorePlannedItems } from './plannedItems.ts';
import { getAbandonedRuleKeys, getWrittenItems } from './writtenItems.ts';

/** An apply that was undone, or one that was interrupted and then finished, rolled back, or abandoned. */
export interface EndedApply {
  /**
   * Its journal entry. If the change that was finished is an undo, this is still the entry of the apply that it undoes.
   */
  readonly entry: HistoryEntry;
  /** All journal entries of the connection. */
  readonly entries: readonly HistoryEntry[];
}

/** What is known of the instance after an apply was ended or undone. */
export interface EndedState extends RecordedState {
  /** The project as it was applied, compared with the instance: what differs was changed by others since. */
  readonly appliedComparison: ProjectComparison;
  /**
   * The items that were undone and couldn't be read afterward, by their keys in the project: a pull would update their
   * files to match the instance.
   */
  readonly unreadItems: readonly ItemKey[];
}

/**
 * Returns what is known of the instance after an apply was ended or undone. What the apply has written counts as seen,
 * even if the files have changed since. What was undone counts as it was seen before the apply.
 * @param after the project and the instance, read afterward
 */
export function recordEndedApply(after: ProjectPlan, ended: EndedApply): EndedState {
  const { entry, entries } = ended;
  const restoredIds = getRestoredIds(entry, entries);
  const isUndone = getUndoneIds(entries).has(entry.id);
  const isUndoAbandoned = entries.some(
    ({ undoneEntryId, isAbandoned }) => undoneEntryId === entry.id && isAbandoned === true,
  );
  const lock = isUndone || isUndoAbandoned ? restoreLock(after, ended) : after.lock;
  // The lock of an apply that was rolled back still says what it said before.
  const unreadItems = isUndone && entry.end !== 'rolled-back' ? findUnreadItems(after, entry) : [];
  const state = { ...after, lock };
  if (entry.end === 'rolled-back' || isUndone) {
    // The instance has what the lock has recorded before the apply.
    const comparison = after.prepared.recompare({ lock });
    return {
      ...computeRecordedState(
        { ...state, prepared: { ...after.prepared, comparison } },
        { restoredIds, formerlySeenKeys: getFormerlySeenKeys(entry) },
      ),
      appliedComparison: comparison,
      unreadItems,
    };
  }
  const project = restorePlannedItems(after.project, entry.operation.project?.items);
  const appliedComparison = after.prepared.recompare({ project, lock });
  const recorded = computeRecordedState(state, {
    appliedProject: { project, comparison: appliedComparison },
    writtenItems: getWrittenItems(entry, { reading: after.reading, project }),
    abandonedRuleKeys:
      entry.isAbandoned === true || isUndoAbandoned ? getAbandonedRuleKeys(entry, state) : new Set(),
    abandonedHiding: entry.isAbandoned === true ? findHiddenAfterStop(entry, entry.before, entry.before) : [],
    restoredIds,
  });
  return { ...recorded, appliedComparison, unreadItems };
}

/** Returns the texts of the keys of the items that an apply has changed and that the lock had before. */
const getFormerlySeenKeys = ({ operation }: HistoryEntry): ReadonlySet<string> =>
  new Set(
    (operation.project?.formerItems ?? []).flatMap(({ key, lastSeen }) =>
      lastSeen === undefined ? [] : [key],
    ),
  );

/** Returns the lock with what it said before an apply about what was undone. */
function restoreLock(
  { lock, prepared: { pulled, comparison } }: ProjectPlan,
  { entry, entries }: EndedApply,
): Lock {
  const { folder, environment, formerItems = [] } = entry.operation.project ?? {};
  const laterItems = entries
    .filter(({ startedAt }) => startedAt > entry.startedAt)
    .map(({ operation }) => operation.project)
    .filter((other) => other?.folder === folder && other?.environment === environment)
    .flatMap((other) => other?.formerItems ?? []);
  return restoreFormerLock(lock, {
    pulled,
    isUncomparable: comparison.isUncomparable,
    formerItems,
    laterItems,
  });
}

/**
 * Returns the items that an apply has changed and that can't be read. Items that the project no longer selects are left
 * out, because no pull changes them.
 */
const findUnreadItems = (
  { prepared: { comparison }, reading }: ProjectPlan,
  { operation }: HistoryEntry,
): readonly ItemKey[] =>
  (operation.project?.formerItems ?? []).flatMap(({ key: text, newKey = text }) => {
    const keys = [text, newKey].flatMap((other) => parseItemKey(other) ?? []);
    return keys.some((key) => comparison.isUncomparable(key) && reading.isSelected(key))
      ? keys.slice(-1)
      : [];
  });
