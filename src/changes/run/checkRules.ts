import { checkRuleChange } from '../rules/changeRules.ts';
import { getRuleAction } from '../rules/ruleAction.ts';
import type { RuleServerFacts } from '../rules/rulePhase.ts';
import { createRuleTarget } from '../rules/ruleTarget.ts';
import type { JsonObject } from '../../base/json.ts';
import { createConflict } from './conflicts.ts';
import type { Operation, Write } from '../model/operation.ts';
import type { ReadDocument } from '../model/readDocument.ts';
import { getRuleEdits, collectRules } from '../rules/ruleEdits.ts';
import { type RuleGroup, getRuleGroups } from '../rules/ruleGroup.ts';

/**
 * Whether the changes of rules of an operation have a safe order, as far as the rules tell that were just read. Asked
 * before anything is sent.
 * @throws RuleChangeRefusedError, and ConflictError where a rule that is to be changed is gone
 */
export function checkRules(
  { writes }: Operation,
  before: readonly ReadDocument[],
  facts: RuleServerFacts,
): void {
  for (const group of getRuleGroups(writes)) {
    const former = collectRules(before, group.subject);
    const { edits } = getRuleEdits(group, writes, former);
    checkRulesExist(group, writes, former);
    checkRuleChange(former, createRuleTarget(group.subject.kind, former, edits), facts);
  }
}

/** A rule that is gone would be added again by its change. */
function checkRulesExist(
  { subject, writes: indices }: RuleGroup,
  writes: readonly Write[],
  former: readonly JsonObject[],
): void {
  const ids = new Set(former.map(({ _id: id }) => id));
  for (const index of indices) {
    const write = writes[index];
    const { ruleId = '' } = write?.params ?? {};
    if (write !== undefined && getRuleAction(write) === 'update' && !ids.has(ruleId)) {
      throw createConflict({ ref: { kind: 'rule', subject, ruleId }, document: undefined });
    }
  }
}
