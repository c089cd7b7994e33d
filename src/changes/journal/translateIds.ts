import { type JsonValue, isJsonObject } from '../../base/json.ts';
import { type ResourceRef, isSameRef } from '../../catalog/resourceRef.ts';
import { getMovedRules } from '../model/movedRules.ts';
import type { HistoryEntry } from './entry.ts';
import { replacedRules } from './replacedRules.ts';

/**
 * The entry as if everything in it were of today: what was deleted and brought back since has another id (ids are the
 * server's), and a document to which later changes were taken back is the one that taking them back left. Ids are
 * opaque and unique, so a text that is one of them means it wherever it stands.
 * @param replaced whether a rule that was saved since, where that makes another of it, is the same rule: for a restore
 * over whatever was done, lest the old one and the new one stand side by side. For an undo it is one that is gone.
 */
export function translateIds(
  entry: HistoryEntry,
  entries: readonly HistoryEntry[],
  { replaced }: { readonly replaced: 'same' | 'gone' },
): HistoryEntry {
  // What an entry itself moved is gone for it under the one id and made by it under the other.
  const later = entries.filter(({ at }) => at > entry.at).toSorted((a, b) => a.at - b.at);
  const ids = getCurrentIds(
    later.flatMap((each) => [...(replaced === 'same' ? getReplacedIds(each) : []), ...each.moved]),
  );
  const { operation, before, writes, after } = entry;
  const old = { writes: operation.writes, before, states: writes };
  const now = translate(old as unknown as JsonValue, ids) as unknown as typeof old;
  return {
    ...entry,
    operation: { ...operation, writes: now.writes },
    before: now.before,
    writes: now.states,
    after: after.flatMap(({ ref, hash }) => {
      const left = findHashAfterLaterUndo(ref, entry, entries);
      // What came back under another id is not the document whose hash was kept, since the id is in it.
      const isMoved = Object.values(ref).some((id) => typeof id === 'string' && ids.has(id));
      return isMoved ? [] : [{ ref, hash: left ?? hash }];
    }),
  };
}

/** The hash of a document as the last taking back of a later change has left it. */
function findHashAfterLaterUndo(
  ref: ResourceRef,
  entry: HistoryEntry,
  entries: readonly HistoryEntry[],
): string | undefined {
  const times = new Map(entries.map(({ id, at }) => [id, at]));
  return entries
    .filter(({ end, undoes }) => end === 'done' && undoes && (times.get(undoes) ?? 0) > entry.at)
    .toSorted((a, b) => a.at - b.at)
    .flatMap(({ after }) => after.filter((document) => isSameRef(document.ref, ref)))
    .at(-1)?.hash;
}

/** The rules that an entry has put others in the place of. */
function getReplacedIds(entry: HistoryEntry): HistoryEntry['moved'] {
  const { operation, writes } = entry;
  const answers = writes.map((state) => (state.state === 'done' ? state.answer : undefined));
  const isDone = (index: number): boolean => writes[index]?.state === 'done';
  const replaced = getMovedRules(operation, { answers, isDone }).map(({ from, to }) => [from, to] as const);
  return [...replaced, ...replacedRules(entry)];
}

/** What stands today for each id that something once had. */
function getCurrentIds(moved: HistoryEntry['moved']): ReadonlyMap<string, string> {
  const now = new Map<string, string>();
  /** What once had the id that a thing has now. */
  const former = new Map<string, readonly string[]>();
  for (const [old, next] of moved) {
    const olds = [...(former.get(old) ?? []), old];
    olds.forEach((each) => now.set(each, next));
    former.delete(old);
    former.set(next, [...(former.get(next) ?? []), ...olds]);
  }
  return now;
}

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
