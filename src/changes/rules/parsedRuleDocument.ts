import { toCanonicalText } from '../../base/canonicalJson.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json.ts';
import { isServerManagedField } from '../../contract/serverManagedFields.ts';
import { partyTypes, ruleIdentityFields } from '../../contract/rule.ts';
import type { RuleScope } from '../model/sentRequest.ts';
import { type Grant, isNonEmptyString, type PartyRef, readRules } from '../../security/readRules.ts';
import { isExclusion, isAllValues, isNoValues, type ValueSet } from '../../security/valueSet.ts';

/** A rule with its parsed content: its column, its parties, and what it grants to them. */
export interface ParsedRuleDocument {
  /** The document of the rule. */
  readonly document: JsonObject;
  /** Its `_id`. Empty if the server returned none. */
  readonly id: string;
  /** A key of table and column; names are case sensitive (rest-api.md, "Data security rule"). */
  readonly columnKey: string;
  /**
   * A key of the parties that doesn't depend on their order: a POST may overwrite a rule for exactly the same parties
   * (platform-facts.md, 3.4).
   */
  readonly partiesKey: string;
  readonly parties: readonly PartyRef[];
  readonly grant: Grant;
}

/** Returns a key of a party; a user and a group with the same ID are different parties. */
export const getPartyKey = ({
  type,
  id = '',
}: {
  readonly type: PartyRef['type'];
  readonly id?: string | undefined;
}): string => `${type}:${id}`;

/** Returns a key of a set of parties. */
const getPartiesKey = (parties: readonly string[]): string => JSON.stringify([...new Set(parties)].sort());

/** Returns keys of the parties of undocumented types, which are compared literally. */
function getUnknownShareKeys({ shares }: JsonObject): readonly string[] {
  const list = Array.isArray(shares) ? (shares as readonly JsonValue[]) : [];
  return list.flatMap((share) => {
    const type = isJsonObject(share) ? share['type'] : undefined;
    return partyTypes.some((partyType) => partyType === type) ? [] : [`?${toCanonicalText(share)}`];
  });
}

/** Returns a key of a column. */
export const getColumnKey = (table: unknown, column: unknown): string => JSON.stringify([table, column]);

/** Parses a rule; `undefined` if there is none, or if it is not a rule on a column. */
export function parseRuleDocument(rule: JsonObject | undefined): ParsedRuleDocument | undefined {
  const [parsed] = readRules([rule]);
  if (rule === undefined || parsed === undefined) {
    return undefined;
  }
  const { table, column, parties, grant } = parsed;
  const id = rule['_id'];
  return {
    document: rule,
    id: isNonEmptyString(id) ? id : '',
    columnKey: getColumnKey(table, column),
    partiesKey: getPartiesKey([...parties.map(getPartyKey), ...getUnknownShareKeys(rule)]),
    parties,
    grant,
  };
}

/** Parses rules; omits those that are not rules on a column. */
export const parseRuleDocuments = (rules: readonly JsonObject[]): readonly ParsedRuleDocument[] =>
  rules.flatMap((rule) => parseRuleDocument(rule) ?? []);

/**
 * Returns the key of a rule's scope: its column together with exactly its parties. A POST may overwrite a rule in the
 * same scope (platform-facts.md, 3.4).
 */
export const getScopeKey = ({
  columnKey,
  partiesKey,
}: Pick<ParsedRuleDocument, 'columnKey' | 'partiesKey'>): string => `${columnKey}${partiesKey}`;

/** Returns the key of a scope that a request has recorded: see {@link getScopeKey}. */
export const getRecordedScopeKey = ({ table, column, parties }: RuleScope): string =>
  getScopeKey({
    columnKey: getColumnKey(table, column),
    partiesKey: getPartiesKey(parties.map(getPartyKey)),
  });

/**
 * Returns the scope key for a rule that an update turns into a temporary deny rule. It differs from
 * {@link getScopeKey}, since the operation adds no rule in this scope: a new one there belongs to another user.
 */
export const getUpdatedRuleScopeKey = (rule: Pick<ParsedRuleDocument, 'columnKey' | 'partiesKey'>): string =>
  `=${getScopeKey(rule)}`;

/** Returns whether a rule grants no values. */
export const deniesAll = ({ grant }: Pick<ParsedRuleDocument, 'grant'>): boolean =>
  grant !== 'unclear' && isNoValues(grant);

/** Fields that are compared by meaning, identify the rule or its datamodel, or are assigned by the server. */
const excludedFields: ReadonlySet<string> = new Set([
  ...ruleIdentityFields,
  'table',
  'column',
  'datatype',
  'members',
  'allMembers',
  'exclusionary',
  'shares',
]);

/** Returns a key of what a rule grants. */
const getGrantKey = ({ document, grant }: ParsedRuleDocument): string => {
  if (grant === 'unclear') {
    const { members = null, allMembers = null, exclusionary } = document;
    return toCanonicalText([members, allMembers, exclusionary ?? false]);
  }
  return JSON.stringify([grant.kind, [...grant.values].sort()]);
};

/**
 * Returns whether a rule on the server fulfills a wanted one: it has the same grant to the same parties on the same
 * column, and equals it in every other field that both have. A server may omit fields that it doesn't know.
 */
export function fulfills(actual: ParsedRuleDocument, wanted: ParsedRuleDocument): boolean {
  return (
    getScopeKey(actual) === getScopeKey(wanted) &&
    getGrantKey(actual) === getGrantKey(wanted) &&
    Object.entries(wanted.document).every(([name, value]) => {
      const actualValue = actual.document[name];
      const isCompared = name === 'datatype' || (!excludedFields.has(name) && !isServerManagedField(name));
      return (
        !isCompared ||
        actualValue === undefined ||
        actualValue === null ||
        toCanonicalText(actualValue) === toCanonicalText(value)
      );
    })
  );
}

/** The relation of one grant to another: whether it shows more or less, in every combination with other rules. */
export type GrantComparison = 'same' | 'narrower' | 'wider' | 'other';

/**
 * Compares two grants for the same parties. Rules that hide values (exclusions) combine with other rules differently
 * than lists of values do (platform-facts.md, 3.3), so a list is never narrower or wider than an exclusion.
 */
export function compareGrants(a: Grant, b: Grant): GrantComparison {
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
