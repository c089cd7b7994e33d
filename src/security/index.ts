export type { ListCombination, Party } from './columnAccess.ts';
export {
  type AccessBounds,
  getAccessBounds,
  getColumnAccess,
  type Because,
  type ColumnAccessResult,
  type EffectiveAccess,
  effectiveAccess,
  type Verdict,
} from './effectiveAccess.ts';
export { getRuleFixes } from './fixes/ruleFixes.ts';
export type { RuleFix, RuleFixCode } from './fixes/ruleFix.ts';
export type { RuleFinding } from './lint/finding.ts';
export type { RuleLintCode } from './lint/lintCode.ts';
export { lintRules } from './lint/lintRules.ts';
