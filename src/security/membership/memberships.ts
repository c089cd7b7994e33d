import { readRules } from '../readRule.ts';

/** Returns the IDs of the groups of a user; `undefined` if they are unknown. */
export type GetGroupIds = (userId: string) => readonly string[] | undefined;

/** Groups that a user may be in at the same time. */
type GroupSet = readonly string[];

/** The maximum number of combinations to return. */
const maxCombinations = 200;

/** What is known about the groups of users. */
export class Memberships {
  readonly getGroupIds: GetGroupIds;
  /** Whether the groups of all users are known. */
  readonly areComplete: boolean;
  /** The different sets of groups that users are in, by each of these groups. */
  readonly #groupSetsByGroup: ReadonlyMap<string, readonly GroupSet[]>;
  /** The combinations that were found, by the groups that they were found for. */
  readonly #combinations = new Map<string, readonly GroupSet[]>();

  /**
   * @param groupSets the groups of each user; `undefined` if those of some users are unknown. The same groups may occur
   *   several times.
   */
  constructor(getGroupIds: GetGroupIds = () => undefined, groupSets?: readonly GroupSet[]) {
    this.getGroupIds = getGroupIds;
    this.areComplete = groupSets !== undefined;
    const groupSetsByGroup = new Map<string, GroupSet[]>();
    for (const groupSet of removeDuplicates(groupSets ?? [])) {
      for (const id of groupSet) {
        const groupSetsOfGroup = groupSetsByGroup.get(id) ?? [];
        groupSetsByGroup.set(id, groupSetsOfGroup);
        groupSetsOfGroup.push(groupSet);
      }
    }
    this.#groupSetsByGroup = groupSetsByGroup;
  }

  /**
   * Finds the groups that users are in at the same time: two or more of `named`, of which at least one has `changed`. If
   * the groups of some users are unknown, any two may have a user in common. The time does not depend on users without a
   * changed group.
   */
  findCombinations(
    changed: ReadonlySet<string>,
    named: ReadonlySet<string>,
  ): { readonly combinations: readonly GroupSet[]; readonly hasMore: boolean } {
    const combinations = this.areComplete ? this.#findOfUsers(changed, named) : createPairs(changed, named);
    return {
      combinations: combinations.slice(0, maxCombinations),
      hasMore: combinations.length > maxCombinations,
    };
  }

  #findOfUsers(changed: ReadonlySet<string>, named: ReadonlySet<string>): readonly GroupSet[] {
    // Often, many columns have rules for the same groups.
    const key = JSON.stringify([[...changed].sort(), [...named].sort()]);
    let combinations = this.#combinations.get(key);
    if (combinations === undefined) {
      const groupSets = new Set([...changed].flatMap((id) => this.#groupSetsByGroup.get(id) ?? []));
      combinations = removeDuplicates(
        groupSets.values().map((ids) => ids.filter((id) => named.has(id))),
        maxCombinations + 1,
      );
      this.#combinations.set(key, combinations);
    }
    return combinations;
  }
}

/** The first pairs with at least one changed group: one more than the maximum. */
function createPairs(changed: ReadonlySet<string>, named: ReadonlySet<string>): readonly GroupSet[] {
  const earlier = new Set<string>();
  const pairs: GroupSet[] = [];
  for (const id of changed) {
    earlier.add(id);
    for (const other of named) {
      if (!earlier.has(other)) {
        pairs.push([id, other]);
      }
      if (pairs.length > maxCombinations) {
        return pairs;
      }
    }
  }
  return pairs;
}

/** Returns each combination of two or more groups once, up to a maximum number. */
function removeDuplicates(
  combinations: Iterable<GroupSet>,
  maxCount = Number.POSITIVE_INFINITY,
): readonly GroupSet[] {
  const byKey = new Map<string, GroupSet>();
  for (const ids of combinations) {
    if (byKey.size >= maxCount) {
      break;
    }
    const sortedIds = [...new Set(ids)].sort();
    if (sortedIds.length > 1) {
      byKey.set(JSON.stringify(sortedIds), sortedIds);
    }
  }
  return [...byKey.values()];
}

/**
 * Returns whether the effect of rules depends on memberships: they name users, and groups that these may be in, or several
 * groups that a user may be in.
 */
export function dependsOnMemberships(rules: readonly unknown[]): boolean {
  const parties = readRules(rules).flatMap((rule) => rule.parties);
  const groupIds = new Set(parties.flatMap(({ type, id = '' }) => (type === 'group' ? [id] : [])));
  return groupIds.size > 1 || (groupIds.size > 0 && parties.some(({ type }) => type === 'user'));
}
