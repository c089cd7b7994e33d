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
  readonly isComplete: boolean;
  /** The distinct sets of groups that users are in, by each group in the set. */
  readonly #groupSetsByGroup: ReadonlyMap<string, readonly GroupSet[]>;

  /**
   * @param groupSets the groups of each user; `undefined` if those of some users are unknown. The same groups may occur
   *   several times.
   */
  constructor(getGroupIds: GetGroupIds = () => undefined, groupSets?: readonly GroupSet[]) {
    this.getGroupIds = getGroupIds;
    this.isComplete = groupSets !== undefined;
    const groupSetsByGroup = new Map<string, GroupSet[]>();
    for (const groupSet of getDistinctCombinations(groupSets ?? [])) {
      for (const id of groupSet) {
        const groupSetsOfGroup = groupSetsByGroup.get(id) ?? [];
        groupSetsByGroup.set(id, groupSetsOfGroup);
        groupSetsOfGroup.push(groupSet);
      }
    }
    this.#groupSetsByGroup = groupSetsByGroup;
  }

  /**
   * Finds the groups that users are in at the same time: two or more of the named groups, at least one of which is a
   * changed one. If the groups of some users are unknown, any two may have a user in common. The time does not depend
   * on users without a changed group.
   */
  findCombinations(
    changedGroupIds: ReadonlySet<string>,
    namedGroupIds: ReadonlySet<string>,
  ): { readonly combinations: readonly GroupSet[]; readonly hasMore: boolean } {
    const combinations = this.isComplete
      ? this.#findUserCombinations(changedGroupIds, namedGroupIds)
      : createPairs(changedGroupIds, namedGroupIds);
    return {
      combinations: combinations.slice(0, maxCombinations),
      hasMore: combinations.length > maxCombinations,
    };
  }

  #findUserCombinations(
    changedGroupIds: ReadonlySet<string>,
    namedGroupIds: ReadonlySet<string>,
  ): readonly GroupSet[] {
    const groupSets = new Set([...changedGroupIds].flatMap((id) => this.#groupSetsByGroup.get(id) ?? []));
    return getDistinctCombinations([...groupSets].map((ids) => ids.filter((id) => namedGroupIds.has(id))));
  }
}

/** Returns the first pairs with at least one changed group: at most one more than the maximum. */
function createPairs(
  changedGroupIds: ReadonlySet<string>,
  namedGroupIds: ReadonlySet<string>,
): readonly GroupSet[] {
  const earlierIds = new Set<string>();
  const pairs: GroupSet[] = [];
  for (const id of changedGroupIds) {
    earlierIds.add(id);
    for (const other of namedGroupIds) {
      if (!earlierIds.has(other)) {
        pairs.push([id, other]);
      }
      if (pairs.length > maxCombinations) {
        return pairs;
      }
    }
  }
  return pairs;
}

/** Returns each combination of two or more groups once; shorter ones are left out. */
function getDistinctCombinations(combinations: readonly GroupSet[]): readonly GroupSet[] {
  const byKey = new Map<string, GroupSet>();
  for (const ids of combinations) {
    const sortedIds = [...new Set(ids)].sort();
    if (sortedIds.length > 1) {
      byKey.set(JSON.stringify(sortedIds), sortedIds);
    }
  }
  return [...byKey.values()];
}

/**
 * Returns whether the effect of rules depends on memberships: they name users, and groups that these may be in, or
 * several groups that a user may be in.
 */
export function dependsOnMemberships(rules: readonly unknown[]): boolean {
  const parties = readRules(rules).flatMap((rule) => rule.parties);
  const groupIds = new Set(parties.flatMap(({ type, id = '' }) => (type === 'group' ? [id] : [])));
  return groupIds.size > 1 || (groupIds.size > 0 && parties.some(({ type }) => type === 'user'));
}
