import { checkRuleChange } from '../rules/changeRules.ts';
import { getRuleAction } from '../rules/ruleAction.ts';
import type { RuleEndpointBehavior } from '../rules/rulePhase.ts';
import { createRuleTarget, RuleChangeRefusedError } from '../rules/ruleTarget.ts';
import type { JsonObject } from '../../base/json.ts';
import { createConflictError } from './conflicts.ts';
import type { Operation, Write } from '../model/operation.ts';
import type { ReadDocument } from '../model/readDocument.ts';
import { getRuleEdits, collectRules } from '../rules/ruleEdits.ts';
import { type RuleWriteGroup, getRuleWriteGroups } from '../rules/ruleWriteGroup.ts';

/**
 * Checks, before anything is sent, that the rule changes of an operation have a safe order, based on the rules that
 * were just read and the known behavior of the server.
 * @throws RuleChangeRefusedError, and ConflictError if a rule to be changed no longer exists
 */
export function checkRuleWrites(
  { writes }: Operation,
  before: readonly ReadDocument[],
  behavior: RuleEndpointBehavior,
): void {
  for (const group of getRuleWriteGroups(writes)) {
    const previousRules = collectRules(before, group.subject);
    const { edits } = getRuleEdits(group, writes, previousRules);
    checkRulesExist(group, writes, previousRules);
    checkRuleChange(previousRules, createRuleTarget(group.subject.kind, previousRules, edits), behavior);
  }
}

/**
 * Returns the reason why {@link checkRuleWrites} refuses an operation, so that a preview can show it before anybody
 * tries; `undefined` if it doesn't.
 */
export function findRuleRefusal(
  ...[operation, before, behavior]: Parameters<typeof checkRuleWrites>
): RuleChangeRefusedError | undefined {
  try {
    checkRuleWrites(operation, before, behavior);
    return undefined;
  } catch (error) {
    if (error instanceof RuleChangeRefusedError) {
      return error;
    }
    throw error;
  }
}

/** @throws ConflictError if a rule to update no longer exists: updating it would create it again */
function checkRulesExist(
  { subject, writeIndices: indices }: RuleWriteGroup,
  writes: readonly Write[],
  previousRules: readonly JsonObject[],
): void {
  const ids = new Set(previousRules.map(({ _id: id }) => id));
  for (const index of indices) {
    const write = writes[index];
    const { ruleId = '' } = write?.params ?? {};
    if (write !== undefined && getRuleAction(write) === 'update' && !ids.has(ruleId)) {
      throw createConflictError({ ref: { kind: 'rule', subject, ruleId }, document: undefined });
    }
  }
}
