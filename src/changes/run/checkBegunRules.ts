import type { HistoryEntry } from '../journal/entry.ts';
import type { DocumentReader } from '../model/documentReader.ts';
import { getObjects } from '../model/jsonMembers.ts';
import type { ReadDocument } from '../model/readDocument.ts';
import { parseRuleDocuments } from '../rules/parsedRuleDocument.ts';
import { getRuleEdits, collectRules } from '../rules/ruleEdits.ts';
import { RulesChangedError, getRemainingItems } from '../rules/ruleItems.ts';
import { type RuleWriteGroup, getRuleWriteGroups } from '../rules/ruleWriteGroup.ts';
import { createRuleTarget, type RuleTarget } from '../rules/ruleTarget.ts';
import { createRuleConflict } from './conflicts.ts';

/**
 * Checks, before an operation is resumed, that the changes of rules that it has only begun can continue.
 * @param before the documents from before the operation
 * @throws ConflictError if others have changed or deleted a rule that it changes
 * @throws ApiError
 */
export async function checkBegunRules(
  entry: HistoryEntry,
  before: readonly ReadDocument[],
  reader: Pick<DocumentReader, 'readDocument'>,
): Promise<void> {
  for (const group of getRuleWriteGroups(entry.operation.writes)) {
    const states = group.writeIndices.map((index) => entry.writeStates[index]?.state);
    if (states.every((state) => state === 'done') || states.every((state) => state === 'waiting')) {
      continue;
    }
    const { subject } = group;
    const current = parseRuleDocuments(getObjects(await reader.readDocument({ kind: 'rules', subject })));
    const { target, denyScopes } = getRuleChange(group, entry, before);
    try {
      getRemainingItems(current, target, {
        denyScopes: new Set([...entry.denyScopes, ...denyScopes]),
        createdIds: new Set(entry.createdRuleIds),
        sentRules: new Set(),
      });
    } catch (error) {
      if (error instanceof RulesChangedError) {
        throw createRuleConflict(subject, parseRuleDocuments([error.rule]), current);
      }
      // Whatever else prevents the change is found again when it continues.
    }
  }
}

/** Returns the rules that a group of writes leads to, and the scopes of its temporary deny rules. */
export function getRuleChange(
  group: RuleWriteGroup,
  { operation }: HistoryEntry,
  before: readonly ReadDocument[],
): { readonly target: RuleTarget; readonly denyScopes: readonly string[] } {
  const rulesBefore = collectRules(before, group.subject);
  const { edits, denyScopes } = getRuleEdits(group, operation.writes, rulesBefore);
  return { target: createRuleTarget(group.subject.kind, rulesBefore, edits), denyScopes };
}
