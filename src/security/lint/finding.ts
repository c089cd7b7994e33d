import type { DiagnosticSeverity } from '../../sql/language.ts';
import type { RuleLintCode } from './lintCode.ts';
import { formatLintMessage } from './lintMessage.ts';

/** A problem in a rule. With `code` and `args`, the UI can localize the message. */
export interface RuleFinding {
  /** The index of the rule in the list. */
  readonly index: number;
  readonly code: RuleLintCode;
  readonly severity: DiagnosticSeverity;
  readonly message: string;
  /** The path of the property in the rule, or where a missing one is expected; empty for the rule as a whole. */
  readonly path: readonly (string | number)[];
  readonly args: readonly string[];
}

/**
 * The severities of findings. Errors are rules that the server rejects, whose meaning is unclear, or that protect
 * nothing; warnings are rules that work but may not do what is intended.
 */
const severities: Readonly<Record<RuleLintCode, DiagnosticSeverity>> = {
  'all-members-false': 'error',
  // The platform gives all values then. In a file of a project, it's an error: only one of the two can be meant.
  'all-members-true': 'warning',
  'members-required': 'error',
  'ambiguous-empty': 'error',
  'default-has-party': 'warning',
  'party-required': 'error',
  'party-not-id': 'error',
  'date-column': 'error',
  'unknown-table': 'error',
  'unknown-column': 'error',
  'datatype-mismatch': 'error',
  'live-flag': 'error',
  'live-prefix': 'error',
  // Servers that follow the vendor's contract accept such rules, others may not.
  'exclusionary-live': 'warning',
  'no-default-rule': 'warning',
  'duplicate-rule': 'warning',
  'member-not-string': 'error',
  'flag-not-boolean': 'error',
  'other-spelling': 'warning',
};

export function createFinding(
  index: number,
  code: RuleLintCode,
  path: RuleFinding['path'],
  args: readonly string[] = [],
): RuleFinding {
  return { index, code, severity: severities[code], message: formatLintMessage(code, args), path, args };
}
