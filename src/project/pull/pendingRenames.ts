import { jsonEquals } from '../../base/canonicalJson.ts';
import { sortByText } from '../../base/sortByText.ts';
import { createNotConvertedCheck } from '../instance/conversionResult.ts';
import type { ConvertedInstance } from '../instance/convertInstance.ts';
import { type ItemKey, type ProjectItem, formatItemKey } from '../item.ts';
import { type PullEntry, type MergeUnit, getUnitOwnerKey } from './mergeUnits.ts';
import type { RenameItem } from './renameItems.ts';

/**
 * An entry, and the item of the instance with the names that the project is going to give it; `undefined` if it keeps
 * its names.
 */
interface RenamedEntry {
  readonly entry: PullEntry;
  readonly renamed: ProjectItem | undefined;
}

/**
 * Applies renames that are in the files of the project, but not yet on the instance. The item that the instance has
 * under the former name, and the one that the project has under the new name, become one entry. Items with a lock entry
 * keep the names in it, because they were pulled with these names. Items of the instance that would get the same name
 * keep theirs, too: for example, rules on `A` and rules on `B` if the project renames `A` to `B`. They get
 * `collidingKeys`, because one of them would hide the others.
 */
export function joinPendingRenames(
  units: readonly MergeUnit[],
  pulled: Pick<ConvertedInstance, 'notes' | 'conversionErrors'>,
  renameItem: RenameItem,
): readonly MergeUnit[] {
  const renamedEntries = units.flatMap((unit) => addRenamedItems(unit, renameItem));
  const entries = new Map(renamedEntries.map(({ entry }) => [formatItemKey(entry.key), entry]));
  const findNameCollision = createNameCollisionFinder(renamedEntries, pulled);
  const omitted = new Set<PullEntry>();
  const joined = renamedEntries.map((renamedEntry): PullEntry => {
    const { entry, renamed } = renamedEntry;
    const { theirs, base } = entry;
    const sharedBy = findNameCollision(renamedEntry);
    if (sharedBy !== undefined) {
      return { ...entry, collidingKeys: sharedBy };
    }
    if (theirs === undefined || renamed === undefined) {
      return entry;
    }
    const newKey = formatItemKey(renamed.key);
    const entryWithNewKey = entries.get(newKey);
    if (entryWithNewKey === entry) {
      return jsonEquals(renamed.content, theirs.content)
        ? entry
        : { ...entry, theirs: renamed, instanceItem: theirs };
    }
    if (entryWithNewKey !== undefined) {
      omitted.add(entryWithNewKey);
    }
    return {
      key: renamed.key,
      ours: entryWithNewKey?.ours,
      theirs: renamed,
      base,
      baseKey: newKey,
      instanceItem: theirs,
    };
  });
  return groupEntries(joined.filter((entry) => !omitted.has(entry)));
}

/** Adds the renamed items to the entries of a unit. Entries of items in the lock get none. */
function addRenamedItems({ owner, dependents }: MergeUnit, renameItem: RenameItem): readonly RenamedEntry[] {
  const addRenamedItem = (entry: PullEntry, ownerKey?: ItemKey): RenamedEntry => {
    const { key, ours, theirs, base } = entry;
    const renamed = theirs === undefined || base !== undefined ? undefined : renameItem(theirs);
    // SQL is only renamed if its table is: it stays in the unit of its table.
    const canBeRenamed =
      renamed !== undefined &&
      (formatItemKey(renamed.key) === formatItemKey(key) ||
        (ours === undefined &&
          (ownerKey === undefined ||
            formatItemKey(ownerKey) === formatItemKey(getUnitOwnerKey(renamed.key)))));
    return { entry, renamed: canBeRenamed ? renamed : undefined };
  };
  const renamedOwner = addRenamedItem(owner);
  const ownerKey = renamedOwner.renamed?.key ?? owner.key;
  return [renamedOwner, ...dependents.map((entry) => addRenamedItem(entry, ownerKey))];
}

/**
 * Creates a function that returns the keys of all items of the instance that would have the same name as a renamed
 * item, including items that couldn't be converted to a file; `undefined` if it's the only one.
 */
function createNameCollisionFinder(
  renamedEntries: readonly RenamedEntry[],
  pulled: Pick<ConvertedInstance, 'notes' | 'conversionErrors'>,
): (renamedEntry: RenamedEntry) => readonly ItemKey[] | undefined {
  const isNotConverted = createNotConvertedCheck(pulled);
  const getNewKey = ({ entry, renamed }: RenamedEntry): ItemKey => renamed?.key ?? entry.key;
  const groups = Map.groupBy(
    renamedEntries.filter(({ entry: { theirs } }) => theirs !== undefined),
    (renamedEntry) => formatItemKey(getNewKey(renamedEntry)),
  );
  return (renamedEntry) => {
    if (renamedEntry.renamed === undefined) {
      return undefined;
    }
    const { key } = renamedEntry.renamed;
    const keys = (groups.get(formatItemKey(key)) ?? []).map(({ entry }) => entry.key);
    const isOwnKey = formatItemKey(key) === formatItemKey(renamedEntry.entry.key);
    const sharedBy = !isOwnKey && isNotConverted(key) ? [...keys, key] : keys;
    return sharedBy.length > 1 ? sharedBy : undefined;
  };
}

const getUnitKey = ({ key, movedRules }: PullEntry): ItemKey => movedRules?.owner ?? getUnitOwnerKey(key);

/** Groups entries into units, sorted by key. Entries without an owner are left out. */
const groupEntries = (entries: readonly PullEntry[]): readonly MergeUnit[] =>
  sortByText(
    [...Map.groupBy(entries, (entry) => formatItemKey(getUnitKey(entry))).values()].flatMap((group) => {
      const owner = group.find((entry) => getUnitKey(entry) === entry.key);
      return owner === undefined ? [] : [{ owner, dependents: group.filter((entry) => entry !== owner) }];
    }),
    ({ owner }) => formatItemKey(owner.key),
  );
