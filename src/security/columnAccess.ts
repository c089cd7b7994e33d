import type { PartyType } from '../contract/terms.ts';
import type { Grant, NamedParty, ReadRule } from './readRule.ts';
import {
  everything,
  intersection,
  intersectionAll,
  isBlock,
  isNothing,
  isSame,
  nothing,
  union,
  unionAll,
  type ValueSet,
} from './valueSet.ts';

/** Someone who asks: a user and the groups that the user is in; a group alone; or everyone else. */
export interface Party {
  readonly userId?: string;
  readonly groupIds: readonly string[];
  /**
   * Nobody knows which groups the user is in besides those that are named: what group rules could change is in doubt.
   * Without a user it says nothing.
   */
  readonly groupsUnknown?: boolean;
}

/** How several allow-lists of one person combine; the platform's words support both (facts 3.3). */
export type GroupCombination = 'union' | 'intersection';

/** A rule that applies to the party, and by which of its names. */
export interface AppliedRule {
  readonly rule: ReadRule;
  readonly via: PartyType;
}

/**
 * Why nobody can say what the party sees of a column: `lists` that differ, of users or of groups; a rule that can be
 * read in two ways; no rule that matches and none for everyone else; group rules and a user whose groups are unknown.
 */
export type Doubt = 'lists' | 'unclear-rule' | 'no-rule' | 'groups-unknown';

/** What is seen at least and at most, whichever of the possible readings holds. */
export interface Bounds {
  readonly atLeast: ValueSet;
  readonly atMost: ValueSet;
}

/** What a party sees of one column, and the rules that say so. Where nothing is in doubt, both bounds are the access. */
export interface ColumnAccess {
  readonly access: ValueSet | Doubt;
  readonly bounds: Bounds;
  readonly applied: readonly AppliedRule[];
}

/** False for a doubt and for a grant that is unclear. */
const isSet = (access: ValueSet | Doubt | Grant): access is ValueSet => typeof access !== 'string';

/** The rules on one column, found by the parties that they name. */
export interface RulesOfColumn {
  readonly table: string;
  readonly column: string;
  readonly byParty: ReadonlyMap<string, readonly ReadRule[]>;
}

/** Rules by column, in the order in which columns first occur; names are case sensitive (spec). */
export function rulesByColumn(rules: readonly ReadRule[]): readonly RulesOfColumn[] {
  const columns = Map.groupBy(rules, ({ table, column }) => JSON.stringify([table, column]));
  return [...columns.values()].map((ofColumn) => {
    const byParty = new Map<string, ReadRule[]>();
    for (const rule of ofColumn) {
      for (const key of new Set(rule.parties.map(partyKey))) {
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
const partyKey = ({ type, id = '' }: NamedParty): string => `${type}:${id}`;

/** A party as rules are looked up for it: made once, asked of many columns. */
export interface Asker {
  readonly users: ReadonlySet<string>;
  readonly groups: ReadonlySet<string>;
  readonly isUnsure: boolean;
}

export const askerOf = ({ userId, groupIds, groupsUnknown }: Party): Asker => ({
  users: new Set(userId === undefined ? [] : [`user:${userId}`]),
  groups: new Set(groupIds.map((id) => groupPrefix + id)),
  isUnsure: groupsUnknown === true && userId !== undefined,
});

/**
 * What a party sees of one column, from all rules on that column. Each sentence is platform-facts 3.3 or, where that
 * page is silent, design.md, section 13:
 * a user rule and a group rule apply together, the narrower holds; the default rule holds only when neither exists;
 * *Nothing* wins over all; a party that no rule matches, on a column without a default rule, is in doubt.
 * @param lists how allow-lists that differ combine, whoever they are for; in doubt without it
 */
export function columnAccess(
  { byParty }: Pick<RulesOfColumn, 'byParty'>,
  asker: Asker,
  lists: GroupCombination | undefined,
): ColumnAccess {
  const users = matching(byParty, 'user', asker.users);
  const inGroups = matching(byParty, 'group', asker.groups);
  const isNamed = users.length > 0 || inGroups.length > 0;
  const applied = isNamed ? [...users, ...inGroups] : matching(byParty, 'default', new Set([defaultKey]));
  const user = level(users, lists);
  const group = level(inGroups, lists);
  const known = isNamed
    ? narrower(user, group)
    : (level(applied, lists) ?? { access: 'no-rule', bounds: { atLeast: nothing, atMost: everything } });
  const others = asker.isUnsure ? otherGroups(byParty, asker.groups) : [];
  return others.length === 0
    ? { ...known, applied }
    : // Whether the default rule holds is in doubt itself.
      { ...inUnknownGroups({ known, user, group }, others), applied: isNamed ? applied : [] };
}

/** The rules for some of the keys, each once, in the order of the list. Looks through whichever is fewer. */
function matching(
  byParty: RulesOfColumn['byParty'],
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

/** What rules for further groups grant, each once however many groups it is for. */
function otherGroups(byParty: RulesOfColumn['byParty'], known: ReadonlySet<string>): readonly Grant[] {
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

type Reading = Omit<ColumnAccess, 'applied'>;

const certain = (access: ValueSet): Reading => ({ access, bounds: { atLeast: access, atMost: access } });

/**
 * Several rules of one kind of party on one column (platform-facts 3.3, second table): *Nothing* wins; what is
 * blocked is taken off. Allow-lists that differ, and *Everything* beside a list, are not in that table, and the
 * vendor's one sentence about them supports both readings ("accumulates grants, meaning that the most restrictive
 * combination wins"). It does not tell users from groups, so neither is told apart here: in doubt until `lists` says
 * how they combine.
 */
function level(applied: readonly AppliedRule[], lists: GroupCombination | undefined): Reading | undefined {
  const grants = applied.map(({ rule }) => rule.grant);
  if (grants.length === 0) {
    return undefined;
  }
  if (grants.some((grant) => isSet(grant) && isNothing(grant))) {
    return certain(nothing);
  }
  const sets = grants.filter(isSet);
  const blocked = intersectionAll(sets.filter(isBlock));
  const allowed = sets.filter((set) => !isBlock(set));
  const narrow = intersection(intersectionAll(allowed), blocked);
  if (sets.length < grants.length) {
    // Read as Nothing it leaves nothing, read as Everything it takes nothing from what others leave.
    const atMost = lists === 'intersection' ? narrow : blocked;
    return { access: 'unclear-rule', bounds: { atLeast: nothing, atMost } };
  }
  const wide = allowed.length === 0 ? blocked : intersection(unionAll(allowed), blocked);
  const [first = everything, ...others] = allowed;
  if (lists === undefined && others.some((other) => !isSame(first, other))) {
    return { access: 'lists', bounds: { atLeast: narrow, atMost: wide } };
  }
  return certain(lists === 'intersection' ? narrow : wide);
}

/** The more restrictive of user and group rules (platform-facts 3.3); what neither can widen needs no certainty. */
function narrower(user: Reading | undefined, group: Reading | undefined): Reading {
  const both = [user, group].filter((reading) => reading !== undefined);
  const bounds = {
    atLeast: intersectionAll(both.map((reading) => reading.bounds.atLeast)),
    atMost: intersectionAll(both.map((reading) => reading.bounds.atMost)),
  };
  const accesses = both.map(({ access }) => access);
  if (accesses.some((access) => isSet(access) && isNothing(access))) {
    return certain(nothing);
  }
  const doubt = accesses.find((access) => !isSet(access));
  return doubt === undefined ? certain(bounds.atMost) : { access: doubt, bounds };
}

/**
 * The user may be in none of the other groups, in one or in several. Beside a rule for the user they can only take
 * away; in place of the default rule, or beside the list of another group, they can give as well.
 */
function inUnknownGroups(
  {
    known,
    user,
    group,
  }: { readonly known: Reading; readonly user?: Reading | undefined; readonly group?: Reading | undefined },
  others: readonly Grant[],
): Reading {
  const atLeast = intersectionAll([
    known.bounds.atLeast,
    ...others.map((grant) => (isSet(grant) ? grant : nothing)),
  ]);
  const widest = unionAll(others.map((grant) => (isSet(grant) ? grant : everything)));
  const ofGroups = group === undefined ? everything : union(group.bounds.atMost, widest);
  const atMost =
    user === undefined ? union(known.bounds.atMost, widest) : intersection(user.bounds.atMost, ofGroups);
  return isSame(atLeast, atMost)
    ? certain(atLeast)
    : { access: 'groups-unknown', bounds: { atLeast, atMost } };
}
