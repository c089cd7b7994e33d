import { sortByText } from '../../base/sortByText.ts';
import { readRules } from '../readRules.ts';

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
  /** The combinations that were found, by the groups that they were found for. */
  readonly #combinations = new Map<string, readonly GroupSet[]>();

  /**
   * @param groupSets the groups of each user; `undefined` if those of some users are unknown. The same groups may occur
   *   several times.
   */
  constructor(getGroupIds: GetGroupIds = () => undefined, groupSets?: readonly GroupSet[]) {
    this.getGroupIds = getGroupIds;
    this.isComplete = groupSets !== undefined;
    const groupSetsByGroup = new Map<string, GroupSet[]>();
    for (const groupSet of sortByText(getDistinctCombinations(groupSets ?? []), toKey)) {
      for (const id of groupSet) {
        const groupSetsOfGroup = groupSetsByGroup.get(id) ?? [];
        groupSetsByGroup.set(id, groupSetsOfGroup);
        groupSetsOfGroup.push(groupSet);
      }
    }
    this.#groupSetsByGroup = groupSetsByGroup;
  }

  /**
   * Finds the groups that users are in at the same time: two or more of the named groups, at least one of them with
   * changed rules. If the groups of some users are unknown, any two may have a user in common. The time does not depend
   * on users without a changed group. If there are more than the maximum, the IDs decide which ones are returned, not
   * the order in which the groups or users are known.
   */
  findCombinations(
    changedGroupIds: ReadonlySet<string>,
    namedGroupIds: ReadonlySet<string>,
  ): { readonly combinations: readonly GroupSet[]; readonly hasMore: boolean } {
    const changedIds = [...changedGroupIds].sort();
    const namedIds = [...namedGroupIds].sort();
    const combinations = this.isComplete
      ? this.#findUserCombinations(changedIds, namedIds)
      : createPairs(changedIds, namedIds);
    return {
      combinations: combinations.slice(0, maxCombinations),
      hasMore: combinations.length > maxCombinations,
    };
  }

  #findUserCombinations(changedIds: GroupSet, namedIds: GroupSet): readonly GroupSet[] {
    // Results are cached, because often many columns have rules for the same groups.
    const key = JSON.stringify([changedIds, namedIds]);
    let combinations = this.#combinations.get(key);
    if (combinations === undefined) {
      const groupSets = new Set(changedIds.flatMap((id) => this.#groupSetsByGroup.get(id) ?? []));
      const namedGroupIds = new Set(namedIds);
      combinations = getDistinctCombinations(
        groupSets.values().map((ids) => ids.filter((id) => namedGroupIds.has(id))),
        maxCombinations + 1,
      );
      this.#combinations.set(key, combinations);
    }
    return combinations;
  }
}

/** Returns the first pairs with at least one changed group: at most one more than the maximum. */
function createPairs(changedIds: GroupSet, namedIds: GroupSet): readonly GroupSet[] {
  const earlierIds = new Set<string>();
  const pairs: GroupSet[] = [];
  for (const id of changedIds) {
    earlierIds.add(id);
    for (const other of namedIds) {
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

const toKey = (ids: GroupSet): string => JSON.stringify(ids);

/** Returns each combination of two or more groups once, up to a maximum number. */
function getDistinctCombinations(
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
      byKey.set(toKey(sortedIds), sortedIds);
    }
  }
  return [...byKey.values()];
}

/**
 * Returns whether the effect of rules depends on memberships: they name several groups, which may have members in
 * common, or both users and groups.
 */
export function dependsOnMemberships(rules: readonly unknown[]): boolean {
  const parties = readRules(rules).flatMap((rule) => rule.parties);
  const groupIds = new Set(parties.flatMap(({ type, id = '' }) => (type === 'group' ? [id] : [])));
  return groupIds.size > 1 || (groupIds.size > 0 && parties.some(({ type }) => type === 'user'));
}
