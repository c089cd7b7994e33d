import { denies, type HeldRule, says, spotOf } from './heldRule.ts';
import type { RuleTarget, WantedRule } from './ruleTarget.ts';

/**
 * The way back from what an operation has made of the rules so far: its own work goes, what it changed or deleted is as
 * it was, and what others did stays.
 * @param current the rules of the columns as they are now
 * @param made identifiers of rules that the operation was answered to have made
 * @param denied spots where the operation has put temporary deny rules, or may have
 */
export function reverseTarget(
  current: readonly HeldRule[],
  target: RuleTarget,
  denied: ReadonlySet<string>,
  made: ReadonlySet<string> = new Set(),
): RuleTarget {
  const sought = Map.groupBy(
    target.wanted.filter(({ isEdited }) => isEdited),
    ({ held }) => spotOf(held),
  );
  const isMade = (rule: HeldRule): boolean => {
    const there = sought.get(spotOf(rule)) ?? [];
    const at = there.findIndex(({ held }) => says(rule, held));
    return at !== -1 && there.splice(at, 1).length > 0;
  };
  const own = current.filter(
    (rule) =>
      target.columns.has(rule.column) &&
      (target.former.has(rule.id) ||
        made.has(rule.id) ||
        (denies(rule) && denied.has(spotOf(rule))) ||
        isMade(rule)),
  );
  const byId = new Map(own.map((rule) => [rule.id, rule]));
  const kept = new Set(target.wanted.filter(({ isEdited }) => !isEdited).map(({ former }) => former));
  return {
    kind: target.kind,
    columns: target.columns,
    wanted: [...target.former.values()].map((held): WantedRule => {
      const isKept = kept.has(held);
      return { held, former: isKept ? held : byId.get(held.id), isEdited: !isKept, mustSend: false };
    }),
    former: byId,
    removedBy: new Map(),
  };
}
