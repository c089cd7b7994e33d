import type { PartyType } from '../contract/terms.ts';
import type { Grant, NamedParty, ReadRule } from './readRule.ts';
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
 * How several allow-lists for one party are combined: the platform's documentation supports both ways
 * (platform-facts.md, 3.3).
 */
export type GroupCombination = 'union' | 'intersection';

/** A rule that applies to the party, and the type of the party in the rule that it matched. */
export interface AppliedRule {
  readonly rule: ReadRule;
  readonly via: PartyType;
}

/**
 * Why a party's access to a column is uncertain: allow-lists that differ (`lists`), a rule that can be read in two
 * ways, no matching rule and none for everyone else (`no-rule`), or group rules for a user whose groups are unknown.
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
  readonly applied: readonly AppliedRule[];
}

/** Returns whether the access or grant is certain. */
const isValueSet = (access: ValueSet | UncertaintyReason | Grant): access is ValueSet =>
  typeof access !== 'string';

/** The rules on one column, indexed by the parties that they name. */
export interface ColumnRuleIndex {
  readonly table: string;
  readonly column: string;
  readonly byParty: ReadonlyMap<string, readonly ReadRule[]>;
}

/**
 * Groups rules by column, in the order in which columns first occur; names are case sensitive
 * (rest-api.md, "Data security rule" 2).
 */
export function groupRulesByColumn(rules: readonly ReadRule[]): readonly ColumnRuleIndex[] {
  const columns = Map.groupBy(rules, ({ table, column }) => JSON.stringify([table, column]));
  return [...columns.values()].map((ofColumn) => {
    const byParty = new Map<string, ReadRule[]>();
    for (const rule of ofColumn) {
      for (const key of new Set(rule.parties.map(getPartyKey))) {
        const known = byParty.get(key);
        if (known === undefined) {
          byParty.set(key, [rule]);
        } else {
          known.push(rule);
        }
      }
    }
    const { table, column } = ofColumn[0] ?? { table: '', column: '' };
    return { table, column, byParty };
  });
}

const groupPrefix = 'group:';
const defaultKey = 'default:';
const getPartyKey = ({ type, id = '' }: NamedParty): string => `${type}:${id}`;

/** A party's keys in {@link ColumnRuleIndex.byParty}, computed once for many columns. */
export interface PartyKeys {
  readonly users: ReadonlySet<string>;
  readonly groups: ReadonlySet<string>;
  readonly hasUnknownGroups: boolean;
}

export const toPartyKeys = ({ userId, groupIds, groupsUnknown }: Party): PartyKeys => ({
  users: new Set(userId === undefined ? [] : [`user:${userId}`]),
  groups: new Set(groupIds.map((id) => groupPrefix + id)),
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
  lists: GroupCombination | undefined,
): ColumnAccess {
  const users = findApplicableRules(byParty, 'user', partyKeys.users);
  const inGroups = findApplicableRules(byParty, 'group', partyKeys.groups);
  const isNamed = users.length > 0 || inGroups.length > 0;
  const applied = isNamed
    ? [...users, ...inGroups]
    : findApplicableRules(byParty, 'default', new Set([defaultKey]));
  const user = combineRules(users, lists);
  const group = combineRules(inGroups, lists);
  const known = isNamed
    ? intersectReadings(user, group)
    : (combineRules(applied, lists) ?? {
        access: 'no-rule',
        bounds: { atLeast: noValues, atMost: allValues },
      });
  const others = partyKeys.hasUnknownGroups ? getOtherGroupGrants(byParty, partyKeys.groups) : [];
  return others.length === 0
    ? { ...known, applied }
    : // Without a matching rule, it is uncertain whether the default rule applies.
      { ...withUnknownGroups({ known, user, group }, others), applied: isNamed ? applied : [] };
}

/**
 * Finds the rules for any of the keys, each once, by index. Iterates over the keys or the index, whichever is smaller.
 */
function findApplicableRules(
  byParty: ColumnRuleIndex['byParty'],
  via: PartyType,
  keys: ReadonlySet<string>,
): readonly AppliedRule[] {
  // A rule for several groups of the party applies once.
  const found = new Set<ReadRule>();
  const few = keys.size <= byParty.size ? keys : byParty.keys();
  for (const key of few) {
    if (keys.has(key)) {
      for (const rule of byParty.get(key) ?? []) {
        found.add(rule);
      }
    }
  }
  return [...found].sort((a, b) => a.index - b.index).map((rule) => ({ rule, via }));
}

/** Returns the grants of rules for other groups; a rule for several groups counts once. */
function getOtherGroupGrants(
  byParty: ColumnRuleIndex['byParty'],
  known: ReadonlySet<string>,
): readonly Grant[] {
  const found = new Set<ReadRule>();
  for (const [key, rules] of byParty) {
    if (key.startsWith(groupPrefix) && !known.has(key)) {
      for (const rule of rules) {
        found.add(rule);
      }
    }
  }
  return Array.from(found, ({ grant }) => grant);
}

type AccessReading = Omit<ColumnAccess, 'applied'>;

const createCertainAccess = (access: ValueSet): AccessReading => ({
  access,
  bounds: { atLeast: access, atMost: access },
});

/**
 * Combines several rules for one kind of party on one column (platform-facts.md, 3.3, second table): *Nothing* wins;
 * blocked values are subtracted. Allow-lists that differ, and *Everything* combined with a list, are not in that table,
 * and the vendor's only sentence about them supports both readings ("accumulates grants, meaning that the most
 * restrictive combination wins"). Without `listCombination`, the access is therefore uncertain. The sentence does not
 * distinguish users from groups, so neither does this function.
 */
function combineRules(
  applied: readonly AppliedRule[],
  lists: GroupCombination | undefined,
): AccessReading | undefined {
  const grants = applied.map(({ rule }) => rule.grant);
  if (grants.length === 0) {
    return undefined;
  }
  if (grants.some((grant) => isValueSet(grant) && isNoValues(grant))) {
    return createCertainAccess(noValues);
  }
  const sets = grants.filter(isValueSet);
  const blocked = intersectAll(sets.filter(isExclusion));
  const allowed = sets.filter((set) => !isExclusion(set));
  const narrow = intersect(intersectAll(allowed), blocked);
  if (sets.length < grants.length) {
    // An unclear rule may mean Nothing, which leaves no values, or Everything, which removes none.
    const atMost = lists === 'intersection' ? narrow : blocked;
    return { access: 'unclear-rule', bounds: { atLeast: noValues, atMost } };
  }
  const wide = allowed.length === 0 ? blocked : intersect(unionAll(allowed), blocked);
  const [first = allValues, ...others] = allowed;
  if (lists === undefined && others.some((other) => !isSameValueSet(first, other))) {
    return { access: 'lists', bounds: { atLeast: narrow, atMost: wide } };
  }
  return createCertainAccess(lists === 'intersection' ? narrow : wide);
}

/**
 * Combines user and group rules: the more restrictive wins (platform-facts.md, 3.3). If one of them allows nothing, the
 * result is certain even if the other is not.
 */
function intersectReadings(user: AccessReading | undefined, group: AccessReading | undefined): AccessReading {
  const both = [user, group].filter((reading) => reading !== undefined);
  const bounds = {
    atLeast: intersectAll(both.map((reading) => reading.bounds.atLeast)),
    atMost: intersectAll(both.map((reading) => reading.bounds.atMost)),
  };
  const accesses = both.map(({ access }) => access);
  if (accesses.some((access) => isValueSet(access) && isNoValues(access))) {
    return createCertainAccess(noValues);
  }
  const doubt = accesses.find((access) => !isValueSet(access));
  return doubt === undefined ? createCertainAccess(bounds.atMost) : { access: doubt, bounds };
}

/**
 * Widens the bounds for a user who may be in none, one or several of the other groups. If the user has a rule, group
 * rules can only restrict it. In place of the default rule, or combined with lists of other groups, they can also add
 * values.
 */
function withUnknownGroups(
  {
    known,
    user,
    group,
  }: {
    readonly known: AccessReading;
    readonly user?: AccessReading | undefined;
    readonly group?: AccessReading | undefined;
  },
  others: readonly Grant[],
): AccessReading {
  const atLeast = intersectAll([
    known.bounds.atLeast,
    ...others.map((grant) => (isValueSet(grant) ? grant : noValues)),
  ]);
  const widest = unionAll(others.map((grant) => (isValueSet(grant) ? grant : allValues)));
  const ofGroups = group === undefined ? allValues : union(group.bounds.atMost, widest);
  const atMost =
    user === undefined ? union(known.bounds.atMost, widest) : intersect(user.bounds.atMost, ofGroups);
  return isSameValueSet(atLeast, atMost)
    ? createCertainAccess(atLeast)
    : { access: 'groups-unknown', bounds: { atLeast, atMost } };
}
