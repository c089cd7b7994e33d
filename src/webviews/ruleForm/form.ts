import { computed, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import type { JsonValue } from '../../base/json.ts';
import type { FormProblem } from '../protocol/documentForm.ts';
import type { RuleQuestion } from '../protocol/formQuestions.ts';
import { applyRuleSetEdit } from '../../security/form/applyRuleEdit.ts';
import { partyKey, readRuleFields, type RuleFields, rulesOf } from '../../security/form/readRuleFields.ts';
import type { RuleParty, RuleSetEdit } from '../../security/form/ruleEdit.ts';
import { type FormPage, openFormPage } from '../shared/formPage.ts';
import { t } from '../shared/t.ts';

/** Which cell of the matrix is looked at. */
export interface Cell {
  readonly party: string;
  readonly column: string;
}

/** A column of the matrix. */
export interface MatrixColumn {
  readonly key: string;
  readonly table: string;
  readonly column: string;
}

/** Parties × columns, with the rules that stand where they meet. */
export interface Matrix {
  readonly parties: readonly RuleParty[];
  readonly columns: readonly MatrixColumn[];
  /** Places of rules, by {@link cellKey}. */
  readonly rules: ReadonlyMap<string, readonly number[]>;
  /** Rules that name no party or no column, which are in no cell. */
  readonly others: readonly number[];
}

/** The form of one rule or of a rule set. */
export interface RuleForm {
  readonly page: FormPage<RuleSetEdit, RuleQuestion>;
  readonly isSet: ReadonlySignal<boolean>;
  readonly rules: ReadonlySignal<readonly RuleFields[]>;
  readonly matrix: ReadonlySignal<Matrix>;
  readonly cell: Signal<Cell | undefined>;
  readonly tab: Signal<'rules' | 'problems'>;
  readonly problemsByRule: ReadonlySignal<ReadonlyMap<number, readonly FormProblem[]>>;
  nameOf(party: RuleParty): string;
}

export function openRuleForm(): RuleForm {
  const page = openFormPage<RuleSetEdit, RuleQuestion>(applyRuleSetEdit);
  const isSet = computed(() => Array.isArray(page.document.value));
  const read = new WeakMap<object, RuleFields>();
  const fieldsOf = (rule: JsonValue): RuleFields => {
    if (typeof rule !== 'object' || rule === null) {
      return readRuleFields(rule);
    }
    const known = read.get(rule) ?? readRuleFields(rule);
    read.set(rule, known);
    return known;
  };
  const rules = computed(() => rulesOf(page.document.value ?? {}).map(fieldsOf));
  const nameOf = ({ type, id = '', name }: RuleParty): string => {
    const names = page.names.value;
    return type === 'default'
      ? t('Everybody else')
      : (name ?? (Object.hasOwn(names, id) ? names[id] : undefined) ?? (id || t('(no identifier)')));
  };
  return {
    page,
    isSet,
    rules,
    matrix: computed(() => matrixOf(rules.value, nameOf)),
    cell: signal(undefined),
    tab: signal('rules'),
    problemsByRule: computed(() => {
      const byRule = new Map<number, FormProblem[]>();
      for (const problem of page.problems.value) {
        const [first] = problem.path;
        const rule = isSet.value ? first : 0;
        if (typeof rule === 'number') {
          byRule.set(rule, [...(byRule.get(rule) ?? []), problem]);
        }
      }
      return byRule;
    }),
    nameOf,
  };
}

export const cellKey = ({ party, column }: Cell): string => JSON.stringify([party, column]);
export const columnKey = (table: string, column: string): string => JSON.stringify([table, column]);

const order = { default: 0, group: 1, user: 2 };

function matrixOf(rules: readonly RuleFields[], nameOf: (party: RuleParty) => string): Matrix {
  const parties = new Map<string, RuleParty>();
  const columns = new Map<string, MatrixColumn>();
  const cells = new Map<string, number[]>();
  const others: number[] = [];
  rules.forEach(({ table, column, parties: named }, place) => {
    if (named.length === 0 || table === '' || column === '') {
      others.push(place);
      return;
    }
    const key = columnKey(table, column);
    columns.set(key, { key, table, column });
    for (const party of named) {
      const of = partyKey(party);
      parties.set(of, parties.get(of) ?? party);
      const cell = cellKey({ party: of, column: key });
      cells.set(cell, [...(cells.get(cell) ?? []), place]);
    }
  });
  // Everybody else first, as the rule that the others are exceptions of; then by name, so that no row jumps when rules
  // are split or moved.
  const sorted = [...parties.values()].sort(
    (a, b) => order[a.type] - order[b.type] || nameOf(a).localeCompare(nameOf(b)),
  );
  return { parties: sorted, columns: [...columns.values()], rules: cells, others };
}

/** What a rule lets its parties see, in a few words. */
export function describeRule({ ruleKind, members }: RuleFields): string {
  switch (ruleKind) {
    case 'everything':
      return t('everything');
    case 'nothing':
      return t('nothing');
    case 'except':
      return members.length === 1
        ? t('all but {0}', members[0] ?? '')
        : t('all but {0} values', members.length);
    case 'only':
      return members.length === 1 ? t('only {0}', members[0] ?? '') : t('only {0} values', members.length);
  }
}
