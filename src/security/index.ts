export type { GroupCombination, Party } from './columnAccess.ts';
export { type Because, type EffectiveAccess, effectiveAccess, type Verdict } from './effectiveAccess.ts';
export { accessOfColumns, type ColumnResult } from './effectiveAccess.ts';
export { fixesFor } from './fixes/fixesFor.ts';
export type { RuleFix, RuleFixCode } from './fixes/ruleFix.ts';
export type { RuleLint } from './lint/finding.ts';
export type { RuleLintCode } from './lint/lintCode.ts';
export { lintRules } from './lint/lintRules.ts';
