import { assertNever } from '../../base/assertNever.ts';
import type { JsonValue } from '../../base/json.ts';
import { rebaseList } from '../../base/rebaseList.ts';
import { followItems } from '../../json/text/followItems.ts';
import { partyKey, type RuleFields, readRuleFields, rulesOf } from './readRuleFields.ts';
import type { RuleEdit, RuleSetEdit } from './ruleEdit.ts';

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
    case 'rule': {
      const rule = placeOf(edit.rule);
      if (rule === undefined) {
        return undefined;
      }
      const change = rebaseRuleEdit(edit.edit, listsOf(seen, edit.rule), listsOf(now, rule));
      return change === undefined ? undefined : { ...edit, rule, edit: change };
    }
    case 'splitRule': {
      const rule = placeOf(edit.rule);
      return rule === undefined ? undefined : { ...edit, rule };
    }
    default:
      return assertNever(edit);
  }
}

type Lists = Pick<RuleFields, 'members' | 'parties'>;

const listsOf = (document: JsonValue, rule: number): Lists => readRuleFields(rulesOf(document)[rule] ?? null);

/** Lists are set whole: what was added to them elsewhere stays, and what was taken out stays out. */
function rebaseRuleEdit(edit: RuleEdit, before: Lists, after: Lists): RuleEdit | undefined {
  switch (edit.kind) {
    case 'members':
      return { ...edit, values: rebaseList(edit.values, before.members, after.members, (member) => member) };
    case 'parties': {
      const values = rebaseList(edit.values, before.parties, after.parties, partyKey);
      // The default party stands alone (spec, "Default rule"): with others there, one of the two would be undone.
      return values.length > 1 && values.some(({ type }) => type === 'default')
        ? undefined
        : { ...edit, values };
    }
    case 'column':
    case 'ruleKind':
      return edit;
    default:
      return assertNever(edit);
  }
}

/** A rule on another column is another rule: what was meant for one must not reach the other. */
function isStill(before: JsonValue, after: JsonValue): boolean {
  const [old, current] = [readRuleFields(before), readRuleFields(after)];
  return old.table === current.table && old.column === current.column;
}
