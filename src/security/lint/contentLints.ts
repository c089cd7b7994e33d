import { livePrefix } from '../../contract/terms.ts';
import { getGrant, isInvalidFlag, isText, ruleFlags, type UnknownObject } from '../readRule.ts';
import type { LiveExclusionSupport } from '../liveExclusion.ts';
import { createFinding, type RuleLint } from './finding.ts';

/** True for a rule of a live datamodel; only those have `fullname` and `live` (rest-api.md, "Data security rule"). */
export const isLiveRule = ({ fullname, live }: UnknownObject): boolean =>
  (fullname !== undefined && fullname !== null) || live === true;

/** Problems with the values of one rule (rest-api.md, "Data security rule"; platform-facts.md, 3.2). */
export function lintContent(rule: UnknownObject, index: number): readonly RuleLint[] {
  const odd = ruleFlags
    .filter((flag) => isInvalidFlag(rule[flag]))
    .map((flag) => createFinding(index, 'flag-not-boolean', [flag], [flag]));
  return [...odd, ...lintMembers(rule, index)];
}

function lintMembers(rule: UnknownObject, index: number): readonly RuleLint[] {
  const { members, allMembers } = rule;
  if (allMembers === true) {
    // It covers every value; members have no meaning then (rest-api.md, "Data security rule").
    return [];
  }
  if (!Array.isArray(members)) {
    return [createFinding(index, 'members-required', ['members'])];
  }
  if (members.length === 0) {
    return getGrant(rule) === 'unclear' ? [createFinding(index, 'ambiguous-empty', ['members'])] : [];
  }
  return [
    ...(allMembers === false ? [createFinding(index, 'all-members-false', ['allMembers'])] : []),
    ...members.flatMap((member: unknown, position) =>
      typeof member === 'string' ? [] : [createFinding(index, 'member-not-string', ['members', position])],
    ),
  ];
}

/**
 * Fields that only rules of live datamodels must or must not have (rest-api.md, "Data security rule, live datamodel").
 * @param exclusion whether the server accepts live rules that hide values, as far as its rules show
 */
export function lintLiveRule(
  rule: UnknownObject,
  index: number,
  exclusion: LiveExclusionSupport,
): readonly RuleLint[] {
  if (!isLiveRule(rule)) {
    return [];
  }
  const { fullname, live, exclusionary } = rule;
  const hasPrefix = isText(fullname) && fullname.startsWith(livePrefix) && fullname !== livePrefix;
  return [
    ...(live === true ? [] : [createFinding(index, 'live-flag', ['live'])]),
    // If absent, it is derived from the datamodel that the rule is sent to.
    ...(fullname !== undefined && fullname !== null && !hasPrefix
      ? [createFinding(index, 'live-prefix', ['fullname'])]
      : []),
    ...(exclusionary === true && exclusion !== 'taken'
      ? [createFinding(index, 'exclusionary-live', ['exclusionary'])]
      : []),
  ];
}

/** The key for the ID of a party (rest-api.md, "Data security rule"). */
export const getPartyIdProperty = (rule: UnknownObject): 'party' | 'partyId' =>
  isLiveRule(rule) ? 'partyId' : 'party';
