import { describe, expect, test } from 'vitest';
import { getObjects } from '../../../../src/changes/model/readJson.ts';
import { hasRenamesToSeparate } from '../../../../src/project/apply/compileRules.ts';
import type { ItemChange } from '../../../../src/project/plan/itemChange.ts';
import {
  column,
  compile,
  customTable,
  instance,
  pullFrom,
  relation,
  ruleOn,
  summarizeWrites,
  table,
} from './compileSupport.ts';

const a = table('A', [column('A', 'K')]);
const b = table('B', [column('B', 'K')]);

describe('the writes', () => {
  test('of rules come before what they protect, and base tables before custom ones', async () => {
    const custom = customTable('Z', [column('Z', 'K')]);
    const project = pullFrom(
      instance([customTable('0', []), custom, a, b], {
        relations: [relation('A.K', 'B.K')],
        rules: [ruleOn('A.K'), ruleOn('B.K')],
      }),
    );
    const compiled = await compile(project, instance([b]));
    expect(compiled.problems).toEqual([]);
    expect(summarizeWrites(compiled)).toEqual([
      'extractRules.create A.K',
      'tables.create A',
      'tables.create 0',
      'tables.create Z',
      'relations.create model',
      // The column exists already, so these rules have an effect at once.
      'extractRules.create B.K',
    ]);
    // The new table has its ID from the response of its creation.
    expect(compiled.writes[4]?.made).toEqual([
      { into: ['body', 'columns', 0, 'table'], write: 1, from: ['oid'] },
      { into: ['body', 'columns', 0, 'column'], write: 1, from: ['columns', 'K', 'oid'] },
    ]);
  });

  test('of deletions come last: relations before tables, and rules on them at the end', async () => {
    const project = pullFrom(instance([b], { rules: [ruleOn('B.K', { members: ['2'] })] }));
    const current = instance([table('B', [column('B', 'K'), column('B', 'X')]), a], {
      relations: [relation('A.K', 'B.K')],
      rules: [ruleOn('A.K'), ruleOn('B.X'), ruleOn('B.K')],
    });
    const compiled = await compile(project, current, { prunedKinds: ['table', 'column', 'rules'] });
    expect(compiled.problems).toEqual([]);
    expect(summarizeWrites(compiled)).toEqual([
      'extractRules.update rule B.K',
      'tables.update table B',
      'relations.delete A.K - B.K',
      'tables.delete table A',
      'extractRules.delete rule A.K rule B.X',
    ]);
    const [, update] = compiled.writes;
    expect(update?.body).toMatchObject({ columns: [{ oid: 'B K' }] });
  });

  test('of a new datamodel begin with itself', async () => {
    const project = pullFrom(instance([a], { rules: [ruleOn('A.K')] }));
    const compiled = await compile(project, {}, { getConnection: () => ({ provider: 'CSV' }) });
    expect(summarizeWrites(compiled)).toEqual([
      'datamodels.create M',
      'extractRules.create A.K',
      'datasets.create S',
      'tables.create A',
    ]);
  });

  test('of a renamed column give its new name the new rules before, and delete the former ones after', async () => {
    const project = pullFrom(instance([a], { rules: [ruleOn('A.K', { members: ['2'] })] }));
    const current = instance([table('A', [column('A', 'K', { name: 'Former' })])], {
      rules: [ruleOn('A.Former')],
    });
    const compiled = await compile(project, current);
    expect(compiled.deferred).toEqual([]);
    expect(summarizeWrites(compiled)).toEqual([
      'extractRules.create A.K',
      'tables.update table A',
      'extractRules.delete rule A.Former',
    ]);
    expect(compiled.writes[0]?.body).toMatchObject([{ members: ['2'] }]);
  });

  test('of rules that the project does not know follow their renamed column', async () => {
    const project = pullFrom(instance([a]));
    const current = instance([table('A', [column('A', 'K', { name: 'Former' })])], {
      rules: [ruleOn('A.Former')],
    });
    const kept = await compile(project, current);
    expect(summarizeWrites(kept)).toEqual([
      'extractRules.create A.K',
      'tables.update table A',
      'extractRules.delete rule A.Former',
    ]);
    expect(getObjects(kept.writes[0]?.body)).toMatchObject([{ members: ['1'] }]);
    // Pruned, they protect the column until it has its new name.
    expect(summarizeWrites(await compile(project, current, { prunedKinds: ['rules'] }))).toEqual([
      'tables.update table A',
      'extractRules.delete rule A.Former',
    ]);
  });
});

describe('renames are separated from other changes', () => {
  const change = (
    name: string,
    { from = name, members = ['2'] }: { readonly from?: string; readonly members?: readonly string[] } = {},
  ): ItemChange => {
    const toKey = (text: string) => {
      const [tableName = '', columnName = ''] = text.split('.');
      return { kind: 'rules', datamodel: 'M', table: tableName, column: columnName } as const;
    };
    return {
      action: 'update',
      key: toKey(name),
      ...(from === name ? {} : { from: toKey(from) }),
      parts: [{ pointer: '', before: [ruleOn(from)], after: [ruleOn(name, { members })] }],
      isChangedOnServer: false,
    };
  };
  const renamed = change('A.K', { from: 'A.Former' });
  const renamedOnly = (name: string, from: string) => change(name, { from, members: ['1'] });

  test.each<[string, readonly ItemChange[], createsRelations: boolean, expected: boolean]>([
    ['no rename', [change('A.K'), change('B.K')], true, false],
    ['one rename', [renamed], false, false],
    ['two renames in one table', [renamed, change('A.L', { from: 'A.Old' })], false, false],
    ['renames in two tables', [renamed, change('B.K', { from: 'B.Former' })], false, true],
    ['a rename and other rules', [renamed, change('A.L')], false, true],
    ['a rename and a new relation', [renamed], true, true],
    ['renames without other rules', [renamedOnly('A.K', 'A.Former'), renamedOnly('B.K', 'B.F')], true, false],
    [
      'a rename without other rules, and others',
      [renamedOnly('A.K', 'A.Former'), change('B.K')],
      true,
      false,
    ],
  ])('%s', (_name, changes, createsRelations, expected) => {
    // The IDs of rules are none of their contents.
    expect(hasRenamesToSeparate(changes, createsRelations)).toBe(expected);
  });

  test('with a new relation, in the whole operation', async () => {
    const members = ['2'];
    const project = pullFrom(
      instance([a, b], { relations: [relation('A.K', 'B.K')], rules: [ruleOn('A.K', { members })] }),
    );
    const current = instance([table('A', [column('A', 'K', { name: 'Former' })]), b], {
      rules: [ruleOn('A.Former')],
    });
    const { writes, deferred } = await compile(project, current);
    expect(deferred).toMatchObject([{ reason: 'renames-first', key: { kind: 'rules', column: 'K' } }]);
    expect(writes[0]?.body).toMatchObject([{ members: ['1'] }]);
  });
});
