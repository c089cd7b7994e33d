import { jsonEquals } from '../../base/canonicalJson.ts';
import { type JsonValue, getMember } from '../../base/json.ts';
import { isJsonArray } from '../../json/text/copyOnWrite.ts';
import { orderAsPulled } from '../instance/contentOrder.ts';
import { getNamedEntries } from '../namedEntries.ts';
import type { ItemKey, ItemKind } from '../item.ts';
import { type ConflictSide, isLastSeen, mergeItem } from './mergeItem.ts';
import type { PartHashes } from './parts.ts';
import { type PullEntry, type PullUnit, getEntries } from './pullUnits.ts';

/**
 * Why an item is a conflict:
 * - `both-changed`: the project and the instance have changed the same parts
 * - `never-seen`: the two differ, and the lock doesn't say which of them has changed
 * - `deleted-here`: the instance has changed what the project no longer has
 * - `deleted-there`: the project has changed what the instance no longer has, or refers to it
 * - `path-taken`: another file has the path that the item's file would have
 * - `unreadable`: the item's file could not be read again, such as one of a rule without a column
 */
export type ConflictReason =
  | 'both-changed'
  | 'never-seen'
  | 'deleted-here'
  | 'deleted-there'
  | 'path-taken'
  | 'unreadable';

/** An item that a pull leaves as it is, because it would have to guess. */
export interface PullConflict {
  readonly key: ItemKey;
  readonly reason: ConflictReason;
  /** The path of the item's file, if there is one. */
  readonly path: string | undefined;
  /** The JSON pointers of the parts; an empty one is the whole item. */
  readonly pointers: readonly string[];
}

/** What happens to a unit. */
export type Decision =
  /** It's not known on one of the sides, so nothing happens. */
  | { readonly kind: 'unknown' }
  | { readonly kind: 'conflict'; readonly conflicts: readonly PullConflict[] }
  /** Only the project has it, or the project has deleted it: nothing happens. */
  | { readonly kind: 'kept' }
  /** The instance no longer has it, and it's not to be deleted. */
  | { readonly kind: 'gone' }
  | { readonly kind: 'deleted' }
  /** The contents that the items will have; `undefined` for SQL that is deleted. */
  | { readonly kind: 'merged'; readonly contents: ReadonlyMap<PullEntry, JsonValue | undefined> };

const nothingSeen: PartHashes = new Map();

/** Decides what happens to a unit that is known on both sides. */
export function decideUnit(unit: PullUnit, prunedKinds: ReadonlySet<ItemKind>): Decision {
  const { owner } = unit;
  if (owner.theirs === undefined) {
    if (owner.mine === undefined) {
      return { kind: 'merged', contents: new Map() };
    }
    return owner.base === undefined ? { kind: 'kept' } : decideGone([unit], prunedKinds.has(owner.key.kind));
  }
  if (owner.mine === undefined) {
    return owner.base === undefined
      ? {
          kind: 'merged',
          contents: new Map(getEntries(unit).map((entry) => [entry, entry.theirs?.content])),
        }
      : decideDeletedHere(unit);
  }
  return mergeUnit(unit);
}

/** Decides what happens to units that the instance no longer has: a datamodel with all that it has, or a single one. */
export function decideGone(units: readonly PullUnit[], isPruned: boolean): Decision {
  if (!isPruned) {
    return { kind: 'gone' };
  }
  const changed = units
    .filter(({ owner }) => owner.mine !== undefined)
    .flatMap(getEntries)
    .filter((entry) => !isLastSeen(getOrderedContent(entry), entry.base?.parts ?? nothingSeen));
  return changed.length === 0
    ? { kind: 'deleted' }
    : { kind: 'conflict', conflicts: changed.map((entry) => createConflict(entry, 'deleted-there')) };
}

/** Decides what happens to a unit that the project no longer has. It stays deleted unless it has changed since. */
export function decideDeletedHere(unit: PullUnit): Decision {
  if (unit.owner.theirs === undefined) {
    return { kind: 'merged', contents: new Map() };
  }
  const changed = getEntries(unit).filter(
    ({ theirs, base }) => !isLastSeen(theirs?.content, base?.parts ?? nothingSeen),
  );
  return changed.length === 0
    ? { kind: 'kept' }
    : { kind: 'conflict', conflicts: changed.map((entry) => createConflict(entry, 'deleted-here')) };
}

export const createConflict = (
  { key, mine }: PullEntry,
  reason: ConflictReason,
  pointers: readonly string[] = [''],
): PullConflict => ({ key, reason, path: mine?.path, pointers });

/** Resolves the conflict of a unit for one side. What no side can resolve stays a conflict. */
export function resolveUnit(unit: PullUnit, winner: ConflictSide): Decision {
  const { mine, theirs } = unit.owner;
  if (mine !== undefined && theirs !== undefined) {
    return mergeUnit(unit, winner);
  }
  if (winner === 'ours') {
    // The files stay as they are, and the instance's version has been seen.
    return {
      kind: 'merged',
      contents: new Map(getEntries(unit).map((entry) => [entry, entry.mine?.content])),
    };
  }
  return theirs === undefined
    ? { kind: 'deleted' }
    : { kind: 'merged', contents: new Map(getEntries(unit).map((entry) => [entry, entry.theirs?.content])) };
}

const getOrderedContent = ({ key, mine }: PullEntry): JsonValue | undefined =>
  mine === undefined ? undefined : orderAsPulled(key, mine.content);

function mergeUnit(unit: PullUnit, winner?: ConflictSide): Decision {
  const contents = new Map<PullEntry, JsonValue | undefined>();
  const conflicts: PullConflict[] = [];
  for (const entry of getEntries(unit)) {
    // A table that was seen without SQL had none.
    const lastSeen = entry.base?.parts ?? (unit.owner.base === undefined ? undefined : nothingSeen);
    const mine = getOrderedContent(entry);
    const result = mergeItem({ mine, lastSeen, theirs: entry.theirs?.content, winner });
    if ('merged' in result) {
      // A file whose content is the same keeps its order.
      contents.set(entry, jsonEquals(result.merged, mine) ? entry.mine?.content : result.merged);
    } else {
      const reason = lastSeen === undefined ? 'never-seen' : 'both-changed';
      conflicts.push(createConflict(entry, reason, result.conflicts));
    }
  }
  for (const entry of findLostColumns(unit, contents)) {
    if (winner === 'theirs') {
      contents.set(entry, undefined);
    } else {
      conflicts.push(createConflict(entry, 'deleted-there'));
    }
  }
  return conflicts.length > 0 ? { kind: 'conflict', conflicts } : { kind: 'merged', contents };
}

/** Finds SQL that was added here to a column that the instance no longer has. */
function findLostColumns(
  { owner, expressions }: PullUnit,
  contents: ReadonlyMap<PullEntry, JsonValue | undefined>,
): readonly PullEntry[] {
  const table = contents.get(owner);
  const columns = getMember(table, 'columns');
  const names = (isJsonArray(columns) ? getNamedEntries(columns) : undefined) ?? new Map();
  return table === undefined
    ? []
    : expressions.filter(
        (entry) =>
          entry.key.kind === 'columnExpression' &&
          contents.get(entry) !== undefined &&
          !names.has(entry.key.column),
      );
}
