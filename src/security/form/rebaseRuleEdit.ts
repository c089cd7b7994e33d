import { assertNever } from '../../base/assertNever.ts';
import type { JsonValue } from '../../base/json.ts';
import { rulesOf } from './readRuleFields.ts';
import type { RuleSetEdit } from './ruleEdit.ts';

/**
 * An edit that was made in view of `seen`, as it applies to what the rules have become meanwhile; rules are found by
 * identity (see `shareParts`), and one that has changed is taken for the one in its place as long as there are as
 * many. `undefined` where a rule is gone.
 */
export function rebaseRuleSetEdit(
  edit: RuleSetEdit,
  seen: JsonValue,
  now: JsonValue,
): RuleSetEdit | undefined {
  const before = rulesOf(seen);
  const after = rulesOf(now);
  const placeOf = (place: number): number | undefined => {
    const rule = before[place];
    const same = rule === undefined ? -1 : after.indexOf(rule);
    if (same >= 0) {
      return same;
    }
    return before.length === after.length && rule !== undefined ? place : undefined;
  };
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
