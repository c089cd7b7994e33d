import { livePrefix } from '../../contract/terms.ts';
import { getGrant, isInvalidFlag, isNonEmptyString, ruleFlags, type UnknownObject } from '../readRules.ts';
import type { LiveExclusionSupport } from '../liveExclusion.ts';
import { createFinding, type RuleFinding } from './finding.ts';

/**
 * Returns whether a rule is of a live datamodel: only these have `fullname` or `live` (rest-api.md, "Data security
 * rule").
 */
export const isLiveRule = ({ fullname, live }: UnknownObject): boolean =>
  (fullname !== undefined && fullname !== null) || live === true;

/** Finds problems with the values of one rule (rest-api.md, "Data security rule"; platform-facts.md, 3.2). */
export function lintContent(rule: UnknownObject, index: number): readonly RuleFinding[] {
  const flagFindings = ruleFlags
    .filter((flag) => isInvalidFlag(rule[flag]))
    .map((flag) => createFinding(index, 'flag-not-boolean', [flag], [flag]));
  return [...flagFindings, ...lintMembers(rule, index)];
}

function lintMembers(rule: UnknownObject, index: number): readonly RuleFinding[] {
  const { members, allMembers, exclusionary } = rule;
  const hasInvalidFlag = isInvalidFlag(allMembers) || isInvalidFlag(exclusionary);
  if (allMembers === true) {
    // The rule covers every value, so its members are ignored (rest-api.md, "Data security rule").
    return Array.isArray(members) && members.length > 0
      ? [createFinding(index, 'all-members-true', ['allMembers'])]
      : [];
  }
  if (!Array.isArray(members)) {
    return isInvalidFlag(allMembers) ? [] : [createFinding(index, 'members-required', ['members'])];
  }
  if (members.length === 0) {
    // The finding about an invalid flag already says that the meaning is unclear.
    return !hasInvalidFlag && getGrant(rule) === 'unclear'
      ? [createFinding(index, 'ambiguous-empty', ['members'])]
      : [];
  }
  return [
    ...(allMembers === false ? [createFinding(index, 'all-members-false', ['allMembers'])] : []),
    ...members.flatMap((member: unknown, position) =>
      typeof member === 'string' ? [] : [createFinding(index, 'member-not-string', ['members', position])],
    ),
  ];
}

/**
 * Finds problems with the fields that only live rules must or must not have
 * (rest-api.md, "Data security rule, live datamodel").
 * @param exclusionSupport whether the server accepts live rules that hide values, as far as its rules show
 */
export function lintLiveRule(
  rule: UnknownObject,
  index: number,
  exclusionSupport: LiveExclusionSupport,
): readonly RuleFinding[] {
  if (!isLiveRule(rule)) {
    return [];
  }
  const { fullname, live, exclusionary } = rule;
  const hasPrefix = isNonEmptyString(fullname) && fullname.startsWith(livePrefix) && fullname !== livePrefix;
  return [
    ...(live === true ? [] : [createFinding(index, 'live-flag', ['live'])]),
    // An absent `fullname` is derived from the datamodel that the rule is sent to.
    ...(fullname !== undefined && fullname !== null && !hasPrefix
      ? [createFinding(index, 'live-prefix', ['fullname'])]
      : []),
    ...(exclusionary === true && exclusionSupport !== 'supported'
      ? [createFinding(index, 'exclusionary-live', ['exclusionary'])]
      : []),
  ];
}

/** Returns the key for the IDs of a rule's parties (rest-api.md, "Data security rule"). */
export const getPartyIdProperty = (rule: UnknownObject): 'party' | 'partyId' =>
  isLiveRule(rule) ? 'partyId' : 'party';
