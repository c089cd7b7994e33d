import { describe, expect, test } from 'vitest';
import type { ChangedSubject, PlanSubject } from '../../../../src/changes/model/plan.ts';
import { pairRules } from '../../../../src/features/plan/pairRules.ts';
import type { Grant } from '../../../../src/security/readRules.ts';

const only = (...values: readonly string[]): Grant => ({ kind: 'only', values: new Set(values) });
const createRule = (columnName: string, grant: Grant, ...parties: readonly string[]): PlanSubject => {
  const [table = '', column = ''] = columnName.split('/');
  return {
    kind: 'rule',
    name: `${table}.${column}`,
    within: ['Retail'],
    column: { table, column },
    rule: { grant, parties: parties.map((name) => ({ type: 'group', name })) },
  };
};
const createRename = (
  kind: 'table' | 'column',
  within: readonly string[],
  [before, after]: readonly [string, string],
): ChangedSubject => ({ kind, name: before, within, fields: [{ field: 'name', before, after }] });

const table = createRename('table', ['Retail', 'Sales'], ['Employees', 'Staff']);
const column = createRename('column', ['Retail', 'Sales', 'Employees'], ['Job Title', 'Role']);

describe('rules of a renamed column or table', () => {
  test.each([
    ['column', [column], 'Employees/Role'],
    ['table', [table], 'Staff/Job Title'],
    ['table and column', [table, column], 'Staff/Role'],
    [
      'table and column, named with the new name of the table',
      [table, { ...column, within: ['Retail', 'Sales', 'Staff'] }],
      'Staff/Role',
    ],
  ])('follow the rename: %s', (_what, changed, newName) => {
    const paired = pairRules({
      changed,
      deleted: [
        createRule('Employees/Job Title', only('a', 'b'), 'Sales', 'Support'),
        createRule('Employees/Job Title', only('c'), 'Marketing'),
      ],
      created: [
        createRule(newName, only('c'), 'Marketing'),
        createRule(newName, only('b', 'a'), 'Support', 'Sales'),
      ],
    });
    expect(paired).toEqual({
      changes: [],
      deleted: [],
      created: [],
      movedRuleCounts: new Map([[changed.at(-1), 2]]),
    });
  });

  test('are shown as changed if they get another content, and as deleted or created without a counterpart', () => {
    const moved = createRule('Employees/Job Title', only('a'), 'Sales');
    const deletedRule = createRule('Employees/Level', only('a'), 'Sales');
    const createdRule = createRule('Staff/Office', only('a'), 'Sales');
    const paired = pairRules({
      changed: [table, column],
      deleted: [moved, createRule('Employees/Job Title', only('b'), 'Support'), deletedRule],
      created: [
        createRule('Staff/Role', only('a'), 'Sales'),
        createRule('Staff/Role', only('b', 'c'), 'Support'),
        createdRule,
      ],
    });
    expect(paired.movedRuleCounts).toEqual(new Map([[column, 1]]));
    expect(
      paired.changes.map(({ column: { name }, party, before, after }) => [name, party.name, before, after]),
    ).toEqual([['Staff.Role', 'Support', [only('b')], [only('b', 'c')]]]);
    expect([paired.deleted, paired.created]).toEqual([[deletedRule], [createdRule]]);
  });

  test('do not follow a rename in another datamodel, and no name that only looks the same', () => {
    const deleted = [
      createRule('Employees/Job Title', only('a'), 'Sales'),
      createRule('Employees.Old/Id', only('a'), 'Sales'),
    ];
    const created = [
      createRule('Staff/Job Title', only('a'), 'Sales'),
      createRule('Staff.Old/Id', only('a'), 'Sales'),
    ];
    const other = createRename('table', ['Marketing', 'Sales'], ['Employees', 'Staff']);
    expect(pairRules({ changed: [other], deleted, created })).toEqual({
      changes: [],
      deleted,
      created,
      movedRuleCounts: new Map(),
    });
    expect(pairRules({ changed: [table], deleted, created })).toMatchObject({
      deleted: [deleted[1]],
      created: [created[1]],
    });
  });

  test('are counted once each: of two equal rules, one that has no counterpart is deleted', () => {
    const deleted = [1, 2].map(() => createRule('Employees/Job Title', only('a'), 'Sales'));
    const paired = pairRules({
      changed: [column],
      deleted,
      created: [createRule('Employees/Role', only('a'), 'Sales')],
    });
    expect(paired).toEqual({
      changes: [],
      deleted: [deleted[1]],
      created: [],
      movedRuleCounts: new Map([[column, 1]]),
    });
  });
});
