import { assertNever } from '../../base/assertNever.ts';
import type { RuleLintCode } from './lintCode.ts';

/** The message of a finding in English; a shell may word it itself from the code and the arguments. */
export function lintMessage(code: RuleLintCode, [first = '', second = '']: readonly string[]): string {
  switch (code) {
    case 'all-members-false':
      return '"allMembers" must be null, not false, when members are listed';
    case 'members-required':
      return '"members" is required, unless "allMembers" is true';
    case 'ambiguous-empty':
      return 'No member and "allMembers" null can mean Nothing or Everything: set "allMembers" to false or to true';
    case 'default-has-party':
      return `The default party has no identifier: "${first}" is not for type "default"`;
    case 'party-required':
      return first === ''
        ? 'The rule names no party: "shares" needs at least one entry'
        : `A ${first} needs an identifier in "${second}"`;
    case 'date-column':
      return `"${first}.${second}" is a date column: rules do not support those`;
    case 'unknown-table':
      return `There is no table "${first}": the rule protects nothing`;
    case 'unknown-column':
      return `"${first}" has no column "${second}": the rule protects nothing`;
    case 'datatype-mismatch':
      return `The column holds ${first} values, the rule says "${second}"`;
    case 'live-flag':
      return 'A rule of a live datamodel needs "live": true';
    case 'live-prefix':
      return '"fullname" is the title of the datamodel with the prefix "live:"';
    case 'exclusionary-live':
      return 'Rules of live datamodels cannot be exclusionary';
    case 'no-default-rule':
      return `"${first}.${second}" has no default rule: what everybody else sees is not defined`;
    case 'duplicate-rule':
      return `Rule ${first} of this list says the same for the same party`;
    case 'member-not-string':
      return 'Members are strings, those of numeric columns too';
    default:
      return assertNever(code);
  }
}
