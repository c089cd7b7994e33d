import type { PartyType } from '../contract/ruleTerms.ts';
import type { Grant, NamedParty, ReadRule } from './readRule.ts';
import {
  everything,
  intersection,
  isBlock,
  isNothing,
  isSame,
  nothing,
  union,
  type ValueSet,
} from './valueSet.ts';

/** Someone who asks: a user and the groups that the user is in; a group alone; or everybody else. */
export interface Party {
  readonly userId?: string;
  readonly groupIds: readonly string[];
}

/** How allow-lists of several groups of one person combine; the platform's words support both (facts 3.3). */
export type GroupCombination = 'union' | 'intersection';

/** A rule that applies to the party, and by which of its names. */
export interface AppliedRule {
  readonly rule: ReadRule;
  readonly via: PartyType;
}

/** Why nobody can tell what the party sees of a column. */
export type Doubt = 'groups' | 'unclear-rule' | 'no-rule';

/** What a party sees of one column, and the rules that say so. */
export interface ColumnAccess {
  readonly access: ValueSet | Doubt;
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

const partyKey = ({ type, id = '' }: NamedParty): string => `${type}:${id}`;

/**
 * What a party sees of one column, from all rules on that column. Each sentence is platform-facts 3.3 or, where that
 * page is silent, design.md, section 13:
 * a user rule and a group rule apply together, the narrower holds; the default rule holds only when neither exists;
 * *Nothing* wins over all; a party that no rule matches, on a column without a default rule, is in doubt.
 */
export function columnAccess(
  { byParty }: Pick<RulesOfColumn, 'byParty'>,
  { userId, groupIds }: Party,
  groups: GroupCombination | undefined,
): ColumnAccess {
  const matching = (via: PartyType, parties: readonly NamedParty[]): readonly AppliedRule[] => {
    const found = new Set(parties.flatMap((party) => byParty.get(partyKey(party)) ?? []));
    // A rule for several groups of the party applies once.
    return [...found].sort((a, b) => a.index - b.index).map((rule) => ({ rule, via }));
  };
  const users = matching('user', userId === undefined ? [] : [{ type: 'user', id: userId }]);
  const inGroups = matching(
    'group',
    groupIds.map((id) => ({ type: 'group', id })),
  );
  if (users.length === 0 && inGroups.length === 0) {
    const defaults = matching('default', [{ type: 'default' }]);
    // Several lists for one party are one list: only those of different groups are in doubt (design.md, 13).
    return { access: level(defaults, 'union') ?? 'no-rule', applied: defaults };
  }
  return {
    access: narrower(level(users, 'union'), level(inGroups, groups)),
    applied: [...users, ...inGroups],
  };
}

/**
 * Several rules of one kind of party on one column (platform-facts 3.3, second table): *Nothing* wins; what is
 * blocked is taken off; allow-lists of different groups, and *Everything* beside one of them, are in doubt until
 * `lists` says how they combine.
 */
function level(
  applied: readonly AppliedRule[],
  lists: GroupCombination | undefined,
): ValueSet | Doubt | undefined {
  const grants = applied.map(({ rule }) => rule.grant);
  if (grants.length === 0) {
    return undefined;
  }
  if (grants.some((grant) => isSet(grant) && isNothing(grant))) {
    return nothing;
  }
  const sets = grants.filter(isSet);
  if (sets.length < grants.length) {
    return 'unclear-rule';
  }
  const [start = everything, ...others] = sets.filter((set) => !isBlock(set));
  if (lists === undefined && others.some((other) => !isSame(start, other))) {
    return 'groups';
  }
  const allowed = others.reduce(lists === 'intersection' ? intersection : union, start);
  return sets.filter(isBlock).reduce(intersection, allowed);
}

/** The more restrictive of user and group rules (platform-facts 3.3); what neither can widen needs no certainty. */
function narrower(user: ValueSet | Doubt | undefined, group: ValueSet | Doubt | undefined): ValueSet | Doubt {
  const both = [user, group].filter((access) => access !== undefined);
  const sets = both.filter(isSet);
  if (sets.some(isNothing)) {
    return nothing;
  }
  return both.find((access) => !isSet(access)) ?? sets.reduce(intersection, everything);
}
