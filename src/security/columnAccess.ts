import type { PartyType } from '../contract/terms.ts';
import type { Grant, PartyRef, ParsedRule } from './readRules.ts';
import {
  allValues,
  intersect,
  intersectAll,
  isExclusion,
  isNoValues,
  isSameValueSet,
  noValues,
  union,
  unionAll,
  type ValueSet,
} from './valueSet.ts';

/** The party whose access is computed: a user with the groups that they are in, a single group, or everyone else. */
export interface Party {
  readonly userId?: string;
  readonly groupIds: readonly string[];
  /**
   * True if the user may be in more groups than `groupIds`: access that rules for other groups could change is then
   * uncertain. Ignored without a user.
   */
  readonly groupsUnknown?: boolean;
}

/**
 * How several allow-lists for one party are combined: the platform's documentation supports both
 * (platform-facts.md, 3.3).
 */
export type ListCombination = 'union' | 'intersection';

/** A rule that applies to the party, and the type of the party in the rule that it matched. */
export interface AppliedRule {
  readonly rule: ParsedRule;
  readonly matchedType: PartyType;
}

/**
 * The reason why a party's access to a column is uncertain: allow-lists that differ (`lists`), a rule that can be read
 * in two ways, no matching rule and none for everyone else (`no-rule`), or group rules for a user whose groups are
 * unknown.
 */
export type UncertaintyReason = 'lists' | 'unclear-rule' | 'no-rule' | 'groups-unknown';

/** The least and the most that the party sees under the possible readings of the rules. */
export interface ValueSetBounds {
  readonly atLeast: ValueSet;
  readonly atMost: ValueSet;
}

/**
 * A party's access to one column, and the rules it is based on. If nothing is uncertain, both bounds are the access.
 */
export interface ColumnAccess {
  readonly access: ValueSet | UncertaintyReason;
  readonly bounds: ValueSetBounds;
  readonly appliedRules: readonly AppliedRule[];
}

/** Returns whether it's uncertain which values of a column a party sees: the access is then the reason. */
export const isUncertain = (access: ColumnAccess['access']): access is UncertaintyReason =>
  typeof access === 'string';

/** Returns whether the access or grant is certain. */
const isValueSet = (access: ValueSet | UncertaintyReason | Grant): access is ValueSet =>
  typeof access !== 'string';

/** The rules on one column, indexed by the parties that they name. */
export interface ColumnRuleIndex {
  readonly table: string;
  readonly column: string;
  readonly byParty: ReadonlyMap<string, readonly ParsedRule[]>;
}

/**
 * Groups rules by column, in the order in which columns first occur; names are case sensitive
 * (rest-api.md, "Data security rule" 2).
 */
export function groupRulesByColumn(rules: readonly ParsedRule[]): readonly ColumnRuleIndex[] {
  const columns = Map.groupBy(rules, ({ table, column }) => JSON.stringify([table, column]));
  return [...columns.values()].map((columnRules) => {
    const byParty = new Map<string, ParsedRule[]>();
    for (const rule of columnRules) {
      for (const key of new Set(rule.parties.map(getPartyKey))) {
        const partyRules = byParty.get(key);
        if (partyRules === undefined) {
          byParty.set(key, [rule]);
        } else {
          partyRules.push(rule);
        }
      }
    }
    // A group is never empty, so the empty names are never used.
    const { table, column } = columnRules[0] ?? { table: '', column: '' };
    return { table, column, byParty };
  });
}

const groupPrefix = 'group:';
const defaultKey = 'default:';
const getPartyKey = ({ type, id = '' }: PartyRef): string => `${type}:${id}`;

/** A party's keys in {@link ColumnRuleIndex.byParty}, computed once for many columns. */
export interface PartyKeys {
  readonly userKeys: ReadonlySet<string>;
  readonly groupKeys: ReadonlySet<string>;
  readonly hasUnknownGroups: boolean;
}

export const toPartyKeys = ({ userId, groupIds, groupsUnknown }: Party): PartyKeys => ({
  userKeys: new Set(userId === undefined ? [] : [`user:${userId}`]),
  groupKeys: new Set(groupIds.map((id) => groupPrefix + id)),
  hasUnknownGroups: groupsUnknown === true && userId !== undefined,
});

/**
 * Computes a party's access to one column from all rules on that column. Each statement is from platform-facts.md, 3.3
 * or, if that page does not define it, decisions.md, "Stable interfaces":
 * a user rule and a group rule apply together, so the narrower one wins; the default rule applies only without either;
 * *Nothing* wins over all others; the access is uncertain if no rule matches and there is no default rule.
 * @param listCombination how allow-lists that differ are combined; if absent, they make the access uncertain
 */
export function computeColumnAccess(
  { byParty }: Pick<ColumnRuleIndex, 'byParty'>,
  partyKeys: PartyKeys,
  listCombination: ListCombination | undefined,
): ColumnAccess {
  const userRules = findApplicableRules(byParty, 'user', partyKeys.userKeys);
  const groupRules = findApplicableRules(byParty, 'group', partyKeys.groupKeys);
  const hasOwnRules = userRules.length > 0 || groupRules.length > 0;
  const applied = hasOwnRules
    ? [...userRules, ...groupRules]
    : findApplicableRules(byParty, 'default', new Set([defaultKey]));
  const userAccess = combineRules(userRules, listCombination);
  const groupAccess = combineRules(groupRules, listCombination);
  const knownAccess = hasOwnRules
    ? intersectAccess(userAccess, groupAccess)
    : (combineRules(applied, listCombination) ?? {
        access: 'no-rule',
        bounds: { atLeast: noValues, atMost: allValues },
      });
  const otherGroupGrants = partyKeys.hasUnknownGroups
    ? getOtherGroupGrants(byParty, partyKeys.groupKeys)
    : [];
  return otherGroupGrants.length === 0
    ? { ...knownAccess, appliedRules: applied }
    : // Without a matching rule, it is uncertain whether the default rule applies.
      {
        ...withUnknownGroups({ knownAccess, userAccess, groupAccess }, otherGroupGrants),
        appliedRules: hasOwnRules ? applied : [],
      };
}

/**
 * Finds the rules for any of the keys, each once, sorted by their index. Iterates over the keys or the index, whichever
 * is smaller.
 */
function findApplicableRules(
  byParty: ColumnRuleIndex['byParty'],
  matchedType: PartyType,
  keys: ReadonlySet<string>,
): readonly AppliedRule[] {
  // A rule for several groups of the party applies once.
  const matchingRules = new Set<ParsedRule>();
  const smallerKeys = keys.size <= byParty.size ? keys : byParty.keys();
  for (const key of smallerKeys) {
    if (keys.has(key)) {
      for (const rule of byParty.get(key) ?? []) {
        matchingRules.add(rule);
      }
    }
  }
  return [...matchingRules].sort((a, b) => a.index - b.index).map((rule) => ({ rule, matchedType }));
}

/** Returns the grants of rules for other groups; a rule for several groups counts once. */
function getOtherGroupGrants(
  byParty: ColumnRuleIndex['byParty'],
  groupKeys: ReadonlySet<string>,
): readonly Grant[] {
  const matchingRules = new Set<ParsedRule>();
  for (const [key, rules] of byParty) {
    if (key.startsWith(groupPrefix) && !groupKeys.has(key)) {
      for (const rule of rules) {
        matchingRules.add(rule);
      }
    }
  }
  return Array.from(matchingRules, ({ grant }) => grant);
}

type CombinedAccess = Omit<ColumnAccess, 'appliedRules'>;

const createCertainAccess = (access: ValueSet): CombinedAccess => ({
  access,
  bounds: { atLeast: access, atMost: access },
});

/**
 * Combines several rules for one kind of party on one column (platform-facts.md, 3.3, second table): *Nothing* wins;
 * blocked values are subtracted. Allow-lists that differ, and *Everything* combined with a list, are undecided in that
 * table: the vendor's only sentence about them supports both readings ("accumulates grants, meaning that the most
 * restrictive combination wins"). Without `listCombination`, the access is therefore uncertain. The sentence does not
 * distinguish users from groups, so neither does this function.
 */
function combineRules(
  applied: readonly AppliedRule[],
  listCombination: ListCombination | undefined,
): CombinedAccess | undefined {
  const grants = applied.map(({ rule }) => rule.grant);
  if (grants.length === 0) {
    return undefined;
  }
  if (grants.some((grant) => isValueSet(grant) && isNoValues(grant))) {
    return createCertainAccess(noValues);
  }
  const sets = grants.filter(isValueSet);
  const unblockedValues = intersectAll(sets.filter(isExclusion));
  const allowLists = sets.filter((set) => !isExclusion(set));
  const narrowest = intersect(intersectAll(allowLists), unblockedValues);
  if (sets.length < grants.length) {
    // An unclear rule may mean Nothing, which leaves no values, or Everything, which removes none.
    const atMost = listCombination === 'intersection' ? narrowest : unblockedValues;
    return { access: 'unclear-rule', bounds: { atLeast: noValues, atMost } };
  }
  const widest = allowLists.length === 0 ? unblockedValues : intersect(unionAll(allowLists), unblockedValues);
  const [first = allValues, ...others] = allowLists;
  if (listCombination === undefined && others.some((other) => !isSameValueSet(first, other))) {
    return { access: 'lists', bounds: { atLeast: narrowest, atMost: widest } };
  }
  return createCertainAccess(listCombination === 'intersection' ? narrowest : widest);
}

/**
 * Combines user and group rules: the more restrictive wins (platform-facts.md, 3.3). If one of them allows nothing, the
 * result is certain even if the other is not.
 */
function intersectAccess(
  userAccess: CombinedAccess | undefined,
  groupAccess: CombinedAccess | undefined,
): CombinedAccess {
  const definedAccesses = [userAccess, groupAccess].filter((access) => access !== undefined);
  const bounds = {
    atLeast: intersectAll(definedAccesses.map(({ bounds: { atLeast } }) => atLeast)),
    atMost: intersectAll(definedAccesses.map(({ bounds: { atMost } }) => atMost)),
  };
  const accesses = definedAccesses.map(({ access }) => access);
  if (accesses.some((access) => isValueSet(access) && isNoValues(access))) {
    return createCertainAccess(noValues);
  }
  const uncertainty = accesses.find((access) => !isValueSet(access));
  return uncertainty === undefined ? createCertainAccess(bounds.atMost) : { access: uncertainty, bounds };
}

/**
 * Widens the bounds for a user who may be in none, one or several of the other groups. If the user has a rule, the
 * rules of other groups can only restrict it. Without such a rule, they can also add values: they replace the default
 * rule, or their lists are united with those of the known groups.
 */
function withUnknownGroups(
  {
    knownAccess,
    userAccess,
    groupAccess,
  }: {
    readonly knownAccess: CombinedAccess;
    readonly userAccess?: CombinedAccess | undefined;
    readonly groupAccess?: CombinedAccess | undefined;
  },
  otherGroupGrants: readonly Grant[],
): CombinedAccess {
  const atLeast = intersectAll([
    knownAccess.bounds.atLeast,
    ...otherGroupGrants.map((grant) => (isValueSet(grant) ? grant : noValues)),
  ]);
  const otherGroupsAtMost = unionAll(
    otherGroupGrants.map((grant) => (isValueSet(grant) ? grant : allValues)),
  );
  const groupsAtMost =
    groupAccess === undefined ? allValues : union(groupAccess.bounds.atMost, otherGroupsAtMost);
  const atMost =
    userAccess === undefined
      ? union(knownAccess.bounds.atMost, otherGroupsAtMost)
      : intersect(userAccess.bounds.atMost, groupsAtMost);
  return isSameValueSet(atLeast, atMost)
    ? createCertainAccess(atLeast)
    : { access: 'groups-unknown', bounds: { atLeast, atMost } };
}
