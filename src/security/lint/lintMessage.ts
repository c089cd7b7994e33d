import type { RuleLintCode } from './lintCode.ts';

/** The English messages of findings, with `{0}` and `{1}` for their arguments. The UI translates them. */
const messageTemplates: Readonly<Record<RuleLintCode | 'no-party', string>> = {
  'all-members-false': '"allMembers" must be null, not false, when members are listed.',
  'members-required': '"members" is required, unless "allMembers" is true.',
  'ambiguous-empty':
    'No member and "allMembers" null can mean Nothing or Everything: set "allMembers" to false or to true.',
  'default-has-party': 'The default party has no identifier: "{0}" is not for type "default".',
  'no-party': 'The rule names no party: "shares" needs at least one entry.',
  'party-required': 'A {0} needs an identifier in "{1}".',
  'date-column': '"{0}.{1}" is a date column: rules do not support those.',
  'unknown-table': 'There is no table "{0}": the rule protects nothing.',
  'unknown-column': '"{0}" has no column "{1}": the rule protects nothing.',
  'datatype-mismatch': 'The column holds {0} values, the rule says "{1}".',
  'live-flag': 'A rule of a live datamodel needs "live": true.',
  'live-prefix': '"fullname" is the title of the datamodel with the prefix "live:".',
  'exclusionary-live': 'Not every server takes exclusionary rules for live datamodels.',
  'no-default-rule': '"{0}.{1}" has no default rule: what everyone else sees is not defined.',
  'duplicate-rule': 'Rule {0} of this list says the same for the same party.',
  'member-not-string': 'Members are strings, those of numeric columns too.',
  'flag-not-boolean':
    '"{0}" is neither true, false nor null: who sees what depends on how the server reads it.',
  'other-spelling': '"{0}" is written "{1}" in other rules of this column.',
};

/** Returns the message template of a finding. */
export const getLintTemplate = (code: RuleLintCode, [first = '']: readonly string[]): string =>
  messageTemplates[code === 'party-required' && first === '' ? 'no-party' : code];

export const formatLintMessage = (code: RuleLintCode, args: readonly string[]): string =>
  getLintTemplate(code, args).replaceAll(/\{(\d)\}/g, (_placeholder, index) => args[Number(index)] ?? '');
