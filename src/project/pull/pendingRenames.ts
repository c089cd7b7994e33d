import { jsonEquals } from '../../base/canonicalJson.ts';
import { sortByText } from '../../base/sortByText.ts';
import { createConversionCheck } from '../instance/conversionResult.ts';
import type { ConvertedInstance } from '../instance/convertInstance.ts';
import { type ItemKey, type ProjectItem, formatItemKey } from '../item.ts';
import { type PullEntry, type PullUnit, getOwnerKey } from './pullUnits.ts';
import type { RenameItem } from './renameItems.ts';

/** An entry, and the item of the instance with the names that the project is going to give it, if it gets any. */
interface NamedEntry {
  readonly entry: PullEntry;
  readonly renamed: ProjectItem | undefined;
}

/**
 * Gives items that no pull has seen the names that the project is going to give them: the item that the instance has
 * under the former name and the one that the project has under the new name become one entry. Items that a pull has
 * seen keep the names that they had then. So do items that would get the same name, such as rules on a column and on its
 * new name, which the instance doesn't have yet: they are marked, because one of them would hide the others.
 */
export function joinPendingRenames(
  units: readonly PullUnit[],
  pulled: Pick<ConvertedInstance, 'notes' | 'refusals'>,
  renameItem: RenameItem,
): readonly PullUnit[] {
  const namedEntries = units.flatMap((unit) => nameEntries(unit, renameItem));
  const entries = new Map(namedEntries.map(({ entry }) => [formatItemKey(entry.key), entry]));
  const findNameCollision = createNameCollisionFinder(namedEntries, pulled);
  const omitted = new Set<PullEntry>();
  const joined = namedEntries.map((named): PullEntry => {
    const { entry, renamed } = named;
    const { theirs, base } = entry;
    const sharedBy = findNameCollision(named);
    if (sharedBy !== undefined) {
      return { ...entry, collidingKeys: sharedBy };
    }
    if (theirs === undefined || renamed === undefined) {
      return entry;
    }
    const newKey = formatItemKey(renamed.key);
    const successor = entries.get(newKey);
    if (successor === entry) {
      return jsonEquals(renamed.content, theirs.content)
        ? entry
        : { ...entry, theirs: renamed, instanceItem: theirs };
    }
    if (successor !== undefined) {
      omitted.add(successor);
    }
    return {
      key: renamed.key,
      ours: successor?.ours,
      theirs: renamed,
      base,
      baseKey: newKey,
      instanceItem: theirs,
    };
  });
  return groupEntries(joined.filter((entry) => !omitted.has(entry)));
}

/** Adds the new names to the entries of a unit whose items no pull has seen. */
function nameEntries({ owner, dependents }: PullUnit, renameItem: RenameItem): readonly NamedEntry[] {
  const nameEntry = (entry: PullEntry, ownerKey?: ItemKey): NamedEntry => {
    const { key, ours, theirs, base } = entry;
    const renamed = theirs === undefined || base !== undefined ? undefined : renameItem(theirs);
    // SQL is only renamed if its table is: it stays in the unit of its table.
    const canBeRenamed =
      renamed !== undefined &&
      (formatItemKey(renamed.key) === formatItemKey(key) ||
        (ours === undefined &&
          (ownerKey === undefined || formatItemKey(ownerKey) === formatItemKey(getOwnerKey(renamed.key)))));
    return { entry, renamed: canBeRenamed ? renamed : undefined };
  };
  const namedOwner = nameEntry(owner);
  const ownerKey = namedOwner.renamed?.key ?? owner.key;
  return [namedOwner, ...dependents.map((entry) => nameEntry(entry, ownerKey))];
}

/**
 * Creates a function that returns the keys of all items of the instance that would have the same name as one that no
 * pull has seen, including those that no file can have; `undefined` if it's the only one.
 */
function createNameCollisionFinder(
  namedEntries: readonly NamedEntry[],
  pulled: Pick<ConvertedInstance, 'notes' | 'refusals'>,
): (named: NamedEntry) => readonly ItemKey[] | undefined {
  const isNotConverted = createConversionCheck(pulled);
  const getNewKey = ({ entry, renamed }: NamedEntry): ItemKey => renamed?.key ?? entry.key;
  const groups = Map.groupBy(
    namedEntries.filter(({ entry: { theirs } }) => theirs !== undefined),
    (named) => formatItemKey(getNewKey(named)),
  );
  return (named) => {
    if (named.renamed === undefined) {
      return undefined;
    }
    const { key } = named.renamed;
    const keys = (groups.get(formatItemKey(key)) ?? []).map(({ entry }) => entry.key);
    const isOwnKey = formatItemKey(key) === formatItemKey(named.entry.key);
    const sharedBy = !isOwnKey && isNotConverted(key) ? [...keys, key] : keys;
    return sharedBy.length > 1 ? sharedBy : undefined;
  };
}

const getUnitKey = ({ key, movedRules }: PullEntry): ItemKey => movedRules?.owner ?? getOwnerKey(key);

/** Groups entries to units, sorted by key. */
const groupEntries = (entries: readonly PullEntry[]): readonly PullUnit[] =>
  sortByText(
    [...Map.groupBy(entries, (entry) => formatItemKey(getUnitKey(entry))).values()].flatMap((group) => {
      const owner = group.find((entry) => getUnitKey(entry) === entry.key);
      return owner === undefined ? [] : [{ owner, dependents: group.filter((entry) => entry !== owner) }];
    }),
    ({ owner }) => formatItemKey(owner.key),
  );
