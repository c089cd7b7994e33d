import type { Project } from '../files/project.ts';
import type { ConvertedInstance } from '../instance/convertInstance.ts';
import { type ItemKey, formatItemKey, parseItemKey } from '../item.ts';
import { assignPaths } from '../paths.ts';
import { deriveRenamer } from '../pull/renames.ts';
import { type Lock, emptyLock } from '../pull/lock.ts';
import { type PullEntry, type MergeUnit, getUnitEntries } from '../pull/mergeUnits.ts';

/** What renames in the project are found from. */
export interface RenameSearchInput {
  readonly project: Project;
  readonly lock: Lock;
  /** `undefined` as long as the instance was not read. */
  readonly instance: ConvertedInstance | undefined;
  /** Returns whether an item can be read in the project, and is managed. */
  readonly isIncluded: (key: ItemKey) => boolean;
  /** Returns whether the reading shows if the instance has an item. */
  readonly isKnownOnServer: (key: ItemKey) => boolean;
}

/** Units in which an item that was renamed in the project is one entry, with its former key. */
export interface JoinedUnits {
  readonly units: readonly MergeUnit[];
  /** The entries of renamed items, and of items that belong to a renamed table or column. */
  readonly renamed: ReadonlySet<PullEntry>;
}

/**
 * Joins the entry of a renamed item in the project with the entry under its former name. A rename is recognized by
 * `renamedFrom`, or because the file of the former item now has the new one. Only the status uses the joined units:
 * pulls and plans aren't affected.
 */
export function joinRenames(units: readonly MergeUnit[], input: RenameSearchInput): JoinedUnits {
  const entries = units.flatMap(getUnitEntries).filter(({ key }) => input.isIncluded(key));
  const added = entries.filter(isAdded);
  const deleted = added.length === 0 ? [] : entries.filter((entry) => isDeletedInProject(entry, input));
  const pairs = deleted.length === 0 ? new Map<PullEntry, PullEntry>() : findPairs(deleted, added, input);
  return pairs.size === 0 ? { units, renamed: new Set() } : joinUnits(units, pairs);
}

const isAdded = ({ ours, theirs, base }: PullEntry): boolean =>
  ours !== undefined && theirs === undefined && base === undefined;

const isDeletedInProject = (
  { key, ours, theirs, base }: PullEntry,
  { isKnownOnServer }: RenameSearchInput,
): boolean => ours === undefined && (isKnownOnServer(key) ? theirs !== undefined : base !== undefined);

/** Returns the entries with the new names by the entries with the former names. */
function findPairs(
  deleted: readonly PullEntry[],
  added: readonly PullEntry[],
  sides: RenameSearchInput,
): ReadonlyMap<PullEntry, PullEntry> {
  const pairs = new Map<PullEntry, PullEntry>();
  const unpairedByKey = new Map(added.map((entry) => [formatItemKey(entry.key), entry]));
  const addPair = (former: PullEntry, entry: PullEntry | undefined): void => {
    if (entry !== undefined) {
      pairs.set(former, entry);
      unpairedByKey.delete(formatItemKey(entry.key));
    }
  };
  // The lock is left out: renames that it shows were made on the instance, and a pull follows them.
  const renamer = deriveRenamer({
    items: sides.project.items,
    lock: emptyLock,
    pulled: listKnownItems(sides),
  });
  for (const entry of deleted) {
    addPair(entry, unpairedByKey.get(formatItemKey(renamer.toProjectKey(entry.key))));
  }
  const freePaths = new Map([...unpairedByKey.values()].map((entry) => [entry.ours?.path, entry]));
  const existing = [
    ...sides.project.items.filter(({ path }) => !freePaths.has(path)),
    ...listFormerPaths(pairs),
  ];
  // Only items in the lock had a file.
  const others = deleted.filter((entry) => !pairs.has(entry) && entry.base !== undefined);
  const paths = assignPaths(
    others.map(({ key }) => key),
    existing,
  );
  for (const entry of others) {
    addPair(entry, freePaths.get(paths.get(formatItemKey(entry.key))));
  }
  return pairs;
}

const listFormerPaths = (pairs: ReadonlyMap<PullEntry, PullEntry>) =>
  [...pairs].flatMap(([{ key }, { ours }]) => (ours === undefined ? [] : [{ key, path: ours.path }]));

/** Lists the items that an instance has, as far as it was read, and those that were last seen there. */
function listKnownItems({ lock, instance }: RenameSearchInput) {
  const lockItems = [...lock.entries].flatMap(([text, { oid = '', columns }]) => {
    const key = parseItemKey(text);
    return key === undefined ? [] : [{ key, oid, ...(columns === undefined ? {} : { columns }) }];
  });
  const pulledTexts = new Set(instance?.identities.map(({ key }) => formatItemKey(key)));
  return {
    items: [...(instance?.items ?? []), ...lockItems],
    identities: [
      ...(instance?.identities ?? []),
      ...lockItems.filter(({ key }) => !pulledTexts.has(formatItemKey(key))),
    ],
  };
}

function joinUnits(units: readonly MergeUnit[], pairs: ReadonlyMap<PullEntry, PullEntry>): JoinedUnits {
  const renamed = new Set<PullEntry>();
  const successors = new Set(pairs.values());
  const unitsByOwner = new Map(units.map((unit) => [unit.owner, unit]));
  const join = (entry: PullEntry): PullEntry => {
    const successor = pairs.get(entry);
    if (successor === undefined) {
      return entry;
    }
    const joined = { ...entry, ours: successor.ours };
    renamed.add(joined);
    return joined;
  };
  const joined = units
    .filter(({ owner }) => !successors.has(owner))
    .map(({ owner, dependents }): MergeUnit => {
      const successor = pairs.get(owner);
      const added = successor === undefined ? [] : (unitsByOwner.get(successor)?.dependents ?? []);
      return {
        owner: join(owner),
        dependents: [...dependents, ...added].filter((entry) => !successors.has(entry)).map(join),
      };
    });
  return { units: joined, renamed };
}
