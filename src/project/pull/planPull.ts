import { sortByText } from '../../base/sortByText.ts';
import { type ItemKey, formatItemKey } from '../item.ts';
import {
  type FileDeletion,
  type FileWrite,
  assignUnitPaths,
  composeUnit,
  findEntriesWithTakenPaths,
  foldPaths,
  canBeReadBack,
} from './composeFiles.ts';
import { type PullConflict, createConflict } from './decideUnit.ts';
import { type DecisionInput, decideUnits } from './decideUnits.ts';
import { type Decisions, getMergeResults, listComparedKeys, selectUnits } from './decisions.ts';
import type { LeftOutItem } from './leftOutItem.ts';
import { leaveOutItemsWithoutDatamodel, leaveOutUnprotectedItems } from './leftOutItems.ts';
import { type OrphanedRules, findAmbiguousRules, findOrphanedRules } from './orphanedRules.ts';
import { listConflicts } from './listConflicts.ts';
import { type LocalChange, findLocalChanges } from './localChanges.ts';
import type { Lock, LockEntry } from './lock.ts';
import { equalsBase } from './mergeItem.ts';
import { hashParts } from '../compare/parts.ts';
import { type ProtectionInput, createGainedColumnFinder, includeRules } from './gainedColumns.ts';
import { includeRelations } from './gainedRelations.ts';
import { joinPendingRenames } from './pendingRenames.ts';
import { type RenamesToDeclare, declareRenames } from './declaredRenames.ts';
import { createReplacedRulesCheck } from './replacedDatamodels.ts';
import { createPendingRenames } from './renameItems.ts';
import {
  type InstanceColumnRename,
  type ItemRename,
  type PullEntry,
  createUnits,
  getUnitEntries,
} from './mergeUnits.ts';

/** What a pull is planned from. */
export interface PullInput extends DecisionInput {
  /** What was last seen on the other instances of the project. */
  readonly otherLocks?: readonly Lock[];
}

/** What a pull would do. */
export interface PullPlan {
  /** Sorted: SQL comes before the tables that refer to it. */
  readonly writes: readonly FileWrite[];
  readonly deletions: readonly FileDeletion[];
  /**
   * The items that the instance no longer has, and that the project keeps. For a deleted datamodel, only the
   * datamodel itself is listed.
   */
  readonly deletedOnInstance: readonly ItemKey[];
  readonly conflicts: readonly PullConflict[];
  /**
   * The items that are left alone: they are not selected, could not be read in the project or on the instance, are not
   * managed, have a file with unsaved changes, are left out, or belong to a datamodel without a file.
   */
  readonly skippedItems: readonly ItemKey[];
  /** The keys of all units that the pull has compared, which means: of all except those that only the project has. */
  readonly comparedKeys: readonly ItemKey[];
  /**
   * Items of the instance that are left out, because the files would have data without the rules that may protect it.
   * They are also among the skipped items or the conflicts.
   */
  readonly leftOutItems: readonly LeftOutItem[];
  readonly renames: readonly ItemRename[];
  readonly columnRenames: readonly InstanceColumnRename[];
  readonly orphanedRules: readonly OrphanedRules[];
  /** The differences from the instance that were made in the project and are kept. */
  readonly localChanges: readonly LocalChange[];
  readonly counts: PullCounts;
  /** What was last seen on the instance, after the pull. */
  readonly lock: Lock;
}

/**
 * How many files a pull creates, changes, and deletes. `unchanged` doesn't include files in conflict, with local
 * changes, or of items that are left alone.
 */
export interface PullCounts {
  readonly created: number;
  readonly changed: number;
  readonly deleted: number;
  readonly unchanged: number;
}

/**
 * Plans which files to write and delete, so that the project gets the changes of the instance. What it would have to
 * guess becomes a {@link PullConflict}.
 */
export function planPull(input: PullInput): PullPlan {
  const { units: namedUnits, renames, columnRenames } = createUnits(input);
  const pendingRenames = createPendingRenames(input);
  const renameItem = pendingRenames?.renameItem;
  const units =
    renameItem === undefined ? namedUnits : joinPendingRenames(namedUnits, input.pulled, renameItem);
  const decisions = decideUnits(units, input);
  const protection: ProtectionInput = { ...input, columnRenames, renameItem };
  const findColumns = createGainedColumnFinder(decisions, protection);
  includeRules(decisions, findColumns);
  includeRelations(decisions, protection);
  declareAllRenames(decisions, { renames, columnRenames, otherLocks: input.otherLocks ?? [] });
  markUnreadableAsConflicts(decisions);
  const paths = assignUnitPaths(getMergeResults(decisions), units);
  markTakenPathsAsConflicts(
    decisions,
    paths,
    foldPaths(input.project).union(input.unsavedPaths ?? new Set()),
  );
  const leftOut = leaveOutUnprotectedItems(decisions, findColumns, protection);
  leaveOutItemsWithoutDatamodel(decisions);
  const merged = getMergeResults(decisions);
  const changes = merged.map((unit) => composeUnit(unit, paths));
  const writes = sortWrites(changes.flatMap((change) => change.writes));
  const deletions = [
    ...changes.flatMap((change) => change.deletions),
    ...selectUnits(decisions, 'deleted').flatMap((unit) =>
      getUnitEntries(unit).flatMap(({ key, ours }) =>
        ours === undefined ? [] : [{ key, path: ours.path, previousText: ours.text }],
      ),
    ),
  ];
  const conflicts = listConflicts(decisions, protection);
  const localChanges = findLocalChanges(decisions, input.pulled, renameItem).map((change) => ({
    ...change,
    path: change.path && (paths.get(formatItemKey(change.key)) ?? change.path),
  }));
  const changedPaths = writes
    .filter(({ previousText }) => previousText !== undefined)
    .map(({ path }) => path);
  const skippedUnits = selectUnits(decisions, 'skipped');
  const otherPaths = new Set(
    [
      ...changedPaths,
      ...[...deletions, ...conflicts, ...localChanges].map(({ path }) => path),
      ...skippedUnits.flatMap((unit) => getUnitEntries(unit).map(({ ours }) => ours?.path)),
    ].filter((path) => path !== undefined),
  );
  return {
    writes,
    deletions: sortByText(deletions, ({ path }) => path),
    deletedOnInstance: listDeletedOnInstance(decisions),
    conflicts,
    leftOutItems: leftOut,
    comparedKeys: listComparedKeys(decisions),
    skippedItems: skippedUnits.map(({ owner }) => owner.key),
    renames,
    columnRenames,
    orphanedRules: [
      ...findOrphanedRules(input, namedUnits),
      ...(pendingRenames === undefined
        ? []
        : findAmbiguousRules(namedUnits, pendingRenames.findAmbiguousNewName)),
    ],
    localChanges,
    counts: {
      created: writes.length - changedPaths.length,
      changed: changedPaths.length,
      deleted: deletions.length,
      unchanged: input.project.items.filter(({ path }) => !otherPaths.has(path)).length,
    },
    lock: createLock(decisions, input),
  };
}

/** Sorts writes by path, SQL first: no file ever refers to a missing one, even if writing is interrupted. */
const sortWrites = (writes: readonly FileWrite[]): readonly FileWrite[] =>
  sortByText(writes, ({ key, path }) => {
    const isSql = key.kind === 'tableExpression' || key.kind === 'columnExpression';
    return `${isSql ? 0 : 1}${path}`;
  });

/** Adds the former names that other environments still need to the merged items. */
function declareAllRenames(decisions: Decisions, renames: RenamesToDeclare): void {
  for (const { unit, contents } of getMergeResults(decisions)) {
    const { owner } = unit;
    const content = contents.get(owner);
    const declared = content === undefined ? undefined : declareRenames(owner.key, content, renames);
    if (declared !== undefined && declared !== content) {
      decisions.set(unit, { kind: 'merged', contents: new Map([...contents, [owner, declared]]) });
    }
  }
}

/**
 * Turns units whose new files could not be read again into conflicts: because of such a file, all items of a kind would
 * count as unread.
 */
function markUnreadableAsConflicts(decisions: Decisions): void {
  for (const merged of getMergeResults(decisions)) {
    if (!canBeReadBack(merged)) {
      const conflicts = [createConflict(merged.unit, merged.unit.owner, 'unreadable')];
      decisions.set(merged.unit, { kind: 'conflict', conflicts });
    }
  }
}

/** Turns units whose new files would replace other files into conflicts. */
function markTakenPathsAsConflicts(
  decisions: Decisions,
  paths: ReadonlyMap<string, string>,
  occupied: ReadonlySet<string>,
): void {
  for (const merged of getMergeResults(decisions)) {
    const takenEntries = findEntriesWithTakenPaths(merged, paths, occupied);
    if (takenEntries.length > 0) {
      const conflicts = takenEntries.map((entry) => ({
        ...createConflict(merged.unit, entry, 'path-taken'),
        path: paths.get(formatItemKey(entry.key)),
      }));
      decisions.set(merged.unit, { kind: 'conflict', conflicts });
    }
  }
}

const getDatamodel = (key: ItemKey): string | undefined => ('datamodel' in key ? key.datamodel : undefined);

/** Returns the keys of the items that the instance no longer has; for a deleted datamodel, only its own key. */
function listDeletedOnInstance(decisions: Decisions): readonly ItemKey[] {
  const keys = selectUnits(decisions, 'deleted-on-instance').map(({ owner }) => owner.key);
  const datamodels = new Set(keys.flatMap((key) => (key.kind === 'datamodel' ? [key.datamodel] : [])));
  return keys.filter((key) => key.kind === 'datamodel' || !datamodels.has(getDatamodel(key) ?? ''));
}

/**
 * Creates the lock after the pull: merged and deleted items are recorded as they are on the instance, and all other
 * items keep their entries. Entries of rules whose datamodel was replaced are marked: the new datamodel, whose ID is
 * recorded, may not have these rules.
 */
function createLock(decisions: Decisions, { lock, pulled }: PullInput): Lock {
  const identities = new Map(pulled.identities.map((identity) => [formatItemKey(identity.key), identity]));
  const areRulesReplaced = createReplacedRulesCheck(lock, pulled);
  const createEntry = ({
    theirs,
    instanceItem: item = theirs,
    base,
  }: PullEntry): readonly (readonly [string, LockEntry])[] => {
    if (item === undefined) {
      return [];
    }
    const text = formatItemKey(item.key);
    const { oid, columns } = identities.get(text) ?? {};
    const isUnchanged = base?.appliedFile !== undefined && equalsBase(item.key, item.content, base.parts);
    const entry: LockEntry = {
      ...(oid === undefined ? {} : { oid }),
      ...(columns === undefined ? {} : { columns }),
      parts: hashParts(item.content),
      ...(isUnchanged ? { appliedFile: base.appliedFile } : {}),
    };
    return [[text, entry]];
  };
  const entries = [...decisions].flatMap(([unit, decision]) =>
    getUnitEntries(unit).flatMap((entry) =>
      decision.kind === 'merged' ||
      decision.kind === 'deleted' ||
      (decision.kind === 'deleted-on-instance' && decision.removesLockEntry)
        ? createEntry(entry)
        : entry.base === undefined
          ? []
          : [
              [
                entry.baseKey,
                areRulesReplaced(entry.key) ? { ...entry.base, isOfReplaced: true } : entry.base,
              ] as const,
            ],
    ),
  );
  // The users and groups that files refer to by number; those that were not pulled keep theirs.
  const pulledNumbers = new Set(pulled.numberedReferences.map(({ number }) => number));
  return {
    entries: new Map(sortByText(entries, ([key]) => key)),
    numberedReferences: [
      ...lock.numberedReferences.filter(({ number }) => !pulledNumbers.has(number)),
      ...pulled.numberedReferences,
    ],
  };
}
