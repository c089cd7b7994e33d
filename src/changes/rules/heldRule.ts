import { toCanonicalText } from '../../base/canonicalJson.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json.ts';
import { isServerManagedField } from '../../contract/serverManagedFields.ts';
import { partyTypes, ruleIdentityFields } from '../../contract/rule.ts';
import { type Grant, isText, type NamedParty, readRules } from '../../security/readRule.ts';
import { isExclusion, isAllValues, isNoValues, type ValueSet } from '../../security/valueSet.ts';

/** A rule with what decides about its order among others: whom it is for, on which column, and what it grants. */
export interface HeldRule {
  readonly rule: JsonObject;
  /** Empty where the server gave none. */
  readonly id: string;
  /** Table and column as one text; names are case sensitive (spec, "Data security rule"). */
  readonly column: string;
  /** The parties as one text, in any order: what a POST overwrites has exactly the same (docs/platform.md, "Same parties"). */
  readonly shares: string;
  readonly parties: readonly NamedParty[];
  readonly grant: Grant;
}

/** The text of a party; users and groups are different things by the same identifier. */
export const getPartyKey = ({ type, id = '' }: NamedParty): string => `${type}:${id}`;

const getSharesKey = (parties: readonly string[]): string => JSON.stringify([...new Set(parties)].sort());

/** Parties of kinds that nobody has published: compared as they are. */
function unknownShares({ shares }: JsonObject): readonly string[] {
  const list = Array.isArray(shares) ? (shares as readonly JsonValue[]) : [];
  return list.flatMap((share) => {
    const type = isJsonObject(share) ? share['type'] : undefined;
    return partyTypes.some((known) => known === type) ? [] : [`?${toCanonicalText(share)}`];
  });
}

export const getColumnKeyText = (table: unknown, column: unknown): string => JSON.stringify([table, column]);

/** The rule as the policy sees it; `undefined` for what is no rule on a column. */
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

/** Where a rule stands: rules with the same text are those that a POST may take for one another. */
export const getSpotKey = ({ column, shares }: Pick<HeldRule, 'column' | 'shares'>): string =>
  `${column}${shares}`;

/** Where a rule is denied in its own place by an update, so that a new rule there is somebody else's. */
export const getInPlaceSpotKey = (rule: Pick<HeldRule, 'column' | 'shares'>): string =>
  `=${getSpotKey(rule)}`;

export const deniesAll = ({ grant }: Pick<HeldRule, 'grant'>): boolean =>
  grant !== 'unclear' && isNoValues(grant);

/** Fields that are read by their meaning, and those that the server makes or the path carries. */
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
 * Whether a rule that the server has says what another wants: the same grant to the same parties on the same column,
 * and the same in every other field that both have. A server may leave out what it does not know.
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

/** How what one grant shows compares with what another shows, beside whatever other rules there are. */
export type Comparison = 'same' | 'narrower' | 'wider' | 'other';

/**
 * Compares two grants for the same parties. Rules that hide values combine with others in another way than lists do
 * (docs/platform.md, "Combination"), so that a list is never taken for narrower than such a rule, nor for wider.
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

/** Whether `a` shows no more than `b`, in every combination with other rules. */
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
