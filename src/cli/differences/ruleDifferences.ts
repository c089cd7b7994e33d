import { jsonEquals, toCanonicalText } from '../../base/canonicalJson.ts';
import { type JsonObject, type JsonValue, pickMembers } from '../../base/json.ts';
import { unescapePointer } from '../../base/jsonPointer.ts';
import { english } from '../../base/localize.ts';
import { sortByText } from '../../base/sortByText.ts';
import { getObjects, omitMembers } from '../../changes/model/jsonMembers.ts';
import { computeChangeRows } from '../../security/change/changeRows.ts';
import { nameParties } from '../../project/access/namedRules.ts';
import type { Grant } from '../../security/readRules.ts';
import { formatGrant, formatParty, summarizeGrant } from '../../webviews/protocol/ruleFormat.ts';
import { type ValueDifference, findValueDifferences, formatBothValues } from './valueDifferences.ts';

/** A difference, with the values of both sides as texts. */
export interface FormattedDifference {
  readonly path: string;
  readonly sides: readonly [string, string];
}

/**
 * Returns what differs between the rules on a column: what they grant, by party, then their other properties. Rules
 * before and after a rename of the column or its table are compared. A side may have no rules.
 */
export function describeRuleDifferences(before: JsonValue, after: JsonValue): readonly FormattedDifference[] {
  const [ruleWithName = {}] = [...getObjects(after), ...getObjects(before)];
  const columnMembers = pickMembers(ruleWithName, ['table', 'column']);
  const grants = computeChangeRows(
    {
      adds: nameParties(after, english),
      deletes: nameParties(before, english).map((rule, index) => ({
        index,
        rule: { ...rule, ...columnMembers },
      })),
    },
    // Without its other rules, a party would seem to have no rule at all.
    { includesCommonGrants: true },
  ).map(
    ({ party: { type, id = '' }, ...sides }): FormattedDifference => ({
      path: formatParty({ type, name: id }, english),
      sides: [formatGrants(sides.before, sides.after), formatGrants(sides.after, sides.before)],
    }),
  );
  if ([before, after].some((rules) => getObjects(rules).length === 0)) {
    return grants;
  }
  const differences = [...grants, ...describeOtherProperties(before, after)];
  // Different rules may grant the same access, and uncertain access isn't compared by party.
  return differences.length === 0 ? describeValues({ path: 'rules', before, after }) : differences;
}

const formatGrants = (grants: readonly Grant[], otherSideGrants: readonly Grant[]): string =>
  grants.length === 0
    ? 'no rule'
    : grants.map((grant) => formatGrant(summarizeGrant(grant, otherSideGrants), english)).join(' + ');

/** Compares the properties that don't depend on the party, such as the data type, which all rules of a column share. */
function describeOtherProperties(before: JsonValue, after: JsonValue): readonly FormattedDifference[] {
  const [oldProperties, newProperties] = [listOtherProperties(before), listOtherProperties(after)];
  if (jsonEquals(oldProperties, newProperties)) {
    return [];
  }
  return oldProperties.length === 1 && newProperties.length === 1
    ? describeValues({ path: '', before: oldProperties[0], after: newProperties[0] })
    : describeValues({ path: 'rules', before: oldProperties, after: newProperties });
}

/** Returns the properties of rules other than what they grant to whom, without duplicates. */
const listOtherProperties = (rules: JsonValue): readonly JsonObject[] => {
  const properties = getObjects(rules).map((rule) =>
    omitMembers(rule, 'members', 'allMembers', 'exclusionary', 'shares'),
  );
  const byText = new Map(properties.map((object) => [toCanonicalText(object), object]));
  return sortByText([...byText], ([text]) => text).map(([, object]) => object);
};

const describeValues = (difference: ValueDifference): readonly FormattedDifference[] =>
  findValueDifferences(difference).map(({ path, ...sides }) => ({
    path: unescapePointer(path),
    sides: formatBothValues(sides),
  }));
