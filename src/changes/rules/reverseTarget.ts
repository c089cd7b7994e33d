import { deniesAll, type ParsedRuleDocument, fulfills, getScopeKey } from './parsedRuleDocument.ts';
import type { RuleTarget, WantedRule } from './ruleTarget.ts';

/**
 * Creates the target that reverses what an operation has done so far: rules that it created are deleted, rules that it
 * changed or deleted are restored, and changes by other users are kept.
 * @param current the current rules of the columns
 * @param denyScopes scopes for which the operation created, or may have created, temporary deny rules
 * @param createdIds IDs of rules that the server reported to the operation as created
 */
export function createReverseTarget(
  current: readonly ParsedRuleDocument[],
  target: RuleTarget,
  denyScopes: ReadonlySet<string>,
  createdIds: ReadonlySet<string> = new Set(),
): RuleTarget {
  const editedByScope = Map.groupBy(
    target.wantedRules.filter(({ isEdited }) => isEdited),
    ({ parsed }) => getScopeKey(parsed),
  );
  const takeIfCreated = (rule: ParsedRuleDocument): boolean => {
    const candidates = editedByScope.get(getScopeKey(rule)) ?? [];
    const index = candidates.findIndex(({ parsed }) => fulfills(rule, parsed));
    return index !== -1 && candidates.splice(index, 1).length > 0;
  };
  const ownRules = current.filter(
    (rule) =>
      target.columnKeys.has(rule.columnKey) &&
      (target.previousById.has(rule.id) ||
        createdIds.has(rule.id) ||
        (deniesAll(rule) && denyScopes.has(getScopeKey(rule))) ||
        takeIfCreated(rule)),
  );
  const byId = new Map(ownRules.map((rule) => [rule.id, rule]));
  const unchangedRules = new Set(
    target.wantedRules.filter(({ isEdited }) => !isEdited).map(({ previous }) => previous),
  );
  return {
    kind: target.kind,
    columnKeys: target.columnKeys,
    wantedRules: [...target.previousById.values()].map((previous): WantedRule => {
      const isUnchanged = unchangedRules.has(previous);
      return {
        parsed: previous,
        previous: isUnchanged ? previous : byId.get(previous.id),
        isEdited: !isUnchanged,
        mustSend: false,
      };
    }),
    previousById: byId,
    deletingWriteIndices: new Map(),
  };
}
