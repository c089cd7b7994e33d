export type { GroupCombination, Party } from './columnAccess.ts';
export {
  type AccessBounds,
  accessBounds,
  accessOfColumns,
  type Because,
  type ColumnResult,
  type EffectiveAccess,
  effectiveAccess,
  type Verdict,
} from './effectiveAccess.ts';
export { fixesFor } from './fixes/fixesFor.ts';
export type { RuleFix, RuleFixCode } from './fixes/ruleFix.ts';
export type { RuleLint } from './lint/finding.ts';
export type { RuleLintCode } from './lint/lintCode.ts';
export { lintRules } from './lint/lintRules.ts';
