import { jsonEquals } from '../../base/canonicalJson.ts';
import { type JsonValue, getMember, isJsonObject } from '../../base/json.ts';
import { isJsonArray } from '../../json/text/copyOnWrite.ts';
import { getNamedEntries } from '../namedEntries.ts';
import { type ItemKey, type ItemKind, renamedFromMember } from '../item.ts';
import { createDerivedCheck, mayBeAbsent } from '../compare/compareContents.ts';
import { keepPublication, meansTheSame } from '../compare/instanceDefaults.ts';
import { restoreFormerNames } from './formerNames.ts';
import { type ConflictSide, type MergedItem, equalsBase, mergeItem } from './mergeItem.ts';
import { getRenamedItem, getRenamedParts } from './renamedItem.ts';
import { getColumnsByName } from '../compare/normalizeContent.ts';
import { type PartHashes, appendToken } from '../compare/parts.ts';
import { type PullEntry, type MergeUnit, getUnitEntries } from './mergeUnits.ts';
import { getOrderedContent, isUnchangedFile } from './unchangedFiles.ts';

/**
 * Why an item is a conflict:
 * - `both-changed`: the project and the instance have changed the same parts
 * - `never-seen`: the two differ, and the lock doesn't show which of them has changed
 * - `deleted-here`: the item was deleted in the project and changed on the instance
 * - `renamed-here`: the item was renamed in the project (`renamedFrom`) and changed on the instance
 * - `deleted-there`: the item was deleted on the instance, and changed or referred to in the project
 * - `path-taken`: another file has the path that the item's file would have
 * - `unreadable`: the file that the pull would write could not be read back, such as one of a rule without a column
 */
export type ConflictReason =
  | 'both-changed'
  | 'never-seen'
  | 'deleted-here'
  | 'renamed-here'
  | 'deleted-there'
  | 'path-taken'
  | 'unreadable';

/** An item that a pull leaves as it is, because it would have to guess. */
export interface PullConflict {
  readonly key: ItemKey;
  /** The key of the unit that is resolved as a whole: for SQL and moved rules, that of the table. */
  readonly unitKey: ItemKey;
  readonly reason: ConflictReason;
  /** The path of the item's file, if there is one. */
  readonly path: string | undefined;
  /** The JSON pointers of the parts; an empty one is the whole item. */
  readonly pointers: readonly string[];
  /** The item of the project, if it has one. */
  readonly ours: JsonValue | undefined;
  /** The item of the instance, if it has one. */
  readonly theirs: JsonValue | undefined;
}

/** What happens to a unit. */
export type Decision =
  /**
   * Nothing is done, because the unit isn't selected, could not be read completely, has a file with unsaved changes, or
   * is left out.
   */
  | { readonly kind: 'skipped' }
  | { readonly kind: 'conflict'; readonly conflicts: readonly PullConflict[] }
  /** Only the project has changed: it has added, changed, or deleted the unit. Nothing is done. */
  | { readonly kind: 'local' }
  /**
   * Deleted on the instance, but kept in the project, because its kind isn't pruned. If the lock entry is removed, a
   * plan creates the unit again, and doesn't report that it overwrites a deletion.
   */
  | { readonly kind: 'deleted-on-instance'; readonly removesLockEntry: boolean }
  /** Its files are deleted. */
  | { readonly kind: 'deleted' }
  /** The contents that the items will have; `undefined` for SQL that is deleted. */
  | { readonly kind: 'merged'; readonly contents: ReadonlyMap<PullEntry, JsonValue | undefined> };

const noParts: PartHashes = new Map();

/** Decides what happens to a unit that could be read in the project and on the instance, even if only one has it. */
export function decideUnit(unit: MergeUnit, prunedKinds: ReadonlySet<ItemKind>): Decision {
  const { owner } = unit;
  if (owner.theirs === undefined) {
    if (owner.ours === undefined) {
      return { kind: 'merged', contents: new Map() };
    }
    return owner.base === undefined
      ? { kind: 'local' }
      : decideDeletedOnInstance([unit], prunedKinds.has(owner.key.kind));
  }
  if (owner.ours === undefined) {
    return owner.base === undefined
      ? {
          kind: 'merged',
          contents: new Map(getUnitEntries(unit).map((entry) => [entry, entry.theirs?.content])),
        }
      : decideDeletedInProject(unit);
  }
  return mergeUnit(unit);
}

/** Decides about units that the instance no longer has: all units of a datamodel, or a single one. */
export function decideDeletedOnInstance(units: readonly MergeUnit[], isPruned: boolean): Decision {
  if (!isPruned) {
    return { kind: 'deleted-on-instance', removesLockEntry: false };
  }
  const changed = units
    .filter(({ owner }) => owner.ours !== undefined)
    .flatMap((unit) => getUnitEntries(unit).map((entry) => ({ unit, entry })))
    .filter(({ entry }) => !equalsBase(entry.key, getOurs(entry), entry.base?.parts ?? noParts));
  return changed.length === 0
    ? { kind: 'deleted' }
    : {
        kind: 'conflict',
        conflicts: changed.map(({ unit, entry }) => createConflict(unit, entry, 'deleted-there')),
      };
}

/**
 * Decides about a unit that was deleted in the project. It stays deleted unless it has changed on the instance since.
 */
export function decideDeletedInProject(unit: MergeUnit): Decision {
  if (unit.owner.theirs === undefined) {
    return { kind: 'merged', contents: new Map() };
  }
  const changed = getUnitEntries(unit).filter(
    ({ key, theirs, base }) => !equalsBase(key, theirs?.content, base?.parts ?? noParts),
  );
  return changed.length === 0
    ? { kind: 'local' }
    : { kind: 'conflict', conflicts: changed.map((entry) => createConflict(unit, entry, 'deleted-here')) };
}

/**
 * Resolves a decision that is still open in favor of the winning side: a conflict, or a unit that the instance no
 * longer has. If the instance wins, units that aren't pruned are kept nevertheless.
 */
export function applyWinner(unit: MergeUnit, decision: Decision, winner: ConflictSide | undefined): Decision {
  if (decision.kind === 'conflict' && winner !== undefined) {
    return resolveUnit(unit, winner);
  }
  return decision.kind === 'deleted-on-instance'
    ? { kind: 'deleted-on-instance', removesLockEntry: winner === 'ours' }
    : decision;
}

/** Creates the conflict of an entry of a unit. */
export const createConflict = (
  { owner }: MergeUnit,
  entry: PullEntry,
  reason: ConflictReason,
  pointers: readonly string[] = [''],
): PullConflict => ({
  key: entry.key,
  unitKey: owner.key,
  reason,
  path: entry.ours?.path,
  pointers,
  ours: getRenamedItem(entry)?.content,
  theirs: entry.theirs?.content,
});

/** Resolves the conflict of a unit in favor of one side. If neither side can resolve it, it stays a conflict. */
export function resolveUnit(unit: MergeUnit, winner: ConflictSide): Decision {
  const { ours, theirs } = unit.owner;
  if (ours !== undefined && theirs !== undefined) {
    return mergeUnit(unit, winner);
  }
  if (winner === 'ours') {
    // The files are kept, and the instance's version is recorded in the lock.
    return {
      kind: 'merged',
      contents: new Map(getUnitEntries(unit).map((entry) => [entry, entry.ours?.content])),
    };
  }
  return theirs === undefined
    ? { kind: 'deleted' }
    : {
        kind: 'merged',
        contents: new Map(getUnitEntries(unit).map((entry) => [entry, entry.theirs?.content])),
      };
}

function getOurs(entry: PullEntry): JsonValue | undefined {
  const item = getRenamedItem(entry);
  return item === undefined ? undefined : getOrderedContent(item);
}

/** Merges the version of an entry in the project, without former names, with the version on the instance. */
export function mergeEntry(unit: MergeUnit, entry: PullEntry, winner?: ConflictSide): MergedItem {
  const { key } = entry;
  const base = getBaseParts(unit, entry);
  const ours = getOurs(entry);
  const theirs = base === undefined ? keepOurMember(key, ours, entry.theirs?.content) : entry.theirs?.content;
  const isDerived = createDerivedCheck(key, {
    ours,
    theirs,
    areColumnsDeleted: () => mayHaveDeletedColumns(unit),
  });
  return mergeItem({
    key,
    ours,
    base,
    theirs,
    winner,
    isDerived,
    mayBeAbsent: (pointer) => mayBeAbsent(key, pointer),
  });
}

/**
 * Returns an item of the instance with one member of the project, so that a difference in this member is no conflict:
 * the connection of a dataset, which differs between environments, or the visibility of a viewpoint if both mean the
 * same. If the project or the instance lacks the member, the item stays unchanged.
 */
function keepOurMember(
  key: ItemKey,
  ours: JsonValue | undefined,
  theirs: JsonValue | undefined,
): typeof theirs {
  const name = key.kind === 'dataset' ? 'connection' : 'visibility';
  const [ourMember, theirMember] = [getMember(ours, name), getMember(theirs, name)];
  return isJsonObject(theirs) &&
    ourMember !== undefined &&
    theirMember !== undefined &&
    (key.kind === 'dataset' || hasSameMeaning(key, name, { before: theirMember, after: ourMember }))
    ? { ...theirs, [name]: ourMember }
    : theirs;
}

/**
 * Returns whether a value of the file means the same as that of the instance. A state of publication that the file
 * doesn't state stays as it is.
 */
const hasSameMeaning = (
  key: ItemKey,
  name: string,
  { before, after }: { readonly before: JsonValue; readonly after: JsonValue },
): boolean => meansTheSame(key, name, { before, after: keepPublication(key, name, { before, after }) });

/**
 * Returns whether the project may have deleted the columns that a custom table lacks: its SQL has changed, and the
 * project had the columns before.
 */
function mayHaveDeletedColumns(unit: MergeUnit): boolean {
  const {
    owner: { ours, base },
    dependents,
  } = unit;
  return (
    base !== undefined &&
    !(ours !== undefined && isUnchangedFile(ours, base)) &&
    dependents.some(
      (entry) =>
        entry.key.kind === 'tableExpression' &&
        !equalsBase(entry.key, getOurs(entry), getBaseParts(unit, entry) ?? noParts),
    )
  );
}

/**
 * Returns the base of an entry; `undefined` if its unit was never pulled. If the lock has a table without SQL, the
 * table had no SQL.
 */
const getBaseParts = ({ owner }: MergeUnit, entry: PullEntry): PartHashes | undefined =>
  getRenamedParts(entry) ?? (owner.base === undefined ? undefined : noParts);

const addFormerNames = ({ ours }: PullEntry, merged: JsonValue | undefined): JsonValue | undefined =>
  ours === undefined || merged === undefined ? merged : restoreFormerNames(ours, merged);

function mergeUnit(unit: MergeUnit, winner?: ConflictSide): Decision {
  const contents = new Map<PullEntry, JsonValue | undefined>();
  const conflicts: PullConflict[] = [];
  for (const entry of getUnitEntries(unit)) {
    const result = mergeEntry(unit, entry, winner);
    const pointers = [
      ...('merged' in result ? [] : result.conflicts),
      ...(winner === undefined ? findColumnsRenamedDifferently(entry) : []),
    ];
    if (pointers.length > 0) {
      conflicts.push(createConflict(unit, entry, getReason(unit, entry), pointers));
    }
    if ('merged' in result) {
      // If the content is the same, the order in the file is kept.
      const isSame = jsonEquals(result.merged, getOurs(entry));
      contents.set(entry, isSame ? getRenamedItem(entry)?.content : addFormerNames(entry, result.merged));
    }
  }
  for (const entry of findSqlOfDeletedColumns(unit, contents)) {
    if (winner === 'theirs') {
      contents.set(entry, undefined);
    } else {
      conflicts.push(createConflict(unit, entry, 'deleted-there'));
    }
  }
  return conflicts.length > 0 ? { kind: 'conflict', conflicts } : { kind: 'merged', contents };
}

function getReason(unit: MergeUnit, entry: PullEntry): ConflictReason {
  if (getBaseParts(unit, entry) === undefined) {
    return 'never-seen';
  }
  return entry.movedRules !== undefined && entry.ours === undefined ? 'deleted-here' : 'both-changed';
}

/** Returns the pointers of columns that the project and the instance have renamed differently, with both names. */
function findColumnsRenamedDifferently({ ours, newColumnNames }: PullEntry): readonly string[] {
  const columns = getColumnsByName(ours?.content);
  return [...columns].flatMap(([name, { [renamedFromMember]: formerName }]) => {
    const newName = typeof formerName === 'string' ? newColumnNames?.get(formerName) : undefined;
    return typeof formerName !== 'string' ||
      newName === undefined ||
      columns.has(formerName) ||
      columns.has(newName)
      ? []
      : [name, newName].map((column) => appendToken('/columns', column));
  });
}

/** Finds SQL that was added in the project to a column that the instance no longer has. */
function findSqlOfDeletedColumns(
  { owner, dependents }: MergeUnit,
  contents: ReadonlyMap<PullEntry, JsonValue | undefined>,
): readonly PullEntry[] {
  const table = contents.get(owner);
  const columns = getMember(table, 'columns');
  const names = (isJsonArray(columns) ? getNamedEntries(columns) : undefined) ?? new Map();
  return table === undefined
    ? []
    : dependents.filter(
        (entry) =>
          entry.key.kind === 'columnExpression' &&
          contents.get(entry) !== undefined &&
          !names.has(entry.key.column),
      );
}
