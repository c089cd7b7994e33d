import type { JsonObject } from '../../base/json.ts';
import type { RuleSubject } from '../../catalog/ruleSubject.ts';
import type { InverseWrites } from '../model/inverseWrites.ts';
import { addReversalWrites, getRuleId } from '../rules/ruleReversal.ts';

/**
 * Adds the writes that restore those of the rules that no longer exist. They get new IDs (rest-api.md, "Data security
 * rule").
 */
export function restoreMissingRules(
  subject: RuleSubject,
  rules: readonly JsonObject[],
  inverse: InverseWrites,
): void {
  const currentRules = inverse.getRules(subject);
  const adds = rules.filter((rule) => !currentRules.has(getRuleId(rule)));
  addReversalWrites(subject, { adds, deletes: [], updates: [] }, inverse);
}
