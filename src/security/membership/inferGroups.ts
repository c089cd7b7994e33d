import { stringify } from '../../base/json.ts';
import { isObject, isText, type ReadRule, readRules } from '../readRule.ts';

/**
 * Infers the groups of a user from what the server applies to them: the cube's rules for one user
 * (rest-api.md, "Data security, extract datamodels") compared with all of its rules. Groups without rules cannot be
 * inferred, and they change nothing. `undefined` if the list is inconclusive: it is empty although there are rules for
 * groups (the request does not work everywhere, platform-facts.md, 3.1), it lacks a rule that names the user, or it has
 * one that, judging by the others, cannot apply to them.
 * @param all the rules of the cube
 * @param ofUser those that the server returned for the user
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
  // A rule that names the user applies whichever of its groups they are in, so it says nothing about those.
  const isCertain = (id: string): boolean =>
    applied.some((rule) => !namesUser(rule) && getPartyIds(rule, 'group').includes(id));
  return isSound && [...groupIds].every(isCertain) ? [...groupIds] : undefined;
}

/** Identifies a rule: by its ID, or else by its whole content. */
const getRuleKey = (rule: unknown): string =>
  isObject(rule) && isText(rule['_id']) ? rule['_id'] : stringify(rule);
