import { toCanonicalText } from '../../base/canonicalJson.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json.ts';
import { isServerManagedField } from '../../contract/serverManagedFields.ts';
import { partyTypes, ruleIdentityFields } from '../../contract/rule.ts';
import { type Grant, isText, type NamedParty, readRules } from '../../security/readRule.ts';
import { isExclusion, isAllValues, isNoValues, type ValueSet } from '../../security/valueSet.ts';

/** A rule with the properties that determine its order among others: its parties, its column, and what it grants. */
export interface HeldRule {
  readonly rule: JsonObject;
  /** Empty if the server returned none. */
  readonly id: string;
  /** Table and column as one text; names are case sensitive (rest-api.md, "Data security rule"). */
  readonly column: string;
  /**
   * The parties as one text, in any order: a POST overwrites a rule with exactly the same (platform-facts.md,
   * 3.4).
   */
  readonly shares: string;
  readonly parties: readonly NamedParty[];
  readonly grant: Grant;
}

/** Returns the text of a party; a user and a group with the same ID are different parties. */
export const getPartyKey = ({ type, id = '' }: NamedParty): string => `${type}:${id}`;

const getSharesKey = (parties: readonly string[]): string => JSON.stringify([...new Set(parties)].sort());

/** Returns parties of undocumented kinds, which are compared as they are. */
function unknownShares({ shares }: JsonObject): readonly string[] {
  const list = Array.isArray(shares) ? (shares as readonly JsonValue[]) : [];
  return list.flatMap((share) => {
    const type = isJsonObject(share) ? share['type'] : undefined;
    return partyTypes.some((known) => known === type) ? [] : [`?${toCanonicalText(share)}`];
  });
}

export const getColumnKeyText = (table: unknown, column: unknown): string => JSON.stringify([table, column]);

/** Returns the rule as the policy sees it; `undefined` if it is not a rule on a column. */
export function toHeldRule(rule: JsonObject): HeldRule | undefined {
  const [read] = readRules([rule]);
  if (read === undefined) {
    return undefined;
  }
  const { table, column, parties, grant } = read;
  const id = rule['_id'];
  return {
    rule,
    id: isText(id) ? id : '',
    column: getColumnKeyText(table, column),
    shares: getSharesKey([...parties.map(getPartyKey), ...unknownShares(rule)]),
    parties,
    grant,
  };
}

export const toHeldRules = (rules: readonly JsonObject[]): readonly HeldRule[] =>
  rules.flatMap((rule) => toHeldRule(rule) ?? []);

/** Returns the place of a rule: a POST may overwrite a rule with the same text. */
export const getSpotKey = ({ column, shares }: Pick<HeldRule, 'column' | 'shares'>): string =>
  `${column}${shares}`;

/**
 * Returns the place of a rule that is denied in place by an update, so that a new rule there belongs to someone else.
 */
export const getInPlaceSpotKey = (rule: Pick<HeldRule, 'column' | 'shares'>): string =>
  `=${getSpotKey(rule)}`;

export const deniesAll = ({ grant }: Pick<HeldRule, 'grant'>): boolean =>
  grant !== 'unclear' && isNoValues(grant);

/** Fields that are compared by meaning, and those that the server assigns or the path carries. */
const readFields: ReadonlySet<string> = new Set([
  ...ruleIdentityFields,
  'table',
  'column',
  'datatype',
  'members',
  'allMembers',
  'exclusionary',
  'shares',
]);

const getGrantKey = ({ rule, grant }: HeldRule): string => {
  if (grant === 'unclear') {
    const { members = null, allMembers = null, exclusionary } = rule;
    return toCanonicalText([members, allMembers, exclusionary ?? false]);
  }
  return JSON.stringify([grant.kind, [...grant.values].sort()]);
};

/**
 * Returns whether a rule on the server fulfills a wanted one: the same grant to the same parties on the same column,
 * and the same in every other field that both have. A server may omit fields that it doesn't know.
 */
export function fulfills(held: HeldRule, wanted: HeldRule): boolean {
  return (
    getSpotKey(held) === getSpotKey(wanted) &&
    getGrantKey(held) === getGrantKey(wanted) &&
    Object.entries(wanted.rule).every(([name, value]) => {
      const own = held.rule[name];
      const isCompared = name === 'datatype' || (!readFields.has(name) && !isServerManagedField(name));
      return (
        !isCompared || own === undefined || own === null || toCanonicalText(own) === toCanonicalText(value)
      );
    })
  );
}

/** The relation between what two grants show, in combination with any other rules. */
export type Comparison = 'same' | 'narrower' | 'wider' | 'other';

/**
 * Compares two grants for the same parties. Rules that hide values combine with others differently than lists do
 * (platform-facts.md, 3.3), so a list never counts as narrower or wider than such a rule.
 */
export function compareGrants(a: Grant, b: Grant): Comparison {
  if (a === 'unclear' || b === 'unclear') {
    return 'other';
  }
  if (isSubset(a, b)) {
    return isSubset(b, a) ? 'same' : 'narrower';
  }
  return isSubset(b, a) ? 'wider' : 'other';
}

/** Returns whether `a` shows no more than `b`, in every combination with other rules. */
function isSubset(a: ValueSet, b: ValueSet): boolean {
  if (isNoValues(a) || isAllValues(b)) {
    return true;
  }
  if (isAllValues(a) || isNoValues(b)) {
    return false;
  }
  if (isExclusion(a) !== isExclusion(b)) {
    return false;
  }
  return isExclusion(a) ? b.values.isSubsetOf(a.values) : a.values.isSubsetOf(b.values);
}
