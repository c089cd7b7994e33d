import { computed, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import type { JsonValue } from '../../base/json.ts';
import type { FormProblem } from '../protocol/documentForm.ts';
import type { RuleQuestion } from '../protocol/formQuestions.ts';
import { applyRuleSetEdit } from '../../security/form/applyRuleEdit.ts';
import { readRuleFields, type RuleFields, getDocumentRules } from '../../security/form/readRuleFields.ts';
import type { FormParty, RuleSetFormEdit } from '../../security/form/ruleEdit.ts';
import { type FormPage, createFormPage } from '../shared/formPage.ts';
import { findPartyName } from './partyName.ts';
import { t } from '../shared/t.ts';

/** The state of the form of a single rule or a rule set. */
export interface RuleFormModel {
  readonly page: FormPage<RuleSetFormEdit, RuleQuestion>;
  readonly isRuleSet: ReadonlySignal<boolean>;
  readonly rules: ReadonlySignal<readonly RuleFields[]>;
  readonly tab: Signal<'rules' | 'problems'>;
  readonly problemsByRule: ReadonlySignal<ReadonlyMap<number, readonly FormProblem[]>>;
  getPartyName(party: FormParty): string;
}

export function createRuleFormModel(): RuleFormModel {
  const page = createFormPage<RuleSetFormEdit, RuleQuestion>(applyRuleSetEdit);
  const isRuleSet = computed(() => Array.isArray(page.document.value));
  const fieldsByRule = new WeakMap<object, RuleFields>();
  const getFields = (rule: JsonValue): RuleFields => {
    if (typeof rule !== 'object' || rule === null) {
      return readRuleFields(rule);
    }
    const fields = fieldsByRule.get(rule) ?? readRuleFields(rule);
    fieldsByRule.set(rule, fields);
    return fields;
  };
  const rules = computed(() => getDocumentRules(page.document.value ?? {}).map(getFields));
  const formatPartyName = ({ type, id = '', name }: FormParty): string =>
    type === 'default'
      ? t('Everyone else')
      : (name ?? findPartyName(id, page.names.value) ?? (id || t('(no ID)')));
  return {
    page,
    isRuleSet,
    rules,
    tab: signal('rules'),
    problemsByRule: computed(() => {
      const byRule = new Map<number, FormProblem[]>();
      for (const problem of page.problems.value) {
        const [firstSegment] = problem.path;
        const rule = isRuleSet.value ? firstSegment : 0;
        if (typeof rule === 'number') {
          byRule.set(rule, [...(byRule.get(rule) ?? []), problem]);
        }
      }
      return byRule;
    }),
    getPartyName: formatPartyName,
  };
}
