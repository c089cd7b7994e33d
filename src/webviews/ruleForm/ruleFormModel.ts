import { computed, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import type { JsonValue } from '../../base/json.ts';
import type { FormProblem } from '../protocol/documentForm.ts';
import type { RuleQuestion } from '../protocol/formQuestions.ts';
import { applyRuleSetEdit } from '../../security/form/applyRuleEdit.ts';
import {
  getFormPartyKey,
  readRuleFields,
  type RuleFields,
  getDocumentRules,
} from '../../security/form/readRuleFields.ts';
import type { FormParty, RuleSetFormEdit } from '../../security/form/ruleEdit.ts';
import { type FormPage, createFormPage } from '../shared/formPage.ts';
import { t } from '../shared/t.ts';

/** A cell of the matrix, by the keys of its party and its column. */
export interface RuleCell {
  readonly party: string;
  readonly column: string;
}

/** A column of the matrix. */
export interface RuleFormColumn {
  readonly key: string;
  readonly table: string;
  readonly column: string;
}

/** The matrix of parties and columns, with the rules of each cell. */
export interface RuleFormMatrix {
  readonly parties: readonly FormParty[];
  readonly columns: readonly RuleFormColumn[];
  /** Indexes of rules, by {@link toCellKey}. */
  readonly rules: ReadonlyMap<string, readonly number[]>;
  /** Indexes of the rules that name no party or no column, so they are in no cell. */
  readonly rulesWithoutCell: readonly number[];
}

/** The state of the form of a single rule or a rule set. */
export interface RuleFormModel {
  readonly page: FormPage<RuleSetFormEdit, RuleQuestion>;
  readonly isRuleSet: ReadonlySignal<boolean>;
  readonly rules: ReadonlySignal<readonly RuleFields[]>;
  readonly matrix: ReadonlySignal<RuleFormMatrix>;
  readonly selectedCell: Signal<RuleCell | undefined>;
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
  const formatPartyName = ({ type, id = '', name }: FormParty): string => {
    const names = page.names.value;
    return type === 'default'
      ? t('Everyone else')
      : (name ?? (Object.hasOwn(names, id) ? names[id] : undefined) ?? (id || t('(no ID)')));
  };
  return {
    page,
    isRuleSet,
    rules,
    matrix: computed(() => createMatrix(rules.value, formatPartyName)),
    selectedCell: signal(undefined),
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

export const toCellKey = ({ party, column }: RuleCell): string => JSON.stringify([party, column]);
export const toColumnKey = (table: string, column: string): string => JSON.stringify([table, column]);

const partyOrder = { default: 0, group: 1, user: 2 };

function createMatrix(rules: readonly RuleFields[], getName: (party: FormParty) => string): RuleFormMatrix {
  const parties = new Map<string, FormParty>();
  const columns = new Map<string, RuleFormColumn>();
  const cells = new Map<string, number[]>();
  const rulesWithoutCell: number[] = [];
  rules.forEach(({ table, column, parties: ruleParties }, ruleIndex) => {
    if (ruleParties.length === 0 || table === '' || column === '') {
      rulesWithoutCell.push(ruleIndex);
      return;
    }
    const key = toColumnKey(table, column);
    columns.set(key, { key, table, column });
    for (const party of ruleParties) {
      const partyKey = getFormPartyKey(party);
      parties.set(partyKey, parties.get(partyKey) ?? party);
      const cellKey = toCellKey({ party: partyKey, column: key });
      cells.set(cellKey, [...(cells.get(cellKey) ?? []), ruleIndex]);
    }
  });
  // Everyone else first, because the other rules are exceptions to that one; then by name, so that rows stay in place
  // when rules are split or moved.
  const sortedParties = [...parties.values()].sort(
    (a, b) => partyOrder[a.type] - partyOrder[b.type] || getName(a).localeCompare(getName(b)),
  );
  return { parties: sortedParties, columns: [...columns.values()], rules: cells, rulesWithoutCell };
}

/** A short description of the access that a rule grants. */
export function describeRule({ ruleKind, members }: RuleFields): string {
  switch (ruleKind) {
    case 'everything':
      return t('all values');
    case 'nothing':
      return t('no values');
    case 'except':
      return members.length === 1
        ? t('all but {0}', members[0] ?? '')
        : t('all but {0} values', members.length);
    case 'only':
      return members.length === 1 ? t('only {0}', members[0] ?? '') : t('only {0} values', members.length);
  }
}
