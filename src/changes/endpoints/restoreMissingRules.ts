import type { JsonObject } from '../../base/json.ts';
import type { RuleSubject } from '../../catalog/ruleSubject.ts';
import type { UndoWrites } from '../model/undoWrites.ts';
import { addReversalWrites, getRuleId } from '../rules/ruleReversal.ts';

/**
 * Adds the writes that restore those of the rules that no longer exist. They get new IDs (rest-api.md, "Data security
 * rule").
 */
export function restoreMissingRules(
  subject: RuleSubject,
  rules: readonly JsonObject[],
  undoWrites: UndoWrites,
): void {
  const currentRules = undoWrites.getRules(subject);
  const adds = rules.filter((rule) => !currentRules.has(getRuleId(rule)));
  addReversalWrites(subject, { adds, deletes: [], updates: [] }, undoWrites);
}
