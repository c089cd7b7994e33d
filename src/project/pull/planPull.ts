import { sortByText } from '../../base/sortByText.ts';
import { foldStem } from '../fileNames.ts';
import { createRefusalCheck } from '../instance/converted.ts';
import { type ItemKey, type ItemKind, formatItemKey } from '../item.ts';
import {
  type FileDeletion,
  type FileWrite,
  type MergedUnit,
  assignUnitPaths,
  composeUnit,
  findTakenPaths,
  foldPaths,
  isReadable,
} from './composeFiles.ts';
import {
  type Decision,
  type PullConflict,
  createConflict,
  decideDeletedHere,
  decideGone,
  decideUnit,
  resolveUnit,
} from './decideUnit.ts';
import { type LocalChange, findLocalChanges } from './localChanges.ts';
import type { Lock, LockEntry } from './lock.ts';
import type { ConflictSide } from './mergeItem.ts';
import { hashParts } from './parts.ts';
import {
  type ItemRename,
  type PullEntry,
  type PullSides,
  type PullUnit,
  createUnits,
  getEntries,
} from './pullUnits.ts';

/** What a pull is planned from. */
export interface PullInput extends PullSides {
  /** True for what could not be read from the instance, and for what is not managed. Nothing of it is touched. */
  readonly isUnknown: (key: ItemKey) => boolean;
  /**
   * The kinds of items that are deleted if the instance no longer has them. A datamodel is deleted with everything in it,
   * and a table with its SQL.
   */
  readonly prunedKinds?: ReadonlySet<ItemKind>;
  /** The folded paths of files with unsaved changes in an editor. These files are not written. */
  readonly unsavedPaths?: ReadonlySet<string>;
  /**
   * Returns the side that wins the conflicts of an item (of a table also those of its SQL); `undefined` leaves them as
   * they are.
   */
  readonly getWinner?: (key: ItemKey) => ConflictSide | undefined;
}

/** What a pull would do. */
export interface PullPlan {
  /** Sorted: SQL comes before the tables that refer to it. */
  readonly writes: readonly FileWrite[];
  readonly deletions: readonly FileDeletion[];
  /** What the instance no longer has and the project keeps. Of a datamodel, it's only the datamodel. */
  readonly gone: readonly ItemKey[];
  readonly conflicts: readonly PullConflict[];
  /** The items that nobody touched, because one of the sides could not be read or does not manage them. */
  readonly unknown: readonly ItemKey[];
  readonly renames: readonly ItemRename[];
  /** The differences from the instance that were made in the project and stay. */
  readonly localChanges: readonly LocalChange[];
  readonly counts: PullCounts;
  /** What is known of the instance after the pull. */
  readonly lock: Lock;
}

/**
 * How many files a pull creates, changes, and deletes. Unchanged is what it leaves as it is, without the files in conflict
 * and those with local changes.
 */
export interface PullCounts {
  readonly created: number;
  readonly changed: number;
  readonly deleted: number;
  readonly unchanged: number;
}

/** Plans how to bring what changed on the instance into the files. Never guesses: see {@link PullConflict}. */
export function planPull(input: PullInput): PullPlan {
  const { units, renames } = createUnits(input);
  const decisions = decideAll(units, input);
  blockUnreadable(decisions);
  const paths = assignUnitPaths(getMerged(decisions), units);
  blockTakenPaths(decisions, paths, foldPaths(input.project).union(input.unsavedPaths ?? new Set()));
  blockLostDatamodels(decisions);
  const merged = getMerged(decisions);
  const changes = merged.map((unit) => composeUnit(unit, paths));
  const writes = sortWrites(changes.flatMap((change) => change.writes));
  const deletions = [
    ...changes.flatMap((change) => change.deletions),
    ...select(decisions, 'deleted').flatMap((unit) =>
      getEntries(unit).flatMap(({ key, mine }) =>
        mine === undefined ? [] : [{ key, path: mine.path, previousText: mine.text }],
      ),
    ),
  ];
  const conflicts = [...decisions.values()].flatMap((decision) =>
    decision.kind === 'conflict' ? decision.conflicts : [],
  );
  const localChanges = findLocalChanges(decisions);
  const changedPaths = writes
    .filter(({ previousText }) => previousText !== undefined)
    .map(({ path }) => path);
  const otherPaths = new Set(
    [...changedPaths, ...[...deletions, ...conflicts, ...localChanges].map(({ path }) => path)].filter(
      (path) => path !== undefined,
    ),
  );
  return {
    writes,
    deletions: sortByText(deletions, ({ path }) => path),
    gone: getGone(decisions),
    conflicts,
    unknown: select(decisions, 'unknown').map(({ owner }) => owner.key),
    renames,
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

type Decisions = Map<PullUnit, Decision>;

const select = (decisions: Decisions, kind: Decision['kind']): readonly PullUnit[] =>
  [...decisions].flatMap(([unit, decision]) => (decision.kind === kind ? [unit] : []));

const getMerged = (decisions: Decisions): readonly MergedUnit[] =>
  [...decisions].flatMap(([unit, decision]) =>
    decision.kind === 'merged' ? [{ unit, contents: decision.contents }] : [],
  );

/** SQL is written first: a file never refers to one that is missing, even if the writing is interrupted. */
const sortWrites = (writes: readonly FileWrite[]): readonly FileWrite[] =>
  sortByText(writes, ({ key, path }) => {
    const isSql = key.kind === 'tableExpression' || key.kind === 'columnExpression';
    return `${isSql ? 0 : 1}${path}`;
  });

const getDatamodel = (key: ItemKey): string | undefined => ('datamodel' in key ? key.datamodel : undefined);

function decideAll(units: readonly PullUnit[], input: PullInput): Decisions {
  const { project, pulled, isUnknown, unsavedPaths, prunedKinds = new Set<ItemKind>(), getWinner } = input;
  const isRefused = createRefusalCheck(pulled.refusals);
  const isUnsaved = ({ mine }: PullEntry): boolean =>
    mine !== undefined && unsavedPaths?.has(foldStem(mine.path)) === true;
  const isUnitUnknown = (unit: PullUnit): boolean =>
    getEntries(unit).some(
      (entry) =>
        isUnknown(entry.key) || project.isUnknown(entry.key) || isRefused(entry.key) || isUnsaved(entry),
    );
  const decideSingle = (unit: PullUnit): Decision => {
    if (isUnitUnknown(unit)) {
      return { kind: 'unknown' };
    }
    const decision = decideUnit(unit, prunedKinds);
    const winner = decision.kind === 'conflict' ? getWinner?.(unit.owner.key) : undefined;
    return winner === undefined ? decision : resolveUnit(unit, winner);
  };
  const decisions: Decisions = new Map();
  for (const [datamodel, group] of Map.groupBy(units, ({ owner }) => getDatamodel(owner.key))) {
    const whole =
      datamodel === undefined
        ? undefined
        : decideDatamodel(group, { isUnitUnknown, prunedKinds, getWinner: getWinner ?? noWinner });
    for (const unit of group) {
      decisions.set(unit, whole === undefined ? decideSingle(unit) : whole(unit));
    }
  }
  return decisions;
}

const noWinner = (): undefined => undefined;

interface DecisionRules {
  readonly isUnitUnknown: (unit: PullUnit) => boolean;
  readonly prunedKinds: ReadonlySet<ItemKind>;
  readonly getWinner: NonNullable<PullInput['getWinner']>;
}

/** Decides about a whole datamodel if only one side has it; `undefined` if its units are decided one by one. */
function decideDatamodel(
  units: readonly PullUnit[],
  { isUnitUnknown, prunedKinds, getWinner }: DecisionRules,
): ((unit: PullUnit) => Decision) | undefined {
  const datamodel = units.find(({ owner }) => owner.key.kind === 'datamodel');
  if (datamodel === undefined || isUnitUnknown(datamodel)) {
    return undefined;
  }
  const { mine, theirs, base } = datamodel.owner;
  if (mine !== undefined && theirs === undefined) {
    if (base === undefined) {
      return () => ({ kind: 'kept' });
    }
    if (units.some(isUnitUnknown)) {
      return () => ({ kind: 'unknown' });
    }
    const decision = decideGone(units, prunedKinds.has('datamodel'));
    const winner = decision.kind === 'conflict' ? getWinner(datamodel.owner.key) : undefined;
    if (winner !== undefined) {
      return (unit) => resolveUnit(unit, winner);
    }
    // The conflicts of all units are reported once.
    return decision.kind === 'conflict'
      ? (unit) => (unit === datamodel ? decision : { kind: 'kept' })
      : () => decision;
  }
  return mine === undefined && theirs !== undefined && base !== undefined
    ? decideDeletedDatamodel(units, { isUnitUnknown, winner: getWinner(datamodel.owner.key) })
    : undefined;
}

/** Decides about a datamodel that the project has deleted. If the instance's version wins, all of it comes back. */
function decideDeletedDatamodel(
  units: readonly PullUnit[],
  {
    isUnitUnknown,
    winner,
  }: Pick<DecisionRules, 'isUnitUnknown'> & { readonly winner: ConflictSide | undefined },
): (unit: PullUnit) => Decision {
  const decide = (unit: PullUnit): Decision =>
    isUnitUnknown(unit) ? { kind: 'unknown' } : decideDeletedHere(unit);
  return winner === undefined || !units.some((unit) => decide(unit).kind === 'conflict')
    ? decide
    : (unit) => (isUnitUnknown(unit) ? { kind: 'unknown' } : resolveUnit(unit, winner));
}

/** Turns units into conflicts whose files could not be read again: that would make everything of their kind unknown. */
function blockUnreadable(decisions: Decisions): void {
  for (const merged of getMerged(decisions)) {
    if (!isReadable(merged)) {
      const conflicts = [createConflict(merged.unit.owner, 'unreadable')];
      decisions.set(merged.unit, { kind: 'conflict', conflicts });
    }
  }
}

/** Turns units into conflicts whose new files would replace others. */
function blockTakenPaths(
  decisions: Decisions,
  paths: ReadonlyMap<string, string>,
  occupied: ReadonlySet<string>,
): void {
  for (const merged of getMerged(decisions)) {
    const taken = findTakenPaths(merged, paths, occupied);
    if (taken.length > 0) {
      const conflicts = taken.map((entry) => ({
        ...createConflict(entry, 'path-taken'),
        path: paths.get(formatItemKey(entry.key)),
      }));
      decisions.set(merged.unit, { kind: 'conflict', conflicts });
    }
  }
}

/** New items of a datamodel need its file, which says what they belong to. */
function blockLostDatamodels(decisions: Decisions): void {
  const datamodels = new Set(
    [...decisions].flatMap(([{ owner }, decision]) =>
      owner.key.kind === 'datamodel' &&
      (owner.mine !== undefined || (decision.kind === 'merged' && decision.contents.get(owner) !== undefined))
        ? [owner.key.datamodel]
        : [],
    ),
  );
  for (const { unit, contents } of getMerged(decisions)) {
    const datamodel = getDatamodel(unit.owner.key);
    if (datamodel !== undefined && !datamodels.has(datamodel) && contents.get(unit.owner) !== undefined) {
      decisions.set(unit, { kind: 'unknown' });
    }
  }
}

/** Returns the keys of what is gone, without what belongs to a datamodel that is gone itself. */
function getGone(decisions: Decisions): readonly ItemKey[] {
  const keys = select(decisions, 'gone').map(({ owner }) => owner.key);
  const datamodels = new Set(keys.flatMap((key) => (key.kind === 'datamodel' ? [key.datamodel] : [])));
  return keys.filter((key) => key.kind === 'datamodel' || !datamodels.has(getDatamodel(key) ?? ''));
}

/** What was merged is as the instance has it; of everything else, the lock keeps what it has. */
function createLock(decisions: Decisions, { lock, pulled }: PullInput): Lock {
  const identities = new Map(pulled.identities.map((identity) => [formatItemKey(identity.key), identity]));
  const createEntry = ({ key, theirs }: PullEntry): readonly (readonly [string, LockEntry])[] => {
    if (theirs === undefined) {
      return [];
    }
    const { oid, columns } = identities.get(formatItemKey(key)) ?? {};
    const entry: LockEntry = {
      ...(oid === undefined ? {} : { oid }),
      ...(columns === undefined ? {} : { columns }),
      parts: hashParts(theirs.content),
    };
    return [[formatItemKey(key), entry]];
  };
  const entries = [...decisions].flatMap(([unit, { kind }]) =>
    getEntries(unit).flatMap((entry) =>
      kind === 'merged' || kind === 'deleted'
        ? createEntry(entry)
        : entry.base === undefined
          ? []
          : [[entry.baseKey, entry.base] as const],
    ),
  );
  const numbers = new Set(pulled.bound.map(({ number }) => number));
  return {
    entries: new Map(sortByText(entries, ([key]) => key)),
    bound: [...lock.bound.filter(({ number }) => !numbers.has(number)), ...pulled.bound],
  };
}
