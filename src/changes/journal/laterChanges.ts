import { jsonEquals, toCanonicalText } from '../../base/canonicalJson.ts';
import { getRefKey } from '../../catalog/resourceRef.ts';
import { asObject } from '../model/jsonMembers.ts';
import type { Write } from '../model/operation.ts';
import { getWriteRuleSubject } from '../model/ruleSubjects.ts';
import { isRuleWrite } from '../rules/ruleAction.ts';
import { findRuleColumns, getRuleColumnKey } from './changedColumns.ts';
import { type HistoryEntry, isInDoubt, isUnresolved, type WriteState } from './entry.ts';
import { hasWrittenNothing, mayHaveWritten } from './stoppedOperation.ts';
import { getUndoneIds } from './undoneEntries.ts';

/**
 * Returns whether nothing is left to finish or roll back of a stopped operation that isn't known to have written
 * anything, since a later change in the same history has written one of the items that the operation may have written.
 * This item is now as the later change has left it, so undoing the stopped operation would undo the later change. A
 * later change that was undone doesn't count.
 * @param entries the entries of the same connection, newest first
 */
export const wasMadeLater = (entry: HistoryEntry, entries: readonly HistoryEntry[]): boolean =>
  !mayHaveWritten(entry) &&
  (findWritesMadeLater(entry, entries).size > 0 || changesRulesOfLater(entry, getLater(entry, entries)));

/**
 * Returns whether nothing is left to finish, roll back, or undo of a stopped operation: it's known to have written
 * nothing, or {@link wasMadeLater}.
 */
export const hadNoEffect = (entry: HistoryEntry, entries: readonly HistoryEntry[]): boolean =>
  entry.end === 'stopped' && (hasWrittenNothing(entry) || wasMadeLater(entry, entries));

/**
 * Finds the writes of a stopped operation that are in doubt, but had no effect before a later change in the same
 * history wrote the same item. The item is now as the later change has left it. Such a write had shown no effect when
 * the operation stopped, and the item was as before when the later change began. Writes of rules are never returned:
 * their outcome is that of the current rules.
 * @param entries the entries of the same connection, newest first
 * @returns the indices of the writes
 */
export function findWritesMadeLater(
  entry: HistoryEntry,
  entries: readonly HistoryEntry[],
): ReadonlySet<number> {
  const { writes } = entry.operation;
  const later = getLater(entry, entries);
  return new Set(
    writes.flatMap((write, index) => {
      const state = entry.writeStates[index];
      if (isRuleWrite(write) || !isInDoubt(state)) {
        return [];
      }
      const key = getItemKey(write);
      const writesItem = (other: HistoryEntry, isOwn: boolean): boolean =>
        other.operation.writes.some(
          (candidate, position) =>
            other.writeStates[position]?.state === 'done' &&
            getItemKey(candidate) === key &&
            !(isOwn && position > index),
        );
      // The first later change has read the item before any other later change could write it.
      const first = later.findLast((other) => writesItem(other, false));
      const isUnchanged =
        first !== undefined &&
        (isSameBefore(write, entry, first) || (writesItem(entry, true) && !isUnresolved(state?.state)));
      return isUnchanged ? [index] : [];
    }),
  );
}

/**
 * Returns an entry in which the writes of {@link findWritesMadeLater} count as failed for good, so that an undo doesn't
 * undo them.
 */
export function markWritesMadeLater(entry: HistoryEntry, entries: readonly HistoryEntry[]): HistoryEntry {
  const indices = findWritesMadeLater(entry, entries);
  const failed: WriteState = { state: 'failed', path: '', ms: 0, refused: true };
  return indices.size === 0
    ? entry
    : {
        ...entry,
        writeStates: entry.writeStates.map((state, index) =>
          indices.has(index) ? { ...state, ...failed } : state,
        ),
      };
}

/** Returns the later entries that are in effect, newest first, without undos of these and of the entry itself. */
function getLater(entry: HistoryEntry, entries: readonly HistoryEntry[]): readonly HistoryEntry[] {
  const undoneIds = getUndoneIds(entries);
  const later = entries.slice(
    0,
    Math.max(
      0,
      entries.findIndex(({ id }) => id === entry.id),
    ),
  );
  const ids = new Set([entry.id, ...later.map(({ id }) => id)]);
  return later.filter(
    ({ id, undoneEntryId }) => !undoneIds.has(id) && (undoneEntryId === undefined || !ids.has(undoneEntryId)),
  );
}

/**
 * Returns whether a later entry began with the same document as an entry. A new item has no document: as it can be
 * created only once, it didn't exist then.
 */
function isSameBefore(write: Write, entry: HistoryEntry, later: HistoryEntry): boolean {
  const { target } = write;
  if (target === undefined || isCreation(write)) {
    return true;
  }
  const key = getRefKey(target);
  const [before, laterBefore] = [entry, later].map(
    (each) => each.before.find(({ ref }) => getRefKey(ref) === key)?.document ?? null,
  );
  return jsonEquals(before ?? null, laterBefore ?? null);
}

/** Returns what identifies the item of a write: its target, or for a new item its container and its name. */
function getItemKey(write: Write): string {
  const { endpoint, params, target, body = null } = write;
  if (target !== undefined && !isCreation(write)) {
    return getRefKey(target);
  }
  const { name, title = name ?? body } = asObject(body);
  return toCanonicalText([endpoint, params, title]);
}

const isCreation = ({ endpoint }: Write): boolean => endpoint.endsWith('.create');

/** Returns whether later entries have changed rules on columns whose rules an entry might have changed. */
function changesRulesOfLater(entry: HistoryEntry, later: readonly HistoryEntry[]): boolean {
  const getColumnKeys = (
    other: HistoryEntry,
    isCounted: Parameters<typeof findRuleColumns>[2],
  ): readonly string[] => {
    const subjects = other.operation.writes.map(getWriteRuleSubject).filter((each) => each !== undefined);
    return subjects.flatMap((subject) =>
      findRuleColumns(other, subject, isCounted).map((column) => getRuleColumnKey(subject, column)),
    );
  };
  const doubtful = new Set(getColumnKeys(entry, isInDoubt));
  return (
    doubtful.size > 0 &&
    later.some((other) =>
      getColumnKeys(other, ({ state }) => state === 'done').some((key) => doubtful.has(key)),
    )
  );
}
