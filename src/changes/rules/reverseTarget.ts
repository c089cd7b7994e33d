import { deniesAll, type HeldRule, fulfills, getSpotKey } from './heldRule.ts';
import type { RuleTarget, WantedRule } from './ruleTarget.ts';

/**
 * The way back from what an operation has made of the rules so far: its own work goes, what it changed or deleted is as
 * it was, and what others did stays.
 * @param current the rules of the columns as they are now
 * @param made identifiers of rules that the operation was answered to have made
 * @param denied spots where the operation has put temporary deny rules, or may have
 */
export function createReverseTarget(
  current: readonly HeldRule[],
  target: RuleTarget,
  denied: ReadonlySet<string>,
  made: ReadonlySet<string> = new Set(),
): RuleTarget {
  const sought = Map.groupBy(
    target.wanted.filter(({ isEdited }) => isEdited),
    ({ held }) => getSpotKey(held),
  );
  const isMade = (rule: HeldRule): boolean => {
    const candidates = sought.get(getSpotKey(rule)) ?? [];
    const at = candidates.findIndex(({ held }) => fulfills(rule, held));
    return at !== -1 && candidates.splice(at, 1).length > 0;
  };
  const own = current.filter(
    (rule) =>
      target.columns.has(rule.column) &&
      (target.previousById.has(rule.id) ||
        made.has(rule.id) ||
        (deniesAll(rule) && denied.has(getSpotKey(rule))) ||
        isMade(rule)),
  );
  const byId = new Map(own.map((rule) => [rule.id, rule]));
  const kept = new Set(target.wanted.filter(({ isEdited }) => !isEdited).map(({ previous }) => previous));
  return {
    kind: target.kind,
    columns: target.columns,
    wanted: [...target.previousById.values()].map((held): WantedRule => {
      const isKept = kept.has(held);
      return { held, previous: isKept ? held : byId.get(held.id), isEdited: !isKept, mustSend: false };
    }),
    previousById: byId,
    removedBy: new Map(),
  };
}
