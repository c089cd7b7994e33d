import { type JsonObject, type JsonValue, isJsonObject, stringify } from '../../base/json.ts';
import { sortByText } from '../../base/sortByText.ts';
import { getObjects, getText } from '../../changes/model/readJson.ts';
import { ruleIdentityFields, serverManagedShareFields } from '../../contract/rule.ts';
import type { ReferencedParty } from '../../catalog/people/directory.ts';
import { getSharePartyId, toMemberText } from '../../security/readRule.ts';
import type { ColumnName } from '../../security/tableAccess.ts';
import type { ItemKey, ProjectItem } from '../item.ts';
import type { Parties } from './parties.ts';
import { readItems, sortByJson } from './readValues.ts';

const omittedRuleMembers: ReadonlySet<string> = new Set(ruleIdentityFields);
const omittedShareMembers: ReadonlySet<string> = new Set([...serverManagedShareFields, 'party', 'partyId']);

/** Returns the users and groups of rules, with their names where the instance reports them. */
export const getRuleParties = (rules: readonly JsonObject[]): readonly ReferencedParty[] =>
  rules
    .flatMap((rule) => getObjects(rule['shares']))
    .flatMap((share) => {
      const { type } = share;
      const value = getSharePartyId(share);
      return (type === 'user' || type === 'group') && value !== undefined
        ? [{ type, value, label: getText(share['partyName']) || undefined, isId: true }]
        : [];
    });

/**
 * Converts rules to items, one per column. Rules of extract and live datamodels have the same form: what only one kind
 * has, and what says which datamodel they belong to, is removed.
 * @param createKey returns the key of the rules on a column
 */
export function convertRules(
  rules: readonly JsonObject[],
  parties: Parties,
  createKey: (column: ColumnName) => ItemKey,
): readonly ProjectItem[] {
  const rulesByColumn = new Map<string, { readonly column: ColumnName; readonly rules: JsonObject[] }>();
  for (const rule of rules) {
    const column = { table: getText(rule['table']), column: getText(rule['column']) };
    const columnKey = stringify([column.table, column.column]);
    const entry = rulesByColumn.get(columnKey) ?? { column, rules: [] };
    rulesByColumn.set(columnKey, entry);
    entry.rules.push(normalizeRule(rule, (share) => convertShare(share, parties)));
  }
  return [...rulesByColumn.values()].map(({ column, rules: columnRules }) => ({
    key: createKey(column),
    content: sortRules(columnRules),
  }));
}

/**
 * Returns rules in the form and order in which a pull writes them, so that two lists of rules that grant the same are
 * equal.
 * @param rules rules of a file, which name their parties
 */
export const normalizeRules = (rules: JsonValue): JsonValue =>
  Array.isArray(rules)
    ? sortRules(getObjects(rules as readonly JsonValue[]).map((rule) => normalizeRule(rule, omitNulls)))
    : rules;

function normalizeRule(rule: JsonObject, convertOneShare: (share: JsonValue) => JsonValue): JsonObject {
  const { members, allMembers, exclusionary: _exclusionary, shares, ...others } = rule;
  return {
    ...Object.fromEntries(
      Object.entries(others).filter(([name, value]) => !omittedRuleMembers.has(name) && value !== null),
    ),
    members: sortByJson(readItems(members).map((member) => toMemberText(member) ?? member)),
    allMembers: allMembers ?? null,
    ...convertExclusion(rule),
    shares: sortByJson(readItems(shares).map(convertOneShare)),
  };
}

/**
 * False is the default (rest-api.md, "Data security rule, extract datamodel") and missing from some live rules. It only
 * makes a difference to a rule that is unclear anyway (platform-facts.md, 3.2).
 */
function convertExclusion({ exclusionary, members, allMembers }: JsonObject): JsonObject {
  const isUnclear = readItems(members).length === 0 && typeof allMembers !== 'boolean';
  return exclusionary === undefined || exclusionary === null || (exclusionary === false && !isUnclear)
    ? {}
    : { exclusionary };
}

const omitNulls = (share: JsonValue): JsonValue =>
  isJsonObject(share)
    ? Object.fromEntries(Object.entries(share).filter(([, value]) => value !== null))
    : share;

function convertShare(share: JsonValue, parties: Parties): JsonValue {
  if (!isJsonObject(share)) {
    return share;
  }
  const { type } = share;
  const id = getSharePartyId(share);
  const party =
    (type === 'user' || type === 'group') && id !== undefined
      ? { party: parties.getReference(type, id) }
      : {};
  return {
    ...Object.fromEntries(
      Object.entries(share).filter(([name, value]) => !omittedShareMembers.has(name) && value !== null),
    ),
    ...party,
  };
}

/** Sorts rules by their parties, then by everything else. */
const sortRules = (rules: readonly JsonObject[]): readonly JsonObject[] =>
  sortByText(rules, (rule) => stringify([rule['shares'] ?? null, rule]));
