import { sortByText } from '../../base/sortByText.ts';
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
} from './decideUnit.ts';
import type { Lock, LockEntry } from './lock.ts';
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
  readonly counts: PullCounts;
  /** What is known of the instance after the pull. */
  readonly lock: Lock;
}

/** How many files a pull creates, changes, deletes, and leaves as they are. */
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
  blockTakenPaths(decisions, paths, foldPaths(input.project));
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
  const changed = writes.filter(({ previousText }) => previousText !== undefined).length;
  return {
    writes,
    deletions: sortByText(deletions, ({ path }) => path),
    gone: getGone(decisions),
    conflicts: [...decisions.values()].flatMap((decision) =>
      decision.kind === 'conflict' ? decision.conflicts : [],
    ),
    unknown: select(decisions, 'unknown').map(({ owner }) => owner.key),
    renames,
    counts: {
      created: writes.length - changed,
      changed,
      deleted: deletions.length,
      unchanged: input.project.items.length - changed - deletions.length,
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
  const { project, pulled, isUnknown, prunedKinds = new Set<ItemKind>() } = input;
  const isRefused = createRefusalCheck(pulled.refusals);
  const isUnitUnknown = (unit: PullUnit): boolean =>
    getEntries(unit).some(({ key }) => isUnknown(key) || project.isUnknown(key) || isRefused(key));
  const decisions: Decisions = new Map();
  for (const [datamodel, group] of Map.groupBy(units, ({ owner }) => getDatamodel(owner.key))) {
    const whole = datamodel === undefined ? undefined : decideDatamodel(group, isUnitUnknown, prunedKinds);
    for (const unit of group) {
      decisions.set(
        unit,
        whole !== undefined
          ? whole(unit)
          : isUnitUnknown(unit)
            ? { kind: 'unknown' }
            : decideUnit(unit, prunedKinds),
      );
    }
  }
  return decisions;
}

/** Decides about a whole datamodel if only one side has it; `undefined` if its units are decided one by one. */
function decideDatamodel(
  units: readonly PullUnit[],
  isUnitUnknown: (unit: PullUnit) => boolean,
  prunedKinds: ReadonlySet<ItemKind>,
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
    // The conflicts of all units are reported once.
    return decision.kind === 'conflict'
      ? (unit) => (unit === datamodel ? decision : { kind: 'kept' })
      : () => decision;
  }
  return mine === undefined && theirs !== undefined && base !== undefined
    ? (unit) => (isUnitUnknown(unit) ? { kind: 'unknown' } : decideDeletedHere(unit))
    : undefined;
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
  for (const { unit } of getMerged(decisions)) {
    const datamodel = getDatamodel(unit.owner.key);
    if (datamodel !== undefined && !datamodels.has(datamodel) && unit.owner.theirs !== undefined) {
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
