import { jsonEquals } from '../../base/canonicalJson.ts';
import { sortByText } from '../../base/sortByText.ts';
import { type ItemKey, formatItemKey } from '../item.ts';
import { type PullEntry, type PullUnit, getUnitEntries, getOwnerKey } from './pullUnits.ts';
import type { TranslateNames } from './translateNames.ts';

/**
 * Gives what no pull has seen the names that it's going to get from the project: an item that the instance has under the
 * former name, and the project under the new one, becomes one entry. What a pull has seen keeps the names it had then.
 */
export function joinPendingRenames(
  units: readonly PullUnit[],
  translate: TranslateNames,
): readonly PullUnit[] {
  const entries = new Map(units.flatMap(getUnitEntries).map((entry) => [formatItemKey(entry.key), entry]));
  const omitted = new Set<PullEntry>();
  const join = (entry: PullEntry, ownerKey?: ItemKey): PullEntry => {
    const { ours, theirs: pulled, base } = entry;
    if (pulled === undefined || base !== undefined) {
      return entry;
    }
    const theirs = translate(pulled);
    const text = formatItemKey(theirs.key);
    const successor = entries.get(text);
    if (successor === entry) {
      return jsonEquals(theirs.content, pulled.content) ? entry : { ...entry, theirs, pulled };
    }
    // SQL follows its table.
    if (
      ours !== undefined ||
      (ownerKey !== undefined && formatItemKey(ownerKey) !== formatItemKey(getOwnerKey(theirs.key)))
    ) {
      return entry;
    }
    if (successor !== undefined && !isOnlyInProject(successor)) {
      // The instance also has rules on the new name, for which a plan refuses the rename: only those are compared.
      omitted.add(entry);
      return entry;
    }
    if (successor !== undefined) {
      omitted.add(successor);
    }
    return { key: theirs.key, ours: successor?.ours, theirs, base, baseKey: text, pulled };
  };
  const joined = units.flatMap(({ owner, dependents }) => {
    const joinedOwner = join(owner);
    return [joinedOwner, ...dependents.map((entry) => join(entry, joinedOwner.key))];
  });
  return groupEntries(joined.filter((entry) => !omitted.has(entry)));
}

const isOnlyInProject = ({ ours, theirs, base }: PullEntry): boolean =>
  ours !== undefined && theirs === undefined && base === undefined;

const getUnitKey = ({ key, moved }: PullEntry): ItemKey => moved?.owner ?? getOwnerKey(key);

/** Groups entries to units, sorted by key. */
const groupEntries = (entries: readonly PullEntry[]): readonly PullUnit[] =>
  sortByText(
    [...Map.groupBy(entries, (entry) => formatItemKey(getUnitKey(entry))).values()].flatMap((group) => {
      const owner = group.find((entry) => getUnitKey(entry) === entry.key);
      return owner === undefined ? [] : [{ owner, dependents: group.filter((entry) => entry !== owner) }];
    }),
    ({ owner }) => formatItemKey(owner.key),
  );
