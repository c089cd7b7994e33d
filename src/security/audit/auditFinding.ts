import type { DiagnosticSeverity } from '../../sql/language.ts';
import type { RuleLintCode } from '../lint/lintCode.ts';

/** Codes of audit findings beyond the lint of single rules. */
export type AuditSpecificCode =
  | 'contradiction'
  | 'several-defaults'
  | 'party-unknown'
  | 'viewpoint-sees-nothing';
export type AuditCode = RuleLintCode | AuditSpecificCode;

/** A finding, its place, and the data for its message. */
export interface AuditFinding {
  readonly code: AuditCode;
  readonly severity: DiagnosticSeverity;
  readonly args: readonly string[];
  /** In English; for a lint finding, the lint's message. */
  readonly message: string;
  /** The rule, if the finding is about one. */
  readonly index?: number;
  /** The property in the rule. */
  readonly path?: readonly (string | number)[];
  /** The viewpoint, if the finding is about one. */
  readonly viewpointId?: string;
}
