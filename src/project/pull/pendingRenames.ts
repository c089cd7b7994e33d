import { jsonEquals } from '../../base/canonicalJson.ts';
import { sortByText } from '../../base/sortByText.ts';
import { type ItemKey, formatItemKey } from '../item.ts';
import { type PullEntry, type PullUnit, getUnitEntries, getOwnerKey } from './pullUnits.ts';
import type { TranslateNames } from './translateNames.ts';

/**
 * Gives items that no pull has seen the names that the project is going to give them: the item that the instance has
 * under the former name and the one that the project has under the new name become one entry. Items that a pull has
 * seen keep the names that they had then.
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
    // SQL is only joined if its table is: it stays in the unit of its table.
    if (
      ours !== undefined ||
      (ownerKey !== undefined && formatItemKey(ownerKey) !== formatItemKey(getOwnerKey(theirs.key)))
    ) {
      return entry;
    }
    if (successor !== undefined && !isOnlyInProject(successor)) {
      // The instance already has rules on the new name, so a plan refuses the rename. Only these rules are compared.
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
