import { assertNever } from '../../base/assertNever.ts';
import type { JsonValue } from '../../base/json.ts';
import { rebaseList } from '../../base/rebaseList.ts';
import { trackItems } from '../../json/text/trackItems.ts';
import { getFormPartyKey, type RuleFields, readRuleFields, getDocumentRules } from './readRuleFields.ts';
import type { RuleFormEdit, RuleSetFormEdit } from './ruleEdit.ts';

/**
 * Adapts an edit that was made while `displayedDocument` was shown to the current document, so that it applies to the
 * same rule at its current index (see {@link trackItems}). Returns `undefined` if it can't be
 * applied safely: the rule no longer exists or can't be identified, or its parties would no longer be valid together.
 */
export function rebaseRuleSetEdit(
  edit: RuleSetFormEdit,
  displayedDocument: JsonValue,
  currentDocument: JsonValue,
): RuleSetFormEdit | undefined {
  const getCurrentIndex = trackItems(
    getDocumentRules(displayedDocument),
    getDocumentRules(currentDocument),
    isSameColumn,
  );
  switch (edit.kind) {
    case 'addRule':
    case 'cells':
      // These edits contain no rule index.
      return edit;
    case 'removeRules': {
      const rules = edit.rules.map(getCurrentIndex).filter((index) => index !== undefined);
      return rules.length < edit.rules.length ? undefined : { ...edit, rules };
    }
    case 'rule': {
      const rule = getCurrentIndex(edit.rule);
      if (rule === undefined) {
        return undefined;
      }
      const rebasedEdit = rebaseRuleEdit(
        edit.edit,
        readRuleLists(displayedDocument, edit.rule),
        readRuleLists(currentDocument, rule),
      );
      return rebasedEdit === undefined ? undefined : { ...edit, rule, edit: rebasedEdit };
    }
    case 'splitRule': {
      const rule = getCurrentIndex(edit.rule);
      return rule === undefined ? undefined : { ...edit, rule };
    }
    default:
      return assertNever(edit);
  }
}

type RuleLists = Pick<RuleFields, 'members' | 'parties'>;

const readRuleLists = (document: JsonValue, rule: number): RuleLists =>
  readRuleFields(getDocumentRules(document)[rule] ?? null);

/** Adapts an edit of one rule. Edits replace whole lists, so additions and removals made elsewhere are merged in. */
function rebaseRuleEdit(edit: RuleFormEdit, before: RuleLists, after: RuleLists): RuleFormEdit | undefined {
  switch (edit.kind) {
    case 'members':
      return { ...edit, values: rebaseList(edit.values, before.members, after.members, (member) => member) };
    case 'parties': {
      const values = rebaseList(edit.values, before.parties, after.parties, getFormPartyKey);
      // The default party must be the only one (rest-api.md, "Kinds of rule" 1), so the two edits can't be combined.
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

/** Treats a rule that was moved to another column as a different rule: an edit must not be applied to it. */
function isSameColumn(before: JsonValue, after: JsonValue): boolean {
  const [oldFields, currentFields] = [readRuleFields(before), readRuleFields(after)];
  return oldFields.table === currentFields.table && oldFields.column === currentFields.column;
}
