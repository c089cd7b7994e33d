import type { DiagnosticSeverity } from '../../sql/language.ts';
import type { RuleLintCode } from '../lint/lintCode.ts';

/** Codes of audit findings that the linter of rules does not report. */
export type AuditSpecificCode =
  | 'contradiction'
  | 'several-defaults'
  | 'party-unknown'
  | 'viewpoint-sees-nothing'
  | 'table-unreached'
  | 'no-rules'
  | 'cube-set-unconfirmed';
export type AuditCode = RuleLintCode | AuditSpecificCode;

/** A finding with its location and the arguments of its message. */
export interface AuditFinding {
  readonly code: AuditCode;
  readonly severity: DiagnosticSeverity;
  readonly args: readonly string[];
  /** The index of the rule, if the finding is about one. */
  readonly index?: number;
  /** The path of the property in the rule. */
  readonly path?: readonly (string | number)[];
  /** The viewpoint, if the finding is about one. */
  readonly viewpointId?: string;
  /** The table, if the finding is about a whole table. */
  readonly table?: string;
}
