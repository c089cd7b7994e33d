import {
  getSharePartyId,
  type PartyRef,
  type ParsedRule,
  readRules,
  readArray,
  isNonEmptyString,
  type UnknownObject,
  isObject,
} from '../readRules.ts';
import type { ColumnName } from '../tableAccess.ts';
import { isSameValueSet } from '../valueSet.ts';
import { createShareFields } from '../ruleFields.ts';
import type { DeletedRule } from './ruleDifference.ts';

/** A user or group to remove from rules, or to replace with another one. */
export interface PartyReplacement {
  readonly party: UserOrGroup;
  /** Absent if the party is removed. */
  readonly replacement?: UserOrGroup | undefined;
}

/** A user or group, by its ID. */
export interface UserOrGroup {
  readonly type: 'user' | 'group';
  readonly id: string;
}

/**
 * The reason why the rules of a column are not changed:
 * - `last-rule`: the column would have no rule, so that everyone would see all its values;
 * - `has-rule`: the replacement already has a rule with other values there;
 * - `same-parties`: two rules would be for the same users and groups, which a server may merge;
 * - `no-id`: a rule without an ID can't be changed.
 */
export type SkipReason = 'last-rule' | 'has-rule' | 'same-parties' | 'no-id';

/** What replacing a party changes in the rules of a datamodel or cube set. */
export interface PartyChange {
  readonly updates: readonly { readonly before: UnknownObject; readonly after: UnknownObject }[];
  readonly deletes: readonly DeletedRule[];
  /** The columns whose rules are not changed although they name the party. */
  readonly skippedColumns: readonly (ColumnName & { readonly reason: SkipReason })[];
}

/**
 * Computes how a user or group is removed from the rules of a datamodel or cube set, or replaced with another one.
 * Either all rules of a column that name the party are changed, or none of them.
 * @param current the current rules
 */
export function computePartyChange(
  current: readonly unknown[],
  partyReplacement: PartyReplacement,
  kind: 'extract' | 'live',
): PartyChange {
  const updates: PartyChange['updates'][number][] = [];
  const deletes: DeletedRule[] = [];
  const skippedColumns: PartyChange['skippedColumns'][number][] = [];
  const columns = Map.groupBy(readRules(current), ({ table, column }) => JSON.stringify([table, column]));
  for (const rules of columns.values()) {
    const [first] = rules;
    const result = computeNewPartyKeys(rules, partyReplacement);
    if (first === undefined || result === 'not-named') {
      continue;
    }
    const { table, column } = first;
    if (typeof result === 'string') {
      skippedColumns.push({ table, column, reason: result });
      continue;
    }
    const changes = [...result].map(([{ index }, partyKeys]) => ({ index, partyKeys, rule: current[index] }));
    if (!changes.every(hasId)) {
      skippedColumns.push({ table, column, reason: 'no-id' });
      continue;
    }
    for (const { index, partyKeys, rule } of changes) {
      const shares = createShares(rule, partyKeys, partyReplacement, kind);
      if (shares.length === 0) {
        deletes.push({ index, rule });
      } else {
        updates.push({ before: rule, after: { ...rule, shares } });
      }
    }
  }
  return { updates, deletes, skippedColumns };
}

/** A rule and the keys of its parties after the change. */
interface ChangedRule extends DeletedRule {
  readonly partyKeys: readonly string[];
}

const hasId = (change: Omit<ChangedRule, 'rule'> & { readonly rule: unknown }): change is ChangedRule =>
  isObject(change.rule) && isNonEmptyString(change.rule['_id']);

const getKey = ({ type, id = '' }: PartyRef): string => `${type}:${id}`;

const getSharesKey = (partyKeys: readonly string[]): string => [...new Set(partyKeys)].sort().join('\n');

/**
 * Returns, for each changed rule of a column, the keys of its parties after the change; or the reason why none is
 * changed.
 */
function computeNewPartyKeys(
  rules: readonly ParsedRule[],
  { party, replacement }: PartyReplacement,
): ReadonlyMap<ParsedRule, readonly string[]> | SkipReason | 'not-named' {
  const [key, newKey] = [getKey(party), replacement && getKey(replacement)];
  const keysByRule = new Map(rules.map((rule) => [rule, rule.parties.map(getKey)]));
  const rulesOfParty = rules.filter((rule) => keysByRule.get(rule)?.includes(key));
  if (rulesOfParty.length === 0) {
    return 'not-named';
  }
  const rulesOfReplacement = rules.filter(
    (rule) => newKey !== undefined && keysByRule.get(rule)?.includes(newKey),
  );
  const newKeysByRule = new Map<ParsedRule, readonly string[]>();
  for (const rule of rulesOfParty) {
    const remainingKeys = (keysByRule.get(rule) ?? []).filter((partyKey) => partyKey !== key);
    const otherRulesOfReplacement = rulesOfReplacement.filter((other) => other !== rule);
    if (newKey === undefined || remainingKeys.includes(newKey)) {
      newKeysByRule.set(rule, remainingKeys);
    } else if (otherRulesOfReplacement.length === 0) {
      newKeysByRule.set(rule, [...remainingKeys, newKey]);
    } else if (otherRulesOfReplacement.every((other) => hasSameGrant(rule, other))) {
      // The replacement already has this access.
      newKeysByRule.set(rule, remainingKeys);
    } else {
      return 'has-rule';
    }
  }
  // A rule without parties is kept: only the one that loses its last party is deleted.
  const remainingKeyLists = rules
    .filter((rule) => newKeysByRule.get(rule)?.length !== 0)
    .map((rule) => newKeysByRule.get(rule) ?? keysByRule.get(rule) ?? []);
  if (remainingKeyLists.length === 0) {
    return 'last-rule';
  }
  const countDistinct = (lists: readonly (readonly string[])[]): number =>
    new Set(lists.map(getSharesKey)).size;
  const before = rules.map((rule) => keysByRule.get(rule) ?? []);
  return remainingKeyLists.length - countDistinct(remainingKeyLists) > before.length - countDistinct(before)
    ? 'same-parties'
    : newKeysByRule;
}

const hasSameGrant = (a: ParsedRule, b: ParsedRule): boolean =>
  a.grant !== 'unclear' && b.grant !== 'unclear' && isSameValueSet(a.grant, b.grant);

/**
 * Returns the shares of a rule without the party, and with the replacement if `partyKeys` contains it and the rule does
 * not name it yet.
 */
function createShares(
  rule: UnknownObject,
  partyKeys: readonly string[],
  { party, replacement }: PartyReplacement,
  kind: 'extract' | 'live',
): readonly unknown[] {
  const namesParty = (share: unknown, { type, id }: UserOrGroup): boolean =>
    isObject(share) && share['type'] === type && getSharePartyId(share) === id;
  const otherShares = readArray(rule['shares']).filter((share) => !namesParty(share, party));
  const isAdded =
    replacement !== undefined &&
    partyKeys.includes(getKey(replacement)) &&
    !otherShares.some((share) => namesParty(share, replacement));
  return isAdded ? [...otherShares, createShareFields(replacement, kind)] : otherShares;
}
