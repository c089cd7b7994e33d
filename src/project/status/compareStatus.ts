import { sortByText } from '../../base/sortByText.ts';
import type { FileItem, Project } from '../files/project.ts';
import { type ConvertedInstance, convertInstance } from '../instance/convertInstance.ts';
import { type ItemKey, type ProjectItem, formatItemKey, getOwnerKeys } from '../item.ts';
import { type ItemPath, assignPaths } from '../paths.ts';
import { type ContentMatch, matchContents } from '../compare/matchContents.ts';
import type { Lock, LockEntry } from '../pull/lock.ts';
import { mergeEntry } from '../pull/decideUnit.ts';
import { equalsBase } from '../pull/mergeItem.ts';
import { isUnchangedFile } from '../pull/unchangedFiles.ts';
import { type PullEntry, type MergeUnit, createUnits, getUnitEntries } from '../pull/mergeUnits.ts';
import type { ItemStatus, SideState, UncomparedFile } from './itemStatus.ts';
import { joinRenames } from './joinRenames.ts';

/** The items of an instance, as far as they are known. */
export interface ServerContents {
  readonly instance: ConvertedInstance;
  /** Returns whether an item could not be read, can't be stored in a file, or is not managed. */
  readonly isUnknownOnInstance: (key: ItemKey) => boolean;
}

/** What a status is computed from. */
export interface StatusInput {
  readonly project: Project;
  readonly lock: Lock;
  /** `undefined` as long as the instance was not read. */
  readonly server: ServerContents | undefined;
  readonly isManaged: (key: ItemKey) => boolean;
}

const emptyInstance = convertInstance({
  datamodels: [],
  cubeSets: [],
  viewpoints: [],
  customData: [],
  users: [],
  groups: [],
  numberedReferences: [],
});

type Sides = Pick<ItemStatus, 'here' | 'server' | 'isConflict' | 'isNeverPulled'>;

/** An entry with its unit. */
interface LocatedEntry {
  readonly unit: MergeUnit;
  readonly entry: PullEntry;
  /** Whether the item was renamed in the project, or belongs to a table or column that was. */
  readonly isRenamed: boolean;
}

/** An item that differs, with the entry and the unit that it was compared from. */
export interface ComparedItem {
  readonly unit: MergeUnit;
  readonly entry: PullEntry;
  readonly status: ItemStatus;
}

/** The items of a project with their states in the project and on the instance. */
export interface StatusComparison {
  readonly units: readonly MergeUnit[];
  /** The items that differ, sorted by path. */
  readonly items: readonly ComparedItem[];
  /** The files that don't differ as far as that is known, but weren't compared with the instance, sorted by path. */
  readonly uncomparedFiles: readonly UncomparedFile[];
}

/**
 * Compares the items of a project with what the last pull has seen, and with what the instance has now if that is
 * known. Remembers the comparisons of contents: a second call compares only the contents that have changed.
 */
export class StatusComparer {
  /** Whether an item equals the lock entry that it was last compared with. */
  readonly #baseComparisons = new WeakMap<
    ProjectItem,
    { readonly base: LockEntry; readonly isEqual: boolean }
  >();
  /** How the content of a file matches that of the instance that it was last compared with. */
  readonly #matches = new WeakMap<
    ProjectItem,
    { readonly theirs: ProjectItem; readonly base: LockEntry | undefined; readonly match: ContentMatch }
  >();

  compare({ project, lock, server, isManaged }: StatusInput): StatusComparison {
    const pulled = server?.instance ?? emptyInstance;
    const isIncluded = (key: ItemKey): boolean => isManaged(key) && !project.mayBeInUnreadFile(key);
    const { units, renamed } = joinRenames(
      createUnits({ project, lock, pulled, isUnknownOnInstance: server?.isUnknownOnInstance }).units,
      {
        project,
        lock,
        instance: server?.instance,
        isIncluded,
        isKnownOnServer: (key) => server !== undefined && !server.isUnknownOnInstance(key),
      },
    );
    const differing = units
      .flatMap((unit) => getUnitEntries(unit).map((entry) => ({ unit, entry })))
      .filter(({ entry }) => isIncluded(entry.key))
      .flatMap(({ unit, entry }) => {
        const sides = this.#getSides({ unit, entry, isRenamed: renamed.has(entry) }, server);
        return sides === undefined ? [] : [{ unit, entry, ...sides, ...pickFormerName(entry, renamed) }];
      });
    const paths = assignMissingPaths(
      differing.flatMap(({ entry }) => (entry.ours === undefined ? [entry.key] : [])),
      [
        ...project.items,
        ...[...renamed].flatMap(({ key, ours }) => (ours ? [{ key, path: ours.path }] : [])),
      ],
    );
    const differingEntries = new Set(differing.map(({ entry }) => entry));
    const items = differing.map(({ unit, entry, ...sides }) => ({
      unit,
      entry,
      status: {
        key: entry.key,
        path: entry.ours?.path ?? paths.get(formatItemKey(entry.key)) ?? '',
        ...sides,
      },
    }));
    return {
      units,
      items: sortByText(omitImpliedDeletions(items), ({ status }) => status.path),
      uncomparedFiles: findUncomparedFiles(
        units.flatMap(getUnitEntries).filter((entry) => !differingEntries.has(entry)),
        { project, server, isManaged },
      ),
    };
  }

  /**
   * Returns the states of an item in the project and on the instance; `undefined` if neither has changed, or if both
   * have the same content.
   */
  #getSides({ unit, entry, isRenamed }: LocatedEntry, server: ServerContents | undefined): Sides | undefined {
    const { ours, theirs, base } = entry;
    const here = this.#getState(ours, base, isUnchangedFile);
    if (server === undefined || server.isUnknownOnInstance(entry.key)) {
      return here === 'unchanged'
        ? undefined
        : { here, server: 'unknown', isConflict: false, isNeverPulled: false };
    }
    const there = this.#getState(theirs, base, ({ key, content }, { parts }) =>
      equalsBase(key, content, parts),
    );
    const match =
      ours === undefined || theirs === undefined
        ? undefined
        : this.#match(ours, theirs, base, server.instance.getPulledName);
    // An apply would change nothing, although the instance has more than the file.
    const isApplied = match === 'applied' && base !== undefined;
    const changed = isApplied ? 'unchanged' : isRenamed && there === 'changed' ? 'changed' : here;
    if (
      (ours === undefined && theirs === undefined) ||
      match === 'equal' ||
      (changed === 'unchanged' && there === 'unchanged')
    ) {
      return undefined;
    }
    const haveBothChanged = changed !== 'unchanged' && there !== 'unchanged';
    // Without a lock entry, either version may be the older one. If the lock has a table without SQL, it had no SQL.
    const isNeverPulled =
      ours !== undefined && theirs !== undefined && base === undefined && unit.owner.base === undefined;
    // A pull can't merge an item that has another name on the instance.
    const isConflict = haveBothChanged && !isNeverPulled && (isRenamed || isInConflict(unit, entry));
    return { here: changed, server: there, isConflict, isNeverPulled };
  }

  #getState<Item extends ProjectItem>(
    item: Item | undefined,
    base: LockEntry | undefined,
    equalsEntry: (item: Item, base: LockEntry) => boolean,
  ): SideState {
    if (item === undefined) {
      return base === undefined ? 'unchanged' : 'deleted';
    }
    if (base === undefined) {
      return 'added';
    }
    const cached = this.#baseComparisons.get(item);
    if (cached?.base === base) {
      return cached.isEqual ? 'unchanged' : 'changed';
    }
    const result = equalsEntry(item, base);
    this.#baseComparisons.set(item, { base, isEqual: result });
    return result ? 'unchanged' : 'changed';
  }

  #match(
    ours: FileItem,
    theirs: ProjectItem,
    base: LockEntry | undefined,
    getPulledName: ConvertedInstance['getPulledName'],
  ): ContentMatch {
    const cached = this.#matches.get(ours);
    if (cached?.theirs === theirs && cached.base === base) {
      return cached.match;
    }
    const match = matchContents(ours, theirs, getPulledName, base?.parts);
    this.#matches.set(ours, { theirs, base, match });
    return match;
  }
}

/** Returns the former name of an item that was itself renamed, and not only belongs to a renamed table or column. */
function pickFormerName(entry: PullEntry, renamed: ReadonlySet<PullEntry>): Pick<ItemStatus, 'formerName'> {
  const formerName = renamed.has(entry) ? getOwnName(entry.key) : undefined;
  return formerName === undefined || entry.ours === undefined || getOwnName(entry.ours.key) === formerName
    ? {}
    : { formerName };
}

/** Returns the name of an item; `undefined` for SQL, relations, and rules, which have no names of their own. */
function getOwnName(key: ItemKey): string | undefined {
  switch (key.kind) {
    case 'datamodel':
      return key.datamodel;
    case 'dataset':
      return key.dataset;
    case 'table':
      return key.table;
    case 'viewpoint':
      return key.viewpoint;
    case 'customData':
      return key.name;
    case 'tableExpression':
    case 'columnExpression':
    case 'relation':
    case 'rules':
    case 'cubeSetRules':
      return undefined;
  }
}

/** Returns the files of entries whose state on the instance is unknown although the instance was read. */
const findUncomparedFiles = (
  entries: readonly PullEntry[],
  { project, server, isManaged }: Omit<StatusInput, 'lock'>,
): readonly UncomparedFile[] =>
  server === undefined
    ? []
    : sortByText(
        entries.flatMap(({ key, ours }) =>
          ours === undefined || project.mayBeInUnreadFile(key) || !server.isUnknownOnInstance(key)
            ? []
            : [{ path: ours.path, key, isManaged: isManaged(key) }],
        ),
        ({ path }) => path,
      );

/** Leaves out items that were deleted together with their table or datamodel. */
function omitImpliedDeletions(items: readonly ComparedItem[]): readonly ComparedItem[] {
  const sides = ['here', 'server'] as const;
  const deleted = new Set(
    items.flatMap(({ status }) =>
      sides
        .filter((side) => status[side] === 'deleted')
        .map((side) => `${side} ${formatItemKey(status.key)}`),
    ),
  );
  return deleted.size === 0
    ? items
    : items.filter(
        ({ status }) =>
          !sides.some(
            (side) =>
              status[side] === 'deleted' &&
              getOwnerKeys(status.key).some((owner) => deleted.has(`${side} ${formatItemKey(owner)}`)),
          ),
      );
}

const isInConflict = (unit: MergeUnit, entry: PullEntry): boolean =>
  entry.ours === undefined || entry.theirs === undefined || 'conflicts' in mergeEntry(unit, entry);

const assignMissingPaths = (
  keys: readonly ItemKey[],
  existing: readonly ItemPath[],
): ReadonlyMap<string, string> => (keys.length === 0 ? new Map() : assignPaths(keys, existing));
