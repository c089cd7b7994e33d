import { type JsonObject, type JsonValue, isJsonObject, stringify } from '../../base/json.ts';
import { sortByText } from '../../base/sortByText.ts';
import { getObjects, getText, omitMembers } from '../../changes/model/jsonMembers.ts';
import { partyTypes, ruleIdentityFields, serverManagedShareFields } from '../../contract/rule.ts';
import type { ReferencedParty } from '../../catalog/people/userDirectory.ts';
import { getSharePartyId, toMemberText } from '../../security/readRules.ts';
import type { ColumnName } from '../../security/tableAccess.ts';
import type { ItemKey, ProjectItem } from '../item.ts';
import type { DocumentCleaner } from './cleanDocument.ts';
import type { Parties } from './parties.ts';
import { readItems, sortByJson } from './jsonLists.ts';

const omittedRuleMembers: ReadonlySet<string> = new Set(ruleIdentityFields);
const omittedShareMembers: ReadonlySet<string> = new Set([...serverManagedShareFields, 'party', 'partyId']);

/** The objects that convert members of rules and viewpoints. */
export interface MemberConverters {
  readonly parties: Parties;
  /** Cleans undocumented members. */
  readonly cleaner: DocumentCleaner;
}

/** The members of rules and shares that the user wrote. */
const ruleTextMembers: ReadonlySet<string> = new Set(['table', 'column', 'datatype', 'type']);

/** Returns the users and groups of rules, with the names that the rules contain. */
export const getNamedRuleParties = (rules: readonly JsonObject[]): readonly ReferencedParty[] =>
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
 * Converts rules to items, one per column. Rules of extract and live datamodels are converted to the same form: members
 * that only one type has, and those that identify the datamodel, are removed.
 * @param createKey returns the key of the rules on a column
 */
export function convertRules(
  rules: readonly JsonObject[],
  converters: MemberConverters,
  createKey: (column: ColumnName) => ItemKey,
): ConvertedRules {
  const unconvertedKeys = new Map<string, ItemKey>();
  const rulesByColumn = new Map<string, { readonly column: ColumnName; readonly rules: JsonObject[] }>();
  for (const rule of rules) {
    const column = { table: getText(rule['table']), column: getText(rule['column']) };
    const columnKey = stringify([column.table, column.column]);
    const entry = rulesByColumn.get(columnKey) ?? { column, rules: [] };
    rulesByColumn.set(columnKey, entry);
    if (getObjects(rule['shares']).some(hasUnknownType)) {
      unconvertedKeys.set(columnKey, createKey(column));
    }
    entry.rules.push(
      normalizeRule(rule, {
        cleanOthers: (others) => cleanUndocumentedMembers(others, omittedRuleMembers, converters),
        convertShare: (share) => convertShare(share, converters),
      }),
    );
  }
  return {
    items: [...rulesByColumn].flatMap(([columnKey, { column, rules: columnRules }]) =>
      unconvertedKeys.has(columnKey) ? [] : [{ key: createKey(column), content: sortRules(columnRules) }],
    ),
    unconvertedKeys: [...unconvertedKeys.values()],
  };
}

/** Rules as items. */
export interface ConvertedRules {
  readonly items: readonly ProjectItem[];
  /**
   * The keys of rules on columns with a rule for an unknown type of party. It's unclear how a file would name the
   * party, and what users would see without the rule, so all rules of the column stay as they are.
   */
  readonly unconvertedKeys: readonly ItemKey[];
}

const hasUnknownType = ({ type }: JsonObject): boolean =>
  typeof type === 'string' && !partyTypes.some((known) => known === type);

/**
 * Returns rules in the form and order in which a pull writes them, so lists of rules that grant the same are equal.
 * @param rules rules of a file, which name their parties
 */
export const normalizeRules = (rules: JsonValue): JsonValue =>
  Array.isArray(rules)
    ? sortRules(
        getObjects(rules as readonly JsonValue[]).map((rule) =>
          normalizeRule(rule, {
            cleanOthers: (others) => omitNulls(omitMembers(others, ...omittedRuleMembers)),
            convertShare: (share) => (isJsonObject(share) ? omitNulls(share) : share),
          }),
        ),
      )
    : rules;

/** Functions that normalize the parts of a rule that differ between an instance and a file. */
interface RuleNormalizers {
  readonly cleanOthers: (others: JsonObject) => JsonObject;
  readonly convertShare: (share: JsonValue) => JsonValue;
}

function normalizeRule(rule: JsonObject, normalizers: RuleNormalizers): JsonObject {
  const { members, allMembers, exclusionary: _exclusionary, shares, ...others } = rule;
  return {
    ...normalizers.cleanOthers(others),
    // With all values, members have no effect (rest-api.md, "Data security rule"). In a file, they'd be a contradiction.
    members:
      allMembers === true
        ? []
        : sortByJson(readItems(members).map((member) => toMemberText(member) ?? member)),
    allMembers: allMembers ?? null,
    ...convertExclusion(rule),
    shares: sortByJson(readItems(shares).map(normalizers.convertShare)),
  };
}

/**
 * Returns `exclusionary` if it has an effect. False is the default (rest-api.md, "Data security rule, extract
 * datamodel"), and some live rules omit it. False and absent differ only in a rule whose meaning is unclear anyway
 * (platform-facts.md, 3.2).
 */
function convertExclusion({ exclusionary, members, allMembers }: JsonObject): JsonObject {
  const isUnclear = readItems(members).length === 0 && typeof allMembers !== 'boolean';
  return exclusionary === undefined || exclusionary === null || (exclusionary === false && !isUnclear)
    ? {}
    : { exclusionary };
}

const omitNulls = (object: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(object).filter(([, value]) => value !== null));

function convertShare(share: JsonValue, converters: MemberConverters): JsonValue {
  if (!isJsonObject(share)) {
    return share;
  }
  const { type } = share;
  const id = getSharePartyId(share);
  const party =
    (type === 'user' || type === 'group') && id !== undefined
      ? { party: converters.parties.getReference(type, id) }
      : {};
  return {
    ...cleanUndocumentedMembers(share, omittedShareMembers, converters),
    ...party,
  };
}

const cleanUndocumentedMembers = (
  object: JsonObject,
  omitted: ReadonlySet<string>,
  { cleaner }: MemberConverters,
): JsonObject =>
  cleaner.cleanMembers(
    Object.fromEntries(Object.entries(object).filter(([name]) => !omitted.has(name))),
    ruleTextMembers,
  );

/** Sorts rules by their parties, then by everything else. */
const sortRules = (rules: readonly JsonObject[]): readonly JsonObject[] =>
  sortByText(rules, (rule) => stringify([rule['shares'] ?? null, rule]));
