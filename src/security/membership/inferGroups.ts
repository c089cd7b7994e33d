import { stringify } from '../../base/json.ts';
import { isObject, isText, type ReadRule, readRules } from '../readRule.ts';

/**
 * Infers the groups of a user by comparing the rules that the server applies to them (rest-api.md, "Data security,
 * extract datamodels") with all rules of the cube. Groups without rules can't be inferred, but they don't affect
 * access. Returns `undefined` if the user's rules are inconclusive: there are none although groups have rules (the
 * request does not work everywhere, platform-facts.md, 3.1), a rule that names the user is missing, or one of them
 * can't apply to the user according to the others.
 * @param allRules all rules of the cube
 * @param userRules the rules that the server returned for the user
 */
export function inferGroupsFromRules(
  all: readonly unknown[],
  ofUser: readonly unknown[],
  userId: string,
): readonly string[] | undefined {
  const listed = new Set(ofUser.map(getRuleKey));
  const rules = readRules(all);
  const isListed = ({ index }: ReadRule): boolean => listed.has(getRuleKey(all[index]));
  const getPartyIds = (rule: ReadRule, type: 'user' | 'group'): readonly string[] =>
    rule.parties.flatMap((party) => (party.type === type && party.id !== undefined ? [party.id] : []));
  if (listed.size === 0 && rules.some((rule) => getPartyIds(rule, 'group').length > 0)) {
    return undefined;
  }
  const applied = rules.filter(isListed);
  const others = rules.filter((rule) => !isListed(rule));
  const outside = new Set(others.flatMap((rule) => getPartyIds(rule, 'group')));
  const namesUser = (rule: ReadRule): boolean => getPartyIds(rule, 'user').includes(userId);
  const groupIds = new Set(
    applied.flatMap((rule) => getPartyIds(rule, 'group')).filter((id) => !outside.has(id)),
  );
  const isExplained = (rule: ReadRule): boolean =>
    namesUser(rule) ||
    rule.parties.some(({ type }) => type === 'default') ||
    getPartyIds(rule, 'group').some((id) => groupIds.has(id));
  const isSound = applied.length === listed.size && !others.some(namesUser) && applied.every(isExplained);
  // A rule that names the user applies in any case, so it does not show that the user is in the rule's groups.
  const isCertain = (id: string): boolean =>
    applied.some((rule) => !namesUser(rule) && getPartyIds(rule, 'group').includes(id));
  return isSound && [...groupIds].every(isCertain) ? [...groupIds] : undefined;
}

/** Returns a key that identifies a rule: its ID, or else its whole content. */
const getRuleKey = (rule: unknown): string =>
  isObject(rule) && isText(rule['_id']) ? rule['_id'] : stringify(rule);
