import { deniesAll, type HeldRule, fulfills, getSpotKey } from './heldRule.ts';
import type { RuleTarget, WantedRule } from './ruleTarget.ts';

/**
 * Creates the target that reverses what an operation has done so far: rules that it created are deleted, rules that it
 * changed or deleted are restored, and changes by other users are kept.
 * @param current the current rules of the columns
 * @param denySpots spots where the operation created, or may have created, temporary deny rules
 * @param createdIds IDs of rules that the server reported to the operation as created
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
