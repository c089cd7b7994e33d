import * as vscode from 'vscode';
import type { ChangeView, ShownChange, ShownProblem } from '../../protocol/ruleChange.ts';
import { shownGrant } from '../../protocol/ruleText.ts';
import { changeRows } from '../../security/change/changeRows.ts';
import type { ColumnLeftOpen } from '../../security/change/columnsLeftOpen.ts';
import type { Obstacle } from '../../security/change/ruleDifference.ts';
import { columnKey } from '../../security/copy/columnMapping.ts';
import { readShares } from '../../security/copy/namedShares.ts';
import { ruleTableColumns } from '../../security/ruleTable/columns.ts';
import type { TableProblem } from '../../security/ruleTable/tableRule.ts';
import type { Preview } from './preview.ts';

const t = vscode.l10n.t;

/** Rows that a problem names. */
const shownRows = 8;

/** A change as its page shows it. */
export function wordPreview(preview: Preview): ChangeView {
  const { source, choices, wanted, difference, found, operation } = preview;
  const names = new Map(
    [
      ...readShares(difference.deletes.map(({ rule }) => rule)),
      ...found.groups.map(({ id, name }) => ({ type: 'group', id, name })),
    ].map(({ type, id, name }) => [`${type}:${id}`, name] as const),
  );
  const posts = operation.writes.filter(({ endpoint }) => endpoint.endsWith('.create'));
  const guards = posts
    .filter(({ step }) => step === 'guard')
    .flatMap(({ body }) => (body as unknown[]) ?? []);
  return {
    title: source.title,
    from: source.from,
    scope: choices.scope,
    changes: changeRows(difference).map(({ kind, table, column, party, before, after }): ShownChange => {
      const { type, id = '' } = party;
      const name = names.get(`${type}:${id}`) ?? source.nameOf?.({ type, name: id }) ?? id;
      return {
        kind,
        column: `${table}.${column}`,
        party: { type, name },
        before: before.map((grant) => shownGrant(grant, after)),
        after: after.map((grant) => shownGrant(grant, before)),
      };
    }),
    unchanged: difference.unchanged,
    problems: problemsOf(preview),
    found: found.groups,
    requests: {
      add: posts.length,
      delete: difference.deletes.length + guards.length,
      isGuarded: guards.length > 0,
    },
    ...(wanted.mapping === undefined
      ? {}
      : {
          mapping: wanted.mapping.map(({ from, to, rules, by }) => ({
            key: columnKey(from),
            from: `${from.table}.${from.column}`,
            to: to === undefined ? '' : `${to.table}.${to.column}`,
            rules,
            by,
          })),
        }),
    ...(wanted.blocks === undefined || wanted.blocks === 0
      ? {}
      : { blocks: { rules: wanted.blocks, isRewritten: choices.isRewriting } }),
  };
}

/** What keeps the change from being made, then what a person should know. */
function problemsOf({ wanted, difference, leftOpen, found }: Preview): readonly ShownProblem[] {
  const unseen = found.unseen.slice(0, shownRows).join(', ');
  const further = found.unseen.length - shownRows;
  return [
    ...difference.obstacles.map(
      (obstacle): ShownProblem => ({
        severity: 'error',
        text: obstacleText(obstacle),
      }),
    ),
    ...wanted.problems.map(({ severity, ...problem }) => ({ severity, text: problemText(problem) })),
    ...leftOpen.map((column): ShownProblem => ({ severity: 'warning', text: leftOpenText(column) })),
    ...wanted.refused.map((text): ShownProblem => ({ severity: 'warning', text })),
    ...(found.unseen.length === 0
      ? []
      : [
          {
            severity: 'warning',
            text:
              further > 0
                ? t(
                    'In no rule yet, so nobody can tell whether they exist: {0} and {1} more.',
                    unseen,
                    further,
                  )
                : t('In no rule yet, so nobody can tell whether they exist: {0}.', unseen),
          } as const,
        ]),
  ].sort((a, b) => Number(a.severity === 'warning') - Number(b.severity === 'warning'));
}

const leftOpenText = ({ table, column, sees }: ColumnLeftOpen): string =>
  sees === 'everything'
    ? t('{0}.{1} would have no rule left: everybody would see all of it.', table, column)
    : t('{0}.{1} would have no rule for everybody else: what they see is not defined.', table, column);

const obstacles: Readonly<Record<Obstacle['code'], (...args: readonly string[]) => string>> = {
  'party-not-found': (type = '', name = '') =>
    type === 'group' ? t('The server knows no group {0}.', name) : t('There is no user {0}.', name),
  'unknown-table': (table = '') =>
    t('The datamodel has no table {0}: the rule would protect nothing.', table),
  'unknown-column': (table = '', column = '') =>
    t('{0} has no column {1}: the rule would protect nothing.', table, column),
  'date-column': (table = '', column = '') =>
    t('{0}.{1} is a date: dates cannot carry rules.', table, column),
  'exclusionary-live': (table = '', column = '') =>
    t('The rule on {0}.{1} hides values, which a rule of a live datamodel cannot do.', table, column),
};

const obstacleText = ({ code, rows, args }: Obstacle): string => inRows(rows, obstacles[code](...args));

function inRows(rows: readonly number[], text: string): string {
  if (rows.length === 0) {
    return text;
  }
  const shown = rows.slice(0, shownRows).join(', ');
  return rows.length > shownRows
    ? t('Rows {0} and {1} more: {2}', shown, rows.length - shownRows, text)
    : rows.length === 1
      ? t('Row {0}: {1}', shown, text)
      : t('Rows {0}: {1}', shown, text);
}

const problems: Readonly<Record<TableProblem['code'], (argument: string) => string>> = {
  empty: () => t('There is nothing in it.'),
  'missing-column': (names) =>
    t(
      'These columns are missing: {0}. The first line names the columns ({1}); Export Rules… writes such a table.',
      names,
      ruleTableColumns.join(', '),
    ),
  quotes: () => t('A quotation mark is not closed.'),
  'cell-required': (name) => t('"{0}" is empty.', name),
  'unknown-access': (word) => t('"{0}" is no access: only, except, everything or nothing.', word),
  'unknown-party-type': (word) => t('"{0}" is no kind of party: user, group or default.', word),
  'unknown-datatype': (word) => t('"{0}" is no datatype: text or numeric.', word),
  'default-has-party': (name) => t('A default rule is for everybody else, not for {0}.', name),
  'mixed-rule': (row) => t('It says something else than row {0} of the same rule.', row),
  'value-ignored': (value) => t('The value {0} says nothing beside everything or nothing.', value),
  'lost-letters': (cell) =>
    t('Letters of "{0}" were lost before it came here. Save the table as UTF-8 and import it again.', cell),
  'guessed-encoding': (word) =>
    t(
      'The file is not UTF-8. It was read as Windows-1252, for example "{0}". If that is wrong, save it as UTF-8.',
      word,
    ),
};

const problemText = ({ code, row, args }: Omit<TableProblem, 'severity'>): string =>
  inRows(row === 0 ? [] : [row], problems[code](args[0] ?? ''));
