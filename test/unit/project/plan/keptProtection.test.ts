import { describe, expect, test } from 'vitest';
import type { ExtraItem, ItemChange } from '../../../../src/project/compare/itemChange.ts';
import { listKeptProtection } from '../../../../src/project/plan/keptProtection.ts';

const datamodel = 'M';
const table = (name: string) => ({ kind: 'table', datamodel, table: name }) as const;
const ruleKey = (name: string, column: string, model = datamodel) =>
  ({ kind: 'rules', datamodel: model, table: name, column }) as const;
const change = (properties: Pick<ItemChange, 'key' | 'action'> & Partial<ItemChange>): ItemChange => ({
  parts: [],
  isChangedOnServer: false,
  ...properties,
});

const extras: readonly ExtraItem[] = [
  { key: ruleKey('N', 'X') },
  { key: ruleKey('A', 'Y') },
  { key: ruleKey('N', 'X', 'Other') },
  {
    key: {
      kind: 'relation',
      datamodel,
      columns: [
        { table: 'A', column: 'Y' },
        { table: 'N', column: 'X' },
      ],
    },
  },
  { key: { kind: 'cubeSetRules', cubeSet: 'S', table: 'N', column: 'X' } },
  { key: { kind: 'cubeSetRules', cubeSet: 'S', table: 'A', column: 'Y' } },
  { key: { kind: 'viewpoint', viewpoint: 'V' } },
  { key: table('A'), column: 'Y' },
];
const items = [
  { key: table('A'), content: { columns: [{ name: 'Y' }] } },
  ...extras.flatMap(({ key }) => (key.kind === 'table' ? [] : [{ key, content: ['a rule'] }])),
];
const list = (...changes: readonly ItemChange[]) =>
  listKeptProtection({ changes, extraItems: extras }, items);

describe('what only the instance has', () => {
  test('may restrict a new table: its rules, and rules and relations of its datamodel', () => {
    const kept = list(change({ key: table('N'), action: 'create' }));
    expect(kept).toEqual([
      { item: 'cubeSetRules/S/N/X', content: ['a rule'] },
      { item: 'relation/M/A/Y/N/X' },
      { item: 'rules/M/A/Y', content: ['a rule'], hasColumn: true },
      { item: 'rules/M/N/X', content: ['a rule'], hasColumn: false },
    ]);
    for (const added of [
      change({ key: table('N'), action: 'update', parts: [{ pointer: '/columns/X', after: {} }] }),
      change({ key: { ...table('N'), kind: 'tableExpression' }, action: 'update' }),
      change({ key: { ...table('N'), kind: 'columnExpression', column: 'X' }, action: 'create' }),
    ]) {
      expect(list(added)).toEqual(kept);
    }
  });

  test('does not count without new tables or columns', () => {
    const columns = { pointer: '/columns/X', before: {} };
    expect(
      list(
        change({ key: table('N'), action: 'update', parts: [{ pointer: '/description', after: 'D' }] }),
        change({
          key: table('N'),
          action: 'update',
          parts: [{ ...columns, after: { hidden: true } }, columns],
        }),
        change({ key: table('B'), action: 'delete' }),
        change({ key: { ...table('B'), kind: 'tableExpression' }, action: 'delete' }),
        change({ key: { kind: 'viewpoint', viewpoint: 'W' }, action: 'create' }),
      ),
    ).toEqual([]);
  });
});
