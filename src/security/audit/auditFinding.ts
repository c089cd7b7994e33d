import type { DiagnosticSeverity } from '../../sql/language.ts';
import type { RuleLintCode } from '../lint/lintCode.ts';

/** What an audit finds beyond the lint of single rules. */
export type AuditSpecificCode =
  | 'contradiction'
  | 'several-defaults'
  | 'party-unknown'
  | 'viewpoint-sees-nothing';
export type AuditCode = RuleLintCode | AuditSpecificCode;

/** A finding, the place it is about, and what a shell needs to word it. */
export interface AuditFinding {
  readonly code: AuditCode;
  readonly severity: DiagnosticSeverity;
  readonly args: readonly string[];
  /** In English; from lint it is that of the lint. */
  readonly message: string;
  /** Which rule, where it is about one. */
  readonly index?: number;
  /** The property inside the rule. */
  readonly path?: readonly (string | number)[];
  /** The viewpoint, where it is about one. */
  readonly viewpointId?: string;
}
