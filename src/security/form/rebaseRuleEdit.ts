import { assertNever } from '../../base/assertNever.ts';
import type { JsonValue } from '../../base/json.ts';
import { followItems } from '../../jsonText/followItems.ts';
import { readRuleFields, rulesOf } from './readRuleFields.ts';
import type { RuleSetEdit } from './ruleEdit.ts';

/**
 * An edit that was made in view of `seen`, as it applies to what the rules have become meanwhile: to the rule that it
 * was made for, wherever that stands now (see {@link followItems}). `undefined` where that rule is gone.
 */
export function rebaseRuleSetEdit(
  edit: RuleSetEdit,
  seen: JsonValue,
  now: JsonValue,
): RuleSetEdit | undefined {
  const placeOf = followItems(rulesOf(seen), rulesOf(now), isStill);
  switch (edit.kind) {
    case 'addRule':
      return edit;
    case 'removeRules': {
      const rules = edit.rules.map(placeOf).filter((place) => place !== undefined);
      return rules.length < edit.rules.length ? undefined : { ...edit, rules };
    }
    case 'rule':
    case 'splitRule': {
      const rule = placeOf(edit.rule);
      return rule === undefined ? undefined : { ...edit, rule };
    }
    default:
      return assertNever(edit);
  }
}

/** A rule on another column is another rule: what was meant for one must not reach the other. */
function isStill(before: JsonValue, after: JsonValue): boolean {
  const [old, current] = [readRuleFields(before), readRuleFields(after)];
  return old.table === current.table && old.column === current.column;
}
