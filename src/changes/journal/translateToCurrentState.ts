import { type JsonValue, isJsonObject } from '../../base/json.ts';
import { getRefKey } from '../../catalog/resourceRef.ts';
import { getRuleIdChanges } from '../model/ruleIdChanges.ts';
import type { HistoryEntry } from './entry.ts';
import { findReplacedRules } from './replacedRules.ts';

/**
 * Translates an entry to current IDs and hashes: an item that was deleted and restored since has another ID (IDs are
 * assigned by the server), and a document whose later changes were undone has the content that the undo left. IDs are
 * opaque and unique, so every string that equals an ID is translated.
 * @param treatReplacedAs how to treat a rule that was replaced since: `same` translates its ID to that of the new rule,
 *   so that a restore doesn't leave both; `gone`, for an undo, treats it as deleted
 */
export function translateToCurrentState(
  entry: HistoryEntry,
  entries: readonly HistoryEntry[],
  { treatReplacedAs }: { readonly treatReplacedAs: 'same' | 'gone' },
): HistoryEntry {
  const ids = getCurrentIds(
    getLaterEntries(entry, entries).flatMap((laterEntry) => [
      ...(treatReplacedAs === 'same' ? getReplacedIds(laterEntry) : []),
      ...laterEntry.changedIds,
    ]),
  );
  const { operation, before, writeStates, requests, versionsAfter } = entry;
  const stored = { writes: operation.writes, before, states: writeStates };
  const laterHashes = getHashesAfterLaterUndos(entry, entries);
  const translated = translate(stored as unknown as JsonValue, ids) as unknown as typeof stored;
  return {
    ...entry,
    operation: { ...operation, writes: translated.writes },
    before: translated.before,
    writeStates: translated.states,
    ...(requests === undefined
      ? {}
      : { requests: requests.map((request) => ({ ...request, path: translatePath(request.path, ids) })) }),
    versionsAfter: versionsAfter.flatMap(({ ref, hash }) => {
      const laterHash = laterHashes.get(getRefKey(ref));
      // A document restored under another ID doesn't match the recorded hash, since the ID is part of its content.
      const hasNewId = Object.values(ref).some((id) => typeof id === 'string' && ids.has(id));
      return hasNewId ? [] : [{ ref, hash: laterHash ?? hash }];
    }),
  };
}

/** Returns the current IDs of the items that were deleted and restored since an entry, by the IDs that they had. */
export const getRestoredIds = (
  entry: Pick<HistoryEntry, 'startedAt'>,
  entries: readonly HistoryEntry[],
): ReadonlyMap<string, string> =>
  getCurrentIds(getLaterEntries(entry, entries).flatMap(({ changedIds }) => changedIds));

/**
 * Returns the entries after an entry, oldest first. The entry isn't one of them: the IDs that it changed itself are
 * those of the items that it deleted and created.
 */
const getLaterEntries = (
  { startedAt }: Pick<HistoryEntry, 'startedAt'>,
  entries: readonly HistoryEntry[],
): readonly HistoryEntry[] =>
  entries.filter((other) => other.startedAt > startedAt).toSorted((a, b) => a.startedAt - b.startedAt);

/** Returns the hashes of documents after the last undo of a later change, by {@link getRefKey}. */
function getHashesAfterLaterUndos(
  entry: HistoryEntry,
  entries: readonly HistoryEntry[],
): ReadonlyMap<string, string> {
  const times = new Map(entries.map(({ id, startedAt }) => [id, startedAt]));
  const laterUndos = entries
    .filter(
      ({ end, undoneEntryId }) =>
        end === 'done' && undoneEntryId && (times.get(undoneEntryId) ?? 0) > entry.startedAt,
    )
    .toSorted((a, b) => a.startedAt - b.startedAt);
  return new Map(
    laterUndos.flatMap(({ versionsAfter }) =>
      versionsAfter.map(({ ref, hash }) => [getRefKey(ref), hash] as const),
    ),
  );
}

/** Returns the old and new IDs of the rules that an entry replaced with others. */
function getReplacedIds(entry: HistoryEntry): HistoryEntry['changedIds'] {
  const { operation, writeStates } = entry;
  const responses = writeStates.map((state) => (state.state === 'done' ? state.answer : undefined));
  const isDone = (index: number): boolean => writeStates[index]?.state === 'done';
  const replaced = getRuleIdChanges(operation, responses, { isDone }).map(
    ({ oldId, newId }) => [oldId, newId] as const,
  );
  return [...replaced, ...findReplacedRules(entry)];
}

/** Maps each former ID to the current one; an ID may have changed several times. */
function getCurrentIds(pairs: HistoryEntry['changedIds']): ReadonlyMap<string, string> {
  const currentIds = new Map<string, string>();
  /** The former IDs by the current ID. */
  const formerIds = new Map<string, readonly string[]>();
  for (const [oldId, newId] of pairs) {
    const oldIds = [...(formerIds.get(oldId) ?? []), oldId];
    oldIds.forEach((id) => currentIds.set(id, newId));
    formerIds.delete(oldId);
    formerIds.set(newId, [...(formerIds.get(newId) ?? []), ...oldIds]);
  }
  return currentIds;
}

/** Translates the IDs in the path of a request. */
const translatePath = (path: string, ids: ReadonlyMap<string, string>): string =>
  path
    .split('/')
    .map((segment) => ids.get(segment) ?? segment)
    .join('/');

function translate(value: JsonValue, ids: ReadonlyMap<string, string>): JsonValue {
  if (typeof value === 'string') {
    return ids.get(value) ?? value;
  }
  if (Array.isArray(value)) {
    return (value as readonly JsonValue[]).map((item) => translate(item, ids));
  }
  return isJsonObject(value)
    ? Object.fromEntries(Object.entries(value).map(([name, member]) => [name, translate(member, ids)]))
    : value;
}
