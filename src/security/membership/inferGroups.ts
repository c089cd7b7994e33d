import { stringify } from '../../base/json.ts';
import { isObject, isNonEmptyString, type ParsedRule, readRules } from '../readRules.ts';

/**
 * Infers the groups of a user by comparing the rules that the server applies to them (rest-api.md, "Data security,
 * extract datamodels") with all rules of the cube. Groups without rules can't be inferred, but they don't affect
 * access. Returns `undefined` if the user's rules are inconclusive:
 * - the server returned no rules for the user although groups have rules (the request does not work everywhere,
 *   platform-facts.md, 3.1);
 * - a rule that names the user is missing;
 * - a returned rule is not one of `allRules`, or would not apply to a user in the inferred groups;
 * - a group is only in returned rules that also name the user, so the user may not be in it.
 * @param allRules all rules of the cube
 * @param userRules the rules that the server returned for the user
 */
export function inferGroupsFromRules(
  allRules: readonly unknown[],
  userRules: readonly unknown[],
  userId: string,
): readonly string[] | undefined {
  const userRuleKeys = new Set(userRules.map(getRuleKey));
  const rules = readRules(allRules);
  const appliesToUser = ({ index }: ParsedRule): boolean => userRuleKeys.has(getRuleKey(allRules[index]));
  const getPartyIds = (rule: ParsedRule, type: 'user' | 'group'): readonly string[] =>
    rule.parties.flatMap((party) => (party.type === type && party.id !== undefined ? [party.id] : []));
  if (userRuleKeys.size === 0 && rules.some((rule) => getPartyIds(rule, 'group').length > 0)) {
    return undefined;
  }
  const appliedRules = rules.filter(appliesToUser);
  const otherRules = rules.filter((rule) => !appliesToUser(rule));
  const excludedGroupIds = new Set(otherRules.flatMap((rule) => getPartyIds(rule, 'group')));
  const namesUser = (rule: ParsedRule): boolean => getPartyIds(rule, 'user').includes(userId);
  const groupIds = new Set(
    appliedRules.flatMap((rule) => getPartyIds(rule, 'group')).filter((id) => !excludedGroupIds.has(id)),
  );
  const isExplained = (rule: ParsedRule): boolean =>
    namesUser(rule) ||
    rule.parties.some(({ type }) => type === 'default') ||
    getPartyIds(rule, 'group').some((id) => groupIds.has(id));
  const isConsistent =
    appliedRules.length === userRuleKeys.size &&
    !otherRules.some(namesUser) &&
    appliedRules.every(isExplained);
  // A rule that names the user applies in any case, so it does not show that the user is in the rule's groups.
  const isCertain = (id: string): boolean =>
    appliedRules.some((rule) => !namesUser(rule) && getPartyIds(rule, 'group').includes(id));
  return isConsistent && [...groupIds].every(isCertain) ? [...groupIds] : undefined;
}

/** Returns a key that identifies a rule: its ID, or else its whole content. */
const getRuleKey = (rule: unknown): string =>
  isObject(rule) && isNonEmptyString(rule['_id']) ? rule['_id'] : stringify(rule);
