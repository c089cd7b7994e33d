import { translatable } from '../../base/localize.ts';
import type { RuleLintCode } from './lintCode.ts';

/** The English messages of findings, with `{0}` and `{1}` for their arguments. The UI translates them. */
const messageTemplates: Readonly<Record<RuleLintCode | 'no-party', string>> = translatable({
  'all-members-false': '"allMembers" must be null, not false, when members are listed.',
  'all-members-true':
    '"members" and "allMembers": true contradict each other. The platform ignores the members and gives access to all values. Set "allMembers" to null, or remove the members.',
  'members-required': '"members" is required, unless "allMembers" is true.',
  'ambiguous-empty':
    'An empty list of members with "allMembers": null can mean all values or no values. Set "allMembers" to true or false.',
  'default-has-party': 'Type "default" has no ID. Remove "{0}".',
  'no-party': 'The rule has no users or groups. "shares" requires at least one entry.',
  'party-required': 'A {0} requires an ID in "{1}".',
  'party-not-id': '"{0}" isn\'t the ID of a {1}. The rule has no effect.',
  'date-column': '"{0}.{1}" is a date column. Rules don\'t support date columns.',
  'unknown-table': 'Unknown table "{0}". The rule has no effect.',
  'unknown-column': '"{0}" has no column "{1}". The rule has no effect.',
  'datatype-mismatch': 'The column contains {0} values, but the data type of the rule is "{1}".',
  'live-flag': 'A rule of a live datamodel requires "live": true.',
  'live-prefix': '"fullname" must be the title of the datamodel with the prefix "live:".',
  'exclusionary-live': "Some servers don't support rules that exclude values for live datamodels.",
  'no-default-rule': '"{0}.{1}" has no rule for everyone else. What they see is uncertain.',
  'duplicate-rule': 'Duplicate of rule {0} in this list, for the same user or group.',
  'member-not-string': 'Members must be strings, even for numeric columns.',
  'flag-not-boolean':
    '"{0}" must be true, false, or null. Otherwise, access depends on how the server interprets it.',
  'other-spelling': '"{0}" is spelled "{1}" in other rules on this column.',
});

/** Returns whether a code is that of a finding of the linter. */
export const isLintCode = (code: string): code is RuleLintCode => Object.hasOwn(messageTemplates, code);

/** Returns the message template of a finding. */
export const getLintTemplate = (code: RuleLintCode, [first = '']: readonly string[]): string =>
  messageTemplates[code === 'party-required' && first === '' ? 'no-party' : code];

export const formatLintMessage = (code: RuleLintCode, args: readonly string[]): string =>
  getLintTemplate(code, args).replaceAll(/\{(\d)\}/g, (_placeholder, index) => args[Number(index)] ?? '');
