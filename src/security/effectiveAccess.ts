import type { PartyType } from '../contract/terms.ts';
import {
  type AppliedRule,
  toPartyKeys,
  type ColumnAccess,
  computeColumnAccess,
  isUncertain,
  type ListCombination,
  type Party,
  groupRulesByColumn,
  type ColumnRuleIndex,
} from './columnAccess.ts';
import { readArray, isObject, isNonEmptyString, readRules } from './readRules.ts';
import { isAllValues, isNoValues, type ValueSet } from './valueSet.ts';

export type Verdict = 'all' | 'none' | 'only' | 'except' | 'ambiguous';

/** A rule that a verdict is based on, and whether it names the user, one of their groups, or everyone else. */
export interface Because {
  readonly ruleId?: string;
  readonly via: PartyType;
}

/** A party's access to one column that has rules; `values` are the visible (`only`) or hidden (`except`) values. */
export interface EffectiveAccess {
  readonly table: string;
  readonly column: string;
  readonly verdict: Verdict;
  readonly values: readonly string[];
  readonly because: readonly Because[];
}

/** A column that has rules, and a party's access to it. */
export interface ColumnAccessResult extends ColumnAccess {
  readonly table: string;
  readonly column: string;
}

/**
 * Computes a party's access to every column that has a rule, in the order in which the columns first occur. A column
 * without rules restricts no one (platform-facts.md, 3.3) and is left out. Names are case sensitive (rest-api.md, "Data
 * security rule" 2).
 * @param rules the rules of one datamodel or cube set, from any source; invalid rules are ignored
 * @param party a user with groups, a group (`groupIds` of one), or everyone else (neither)
 * @param options how allow-lists that differ are combined (see {@link computeColumnAccess}); if absent, such columns
 *   are `ambiguous` (decisions.md, "Stable interfaces")
 */
export function effectiveAccess(
  rules: readonly unknown[],
  party: Party,
  options?: { readonly groups: ListCombination },
): readonly EffectiveAccess[] {
  return getColumnAccess(rules, party, options).map(({ table, column, access, appliedRules }) => ({
    table,
    column,
    ...toVerdict(access),
    because: appliedRules.map(toBecause),
  }));
}

/** The least and the most that a party sees in one column, each as a verdict. */
export interface AccessBounds {
  readonly table: string;
  readonly column: string;
  readonly atLeast: ReturnType<typeof toCertainVerdict>;
  readonly atMost: ReturnType<typeof toCertainVerdict>;
}

/**
 * Like {@link effectiveAccess}, but returns the least and the most that the party sees under the possible readings of
 * the rules. If nothing is uncertain, both equal the verdict.
 */
export const getAccessBounds = (
  rules: readonly unknown[],
  party: Party,
  options?: { readonly groups: ListCombination },
): readonly AccessBounds[] =>
  getColumnAccess(rules, party, options).map(({ table, column, bounds }) => ({
    table,
    column,
    atLeast: toCertainVerdict(bounds.atLeast),
    atMost: toCertainVerdict(bounds.atMost),
  }));

/** Like {@link effectiveAccess}, but returns the rules themselves and the reasons for uncertainty. */
export const getColumnAccess = (
  rules: readonly unknown[],
  party: Party,
  options?: { readonly groups: ListCombination },
): readonly ColumnAccessResult[] => getPartyAccess(groupRulesByColumn(readRules(rules)), party, options);

/** Like {@link getColumnAccess}, for rules that are already grouped by column: for use with many parties. */
export function getPartyAccess(
  columns: readonly ColumnRuleIndex[],
  party: Party,
  options?: { readonly groups: ListCombination },
): readonly ColumnAccessResult[] {
  const partyKeys = toPartyKeys(readParty(party));
  const { groups } = isObject(options) ? options : {};
  const combination = groups === 'union' || groups === 'intersection' ? groups : undefined;
  return columns.map((columnIndex) => ({
    table: columnIndex.table,
    column: columnIndex.column,
    ...computeColumnAccess(columnIndex, partyKeys, combination),
  }));
}

/** Reads a party from any value. IDs that are empty or not text are ignored. */
function readParty(party: unknown): Party {
  const { userId, groupIds, groupsUnknown } = isObject(party) ? party : {};
  return {
    ...(isNonEmptyString(userId) ? { userId } : {}),
    groupIds: readArray(groupIds).filter(isNonEmptyString),
    groupsUnknown: groupsUnknown === true,
  };
}

export function toVerdict(access: ColumnAccess['access']): Pick<EffectiveAccess, 'verdict' | 'values'> {
  return isUncertain(access) ? { verdict: 'ambiguous', values: [] } : toCertainVerdict(access);
}

/** Converts a set of values to a verdict, which is then never `ambiguous`. */
export function toCertainVerdict(set: ValueSet): {
  readonly verdict: Exclude<Verdict, 'ambiguous'>;
  readonly values: readonly string[];
} {
  if (isAllValues(set)) {
    return { verdict: 'all', values: [] };
  }
  return isNoValues(set) ? { verdict: 'none', values: [] } : { verdict: set.kind, values: [...set.values] };
}

const toBecause = ({ rule, matchedType }: AppliedRule): Because => ({
  ...(rule.ruleId === undefined ? {} : { ruleId: rule.ruleId }),
  via: matchedType,
});
