import type { DiagnosticSeverity } from '../../sql/language.ts';
import type { RuleLintCode } from './lintCode.ts';
import { formatLintMessage } from './lintMessage.ts';

/** Something wrong with a rule. `args` let a shell word it in another language. */
export interface RuleLint {
  /** Which rule of the list. */
  readonly index: number;
  readonly code: RuleLintCode;
  readonly severity: DiagnosticSeverity;
  readonly message: string;
  /** The property inside the rule; of one that is missing, where it would stand; empty for the rule as a whole. */
  readonly path: readonly (string | number)[];
  readonly args: readonly string[];
}

/**
 * Errors are what the server refuses, reads in two ways, or takes for a rule that protects nothing; warnings what
 * works but leaves somebody's access open to doubt.
 */
const severities: Readonly<Record<RuleLintCode, DiagnosticSeverity>> = {
  'all-members-false': 'error',
  'members-required': 'error',
  'ambiguous-empty': 'error',
  'default-has-party': 'warning',
  'party-required': 'error',
  'date-column': 'error',
  'unknown-table': 'error',
  'unknown-column': 'error',
  'datatype-mismatch': 'error',
  'live-flag': 'error',
  'live-prefix': 'error',
  // Servers of the contract's kind take it, others may not.
  'exclusionary-live': 'warning',
  'no-default-rule': 'warning',
  'duplicate-rule': 'warning',
  'member-not-string': 'error',
  'flag-not-boolean': 'error',
};

export function createFinding(
  index: number,
  code: RuleLintCode,
  path: RuleLint['path'],
  args: readonly string[] = [],
): RuleLint {
  return { index, code, severity: severities[code], message: formatLintMessage(code, args), path, args };
}
