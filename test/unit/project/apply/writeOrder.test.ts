import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../../src/base/json.ts';
import { asObject, getObjects, getText, omitMembers } from '../../../../src/changes/model/jsonMembers.ts';
import { needsRenamesFirst } from '../../../../src/project/apply/compileRules.ts';
import { formatItemKey } from '../../../../src/project/item.ts';
import type { ItemChange } from '../../../../src/project/compare/itemChange.ts';
import { expectDefined } from '../../../support/expectations.ts';
import {
  createColumn,
  compile,
  createCustomTable,
  createInstanceDocuments,
  pullFrom,
  createRelation,
  createRule,
  summarizeDeferred,
  summarizeWrites,
  createTable,
} from './compileSupport.ts';

const tableA = createTable('A', [createColumn('A', 'K')]);
const tableB = createTable('B', [createColumn('B', 'K')]);

describe('the writes', () => {
  test('of rules come before what they protect, and base tables before custom ones', async () => {
    const customTable = createCustomTable('Z', [createColumn('Z', 'K')]);
    const project = pullFrom(
      createInstanceDocuments([createCustomTable('0', []), customTable, tableA, tableB], {
        relations: [createRelation('A.K', 'B.K')],
        rules: [createRule('A.K'), createRule('B.K')],
      }),
    );
    const compiled = await compile(project, createInstanceDocuments([tableB]));
    expect(compiled.problems).toEqual([]);
    expect(summarizeWrites(compiled)).toEqual([
      'extractRules.create A.K',
      'tables.create A',
      'tables.create 0',
      'tables.create Z',
      'relations.create model',
      // The column exists already, so its rules take effect immediately.
      'extractRules.create B.K',
    ]);
    // The new table has its ID from the response of its creation.
    expect(compiled.writes[4]?.outputRefs).toEqual([
      { into: ['body', 'columns', 0, 'table'], write: 1, from: ['oid'] },
      { into: ['body', 'columns', 0, 'column'], write: 1, from: ['columns', 'K', 'oid'] },
    ]);
  });

  test('of deletions come last: relations before tables and columns, and rules on them at the end', async () => {
    const project = pullFrom(
      createInstanceDocuments([tableB], { rules: [createRule('B.K', { members: ['2'] })] }),
    );
    const current = createInstanceDocuments(
      [createTable('B', [createColumn('B', 'K'), createColumn('B', 'X')]), tableA],
      {
        relations: [createRelation('A.K', 'B.K')],
        rules: [createRule('A.K'), createRule('B.X'), createRule('B.K')],
      },
    );
    const compiled = await compile(project, current, { prunedKinds: ['table', 'column', 'rules'] });
    expect(compiled.problems).toEqual([]);
    expect(summarizeWrites(compiled)).toEqual([
      // What will be deleted is hidden while the rules change.
      'tables.update table A',
      'tables.update table B',
      'extractRules.update rule B.K',
      'relations.delete A.K - B.K',
      'tables.update table B',
      'tables.delete table A',
      'extractRules.delete rule A.K rule B.X',
    ]);
    const update = compiled.writes[4];
    expect(update?.body).toMatchObject({ columns: [{ oid: 'B K' }] });
  });

  test('of a deleted column are preceded by the deletion of its relations', async () => {
    const project = pullFrom(createInstanceDocuments([tableA, tableB]));
    const current = createInstanceDocuments(
      [tableA, createTable('B', [createColumn('B', 'K'), createColumn('B', 'X')])],
      { relations: [createRelation('A.K', 'B.X'), createRelation('A.K', 'B.K')] },
    );
    expect(summarizeWrites(await compile(project, current, { prunedKinds: ['column'] }))).toEqual([
      'relations.delete A.K - B.X',
      'tables.update table B',
    ]);
  });

  describe('of a custom table whose SQL changes while a custom column is deleted', () => {
    const custom = (name: string, members: JsonObject = {}) =>
      createColumn('C', name, { isCustom: true, expression: '1', ...members });
    const columnK = createColumn('C', 'K');
    const content = createInstanceDocuments([
      createCustomTable('C', [columnK, custom('Y', { hidden: true })], {
        expression: 'SELECT 2',
        description: 'New',
      }),
      tableB,
    ]);
    const currentTable = createCustomTable('C', [
      columnK,
      createColumn('C', 'Dropped'),
      custom('X'),
      custom('Y'),
    ]);
    const prunedKinds = ['column', 'relation', 'rules'] as const;

    test('change the SQL and delete the column in one write, after relations and other rules, and before the rules on lost columns', async () => {
      const project = pullFrom({
        datamodels: [
          {
            document: expectDefined(content.datamodels?.[0]).document,
            rules: [createRule('C.K', { members: ['2'] })],
          },
        ],
      });
      const current = createInstanceDocuments([currentTable, tableB], {
        relations: [createRelation('B.K', 'C.X')],
        rules: [createRule('C.K'), createRule('C.Dropped'), createRule('C.X')],
      });
      const compiled = await compile(project, current, { prunedKinds });
      expect(compiled.problems).toEqual([]);
      expect(compiled.deferred).toEqual([]);
      expect(summarizeWrites(compiled)).toEqual([
        'tables.update table C',
        'tables.update table C',
        'extractRules.update rule C.K',
        'relations.delete B.K - C.X',
        'tables.update table C',
        'extractRules.delete rule C.Dropped rule C.X',
      ]);
      // Until the rules have changed, what will be deleted or hidden is hidden.
      expect(compiled.writes[0]?.body).toEqual({
        columns: [
          columnK,
          createColumn('C', 'Dropped'),
          custom('X', { hidden: true }),
          custom('Y', { hidden: true }),
        ],
      });
      expect(compiled.writes[1]?.body).toEqual({ description: 'New' });
      // The generated columns are sent as they are until the SQL changes.
      expect(compiled.writes[4]?.body).toEqual({
        expression: 'SELECT 2',
        columns: [columnK, createColumn('C', 'Dropped'), custom('Y', { hidden: true })],
      });
    });

    test('leave a relation to a column that they add to the next apply', async () => {
      const project = pullFrom(
        createInstanceDocuments(
          [createCustomTable('C', [columnK, custom('Added')], { expression: 'SELECT 2' }), tableB],
          { relations: [createRelation('B.K', 'C.Added')] },
        ),
      );
      const current = createInstanceDocuments([
        createCustomTable('C', [columnK, createColumn('C', 'Dropped'), custom('X')]),
        tableB,
      ]);
      const compiled = await compile(project, current, { prunedKinds });
      expect(summarizeWrites(compiled)).toEqual(['tables.update table C']);
      expect(compiled.deferred).toMatchObject([
        { reason: 'relation-column', key: { kind: 'relation' }, generatedBy: ['C'] },
      ]);
      const columns = getObjects(asObject(compiled.writes[0]?.body)['columns']);
      expect(columns.map(({ name }) => name)).toEqual(['K', 'Dropped', 'Added']);
    });

    test.each([
      ['the table', 'C', createCustomTable('Former', [columnK, custom('X')], { oid: 'table C' })],
      ['a column', 'C', createCustomTable('C', [createColumn('C', 'K', { name: 'Former' }), custom('X')])],
    ])(
      'leave the deletion to the next apply if %s with rules is renamed, too',
      async (_text, table, renamed) => {
        const project = pullFrom(
          createInstanceDocuments([createCustomTable('C', [columnK], { expression: 'SELECT 2' })], {
            rules: [createRule('C.K')],
          }),
        );
        const formerTable = getText(renamed['name']);
        const current = createInstanceDocuments([renamed], {
          rules: [createRule(formerTable === 'C' ? 'C.Former' : 'Former.K'), createRule(`${formerTable}.X`)],
        });
        const compiled = await compile(project, current, { prunedKinds });
        const names = summarizeWrites(compiled);
        // The rules on the former name are deleted only after the write that renames.
        expect(names.slice(0, 2)).toEqual([
          expect.stringContaining('extractRules.create C.K'),
          expect.stringContaining('tables.update'),
        ]);
        expect(names.filter((name) => name.startsWith('tables.update'))).toHaveLength(1);
        expect(compiled.writes[1]?.body).toMatchObject({ expression: 'SELECT 2' });
        expect(compiled.deferred).toContainEqual({
          key: { kind: 'table', datamodel: 'M', table },
          reason: 'renames-first',
          part: 'column-deletions',
        });
      },
    );

    test('keep the rules of cube sets on columns whose deletion waits for another apply', async () => {
      const project = pullFrom(
        createInstanceDocuments([createCustomTable('C', [columnK], { expression: 'SELECT 2' })], {
          rules: [createRule('C.K')],
        }),
      );
      const current = createInstanceDocuments(
        [createCustomTable('C', [createColumn('C', 'K', { name: 'Former' }), custom('X')])],
        {
          rules: [createRule('C.Former')],
          cubeSets: [{ name: 'Set', rules: [createRule('C.X')] }],
        },
      );
      const compiled = await compile(project, current, { prunedKinds: [...prunedKinds, 'cubeSetRules'] });
      expect(summarizeWrites(compiled)).toEqual([
        'extractRules.create C.K',
        'tables.update table C',
        'extractRules.delete rule C.Former',
      ]);
      expect(summarizeDeferred(compiled)).toEqual([
        'renames-first cubeSetRules/Set/C/X',
        'renames-first table/M/C',
      ]);
    });

    test.each([
      ['waits with the deletion for another apply, with changes of rules', 'SELECT 2', 0],
      ['is changed before the deletion if it has a name that the same apply gives', 'SELECT k FROM [A]', 1],
    ])('%s', async (_text, expression, updateCount) => {
      const project = pullFrom(
        createInstanceDocuments([createCustomTable('C', [columnK], { expression }), tableA, tableB], {
          rules: [createRule('A.K', { members: ['2'] }), createRule('B.K', { members: ['2'] })],
        }),
      );
      const current = createInstanceDocuments(
        [currentTable, createTable('A', [createColumn('A', 'K', { name: 'Former' })]), tableB],
        { rules: [createRule('A.Former'), createRule('B.K')] },
      );
      const compiled = await compile(project, current, { prunedKinds });
      const updates = compiled.writes.filter(({ params }) => params['tableId'] === 'table C');
      expect(updates).toMatchObject(updateCount === 0 ? [] : [{ body: { expression } }]);
      expect(summarizeDeferred(compiled).includes('renames-first tableExpression/M/C')).toBe(
        updateCount === 0,
      );
      expect(compiled.deferred).toContainEqual({
        key: { kind: 'table', datamodel: 'M', table: 'C' },
        reason: 'renames-first',
        part: 'column-deletions',
      });
    });
  });

  test('of a new datamodel begin with the creation of the datamodel', async () => {
    const project = pullFrom(createInstanceDocuments([tableA], { rules: [createRule('A.K')] }));
    const compiled = await compile(project, {}, { getConnection: () => ({ provider: 'CSV' }) });
    expect(summarizeWrites(compiled)).toEqual([
      'datamodels.create M',
      'extractRules.create A.K',
      'datasets.create S',
      'tables.create A',
    ]);
  });

  test('of a renamed column create the rules for its new name before the rename, and delete the old rules after it', async () => {
    const project = pullFrom(
      createInstanceDocuments([tableA], { rules: [createRule('A.K', { members: ['2'] })] }),
    );
    const current = createInstanceDocuments(
      [createTable('A', [createColumn('A', 'K', { name: 'Former' })])],
      {
        rules: [createRule('A.Former')],
      },
    );
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
    const project = pullFrom(createInstanceDocuments([tableA]));
    const current = createInstanceDocuments(
      [createTable('A', [createColumn('A', 'K', { name: 'Former' })])],
      {
        rules: [createRule('A.Former')],
      },
    );
    const compiled = await compile(project, current);
    expect(summarizeWrites(compiled)).toEqual([
      'extractRules.create A.K',
      'tables.update table A',
      'extractRules.delete rule A.Former',
    ]);
    expect(getObjects(compiled.writes[0]?.body)).toMatchObject([{ members: ['1'] }]);
    // If rules are pruned, the rules on `Former` protect the column until it has its new name.
    expect(summarizeWrites(await compile(project, current, { prunedKinds: ['rules'] }))).toEqual([
      'tables.update table A',
      'extractRules.delete rule A.Former',
    ]);
  });
});

describe('what is shown while other rules change', () => {
  const hidden = { hidden: true };
  const ruleBefore = createRule('A.K', { members: ['1', '2'] });
  const getColumns = ({ writes }: Awaited<ReturnType<typeof compile>>, index: number) =>
    getObjects(asObject(writes[index]?.body)['columns']).map(({ name, hidden: isHidden }) => [
      name,
      isHidden,
    ]);
  const createA = (...columns: readonly JsonObject[]) =>
    createTable('A', [createColumn('A', 'K'), ...columns]);

  test.each([
    ['a rule on it is new', [], [createRule('A.X')], 'extractRules.create A.X'],
    [
      'a rule on another column is narrowed',
      [ruleBefore],
      [createRule('A.K')],
      'extractRules.update rule A.K',
    ],
    ['a rule on a linked table is new', [], [createRule('B.K')], 'extractRules.create B.K'],
  ])('comes after these rules: %s', async (_name, current, rules, ruleWrite) => {
    const shown = createColumn('A', 'X', { hidden: false });
    const relations = [createRelation('A.K', 'B.K')];
    const project = pullFrom(createInstanceDocuments([createA(shown), tableB], { rules, relations }));
    const compiled = await compile(
      project,
      createInstanceDocuments([createA({ ...shown, ...hidden }), tableB], { rules: current, relations }),
    );
    expect(summarizeWrites(compiled)).toEqual([ruleWrite, 'tables.update table A']);
    expect(getColumns(compiled, 1)).toEqual([
      ['K', undefined],
      ['X', false],
    ]);
  });

  test('is a formerly hidden table only after the rules on a linked one, while its other changes come first', async () => {
    const relations = [createRelation('A.K', 'B.K')];
    const project = pullFrom(
      createInstanceDocuments([{ ...createA(), hidden: false, description: 'New' }, tableB], {
        rules: [createRule('B.K')],
        relations,
      }),
    );
    const compiled = await compile(project, createInstanceDocuments([{ ...createA(), ...hidden }, tableB]));
    expect(compiled.writes.map(({ endpoint, body }) => [endpoint, body])).toMatchObject([
      ['tables.update', { description: 'New' }],
      ['relations.create', {}],
      ['extractRules.create', [{ table: 'B' }]],
      ['tables.update', { hidden: false }],
    ]);
    expect(asObject(compiled.writes[0]?.body)['hidden']).toBeUndefined();
  });

  test('is a new column, which is created hidden', async () => {
    const added = createColumn('A', 'X', { isCustom: true, expression: '[K] * 12' });
    const project = pullFrom(createInstanceDocuments([createA(added)], { rules: [createRule('A.K')] }));
    const compiled = await compile(project, createInstanceDocuments([createA()]));
    expect(summarizeWrites(compiled)).toEqual([
      'tables.update table A',
      'extractRules.create A.K',
      'tables.update table A',
    ]);
    expect([getColumns(compiled, 0), getColumns(compiled, 2)]).toEqual([
      [
        ['K', undefined],
        ['X', true],
      ],
      [
        ['K', undefined],
        ['X', false],
      ],
    ]);
    expect(compiled.writes[2]?.outputRefs).toEqual([
      { into: ['body', 'columns', 1, 'oid'], write: 0, from: ['columns', 'X', 'oid'] },
    ]);
  });

  test('comes after a new relation that restricts it', async () => {
    const shown = createColumn('A', 'X', { hidden: false });
    const rules = [createRule('B.K')];
    const project = pullFrom(
      createInstanceDocuments([createA(shown), tableB], {
        rules,
        relations: [createRelation('A.K', 'B.K')],
      }),
    );
    const compiled = await compile(
      project,
      createInstanceDocuments([createA({ ...shown, ...hidden }), tableB], { rules }),
    );
    expect(summarizeWrites(compiled)).toEqual(['relations.create model', 'tables.update table A']);
  });

  test('is hidden first if it will be hidden or deleted', async () => {
    const columnX = createColumn('A', 'X');
    const project = pullFrom(
      createInstanceDocuments([createA({ ...columnX, ...hidden })], { rules: [createRule('A.K')] }),
    );
    const current = createInstanceDocuments([createA(columnX, createColumn('A', 'Y')), tableB], {
      rules: [{ ...createRule('A.K'), members: ['2'] }],
      relations: [createRelation('A.K', 'B.K')],
    });
    const compiled = await compile(project, current, {
      prunedKinds: ['column', 'table', 'relation', 'rules'],
    });
    expect(summarizeWrites(compiled)).toEqual([
      'tables.update table A',
      'tables.update table B',
      'extractRules.update rule A.K',
      'relations.delete A.K - B.K',
      'tables.update table A',
      'tables.delete table B',
    ]);
    expect([getColumns(compiled, 0), getColumns(compiled, 4)]).toEqual([
      [
        ['K', undefined],
        ['X', true],
        ['Y', true],
      ],
      [
        ['K', undefined],
        ['X', true],
      ],
    ]);
    expect(compiled.writes[1]?.body).toEqual(hidden);
  });
});

describe('what is hidden, shown, or deleted', () => {
  const hidden = { hidden: true };
  const visible = { hidden: false };
  const ruled = { rules: [createRule('A.K')] };
  const described = { description: 'New' };
  type Others = Parameters<typeof createInstanceDocuments>[1];

  /** Returns the numbers of the requests for each table, if a column of A is hidden and B is shown and described. */
  async function countUpdates(
    before: { readonly columns?: readonly JsonObject[]; readonly others?: Others },
    after: { readonly columns?: readonly JsonObject[]; readonly others?: Others },
    bColumns: readonly string[] = ['K'],
  ) {
    const createA = (columns: readonly JsonObject[] = [], members: JsonObject = {}) =>
      createTable('A', [createColumn('A', 'K'), createColumn('A', 'X', members), ...columns], described);
    const createB = (names: readonly string[], members: JsonObject) =>
      createTable(
        'B',
        names.map((name) => createColumn('B', name)),
        members,
      );
    const project = pullFrom(
      createInstanceDocuments(
        [createA(after.columns, hidden), createB(['K'], { ...visible, ...described })],
        after.others,
      ),
    );
    const current = createInstanceDocuments(
      [omitMembers(createA(before.columns), 'description'), createB(bColumns, hidden)],
      before.others,
    );
    const compiled = await compile(project, current, { prunedKinds: ['column'] });
    expect(compiled).toMatchObject({ problems: [], deferred: [] });
    return ['A', 'B'].map(
      (table) => compiled.writes.filter(({ params }) => params['tableId'] === `table ${table}`).length,
    );
  }

  const custom = (name: string) => createColumn('A', name, { isCustom: true, expression: '1' });

  test.each<[name: string, ...Parameters<typeof countUpdates>]>([
    ['nothing else changes', { others: ruled }, { others: ruled }],
    [
      'there are no rules, and a column is renamed',
      { columns: [createColumn('A', 'L', { name: 'Former' })] },
      { columns: [createColumn('A', 'L')] },
    ],
    [
      'there are no rules, and a relation is new',
      {},
      { others: { relations: [createRelation('A.K', 'B.K')] } },
    ],
    ['a column without rules is new', { others: ruled }, { others: ruled, columns: [custom('New')] }],
    [
      'a column without rules is renamed',
      { others: ruled, columns: [createColumn('A', 'L', { name: 'Former' })] },
      { others: ruled, columns: [createColumn('A', 'L')] },
    ],
  ])('is changed together with everything else in its table if %s', async (_name, ...states) => {
    expect(await countUpdates(...states)).toEqual([1, 1]);
  });

  const cubeSets = (column: string) => ({ cubeSets: [{ name: 'Set', rules: [createRule(`A.${column}`)] }] });

  test.each<[name: string, expected: readonly number[], ...Parameters<typeof countUpdates>]>([
    ['rules change', [2, 2], {}, { others: ruled }],
    [
      'there are rules, and a relation is new',
      [2, 2],
      { others: ruled },
      { others: { ...ruled, relations: [createRelation('A.K', 'B.K')] } },
    ],
    [
      'the instance has rules on the name of a new column',
      [3, 2],
      { others: { rules: [createRule('A.New')] } },
      { columns: [custom('New')] },
    ],
    [
      'a cube set has rules on the name of a new column, in different letter case',
      [3, 2],
      { others: cubeSets('new') },
      { columns: [custom('New')], others: cubeSets('new') },
    ],
    [
      'a cube set has rules on the former name of a column',
      [2, 2],
      { columns: [createColumn('A', 'L', { name: 'Former' })], others: cubeSets('Former') },
      { columns: [createColumn('A', 'L')], others: cubeSets('Former') },
    ],
    ['a table that is shown loses a column', [2, 3], {}, {}, ['K', 'L']],
  ])('is hidden first or shown last if %s', async (_name, expected, ...states) => {
    expect(await countUpdates(...states)).toEqual(expected);
  });
});

describe.each(['extract', 'live'])(
  'rules that an abandoned rename has written to the new name, type %s',
  (type) => {
    const formerTable = createTable('A', [createColumn('A', 'K', { name: 'Former' })]);
    const users = [1, 2].map((number) => ({
      members: [String(number)],
      shares: [{ type: 'user', party: `u${number}`, partyName: `User ${number}` }],
    }));
    const [one = {}, two = {}] = users;
    const createDocuments = (...[tables, others]: Parameters<typeof createInstanceDocuments>) => {
      const { datamodels = [], ...documents } = createInstanceDocuments(tables, {
        users: [1, 2].map((number) => ({ id: `u${number}`, name: `User ${number}`, aliases: [] })),
        ...others,
      });
      return {
        ...documents,
        datamodels: datamodels.map((datamodel) => ({
          ...datamodel,
          document: { ...datamodel.document, type },
        })),
      };
    };
    /** @param wanted the rules in the project on the new name */
    const compileRename = async (wanted: readonly JsonObject[], current: readonly JsonObject[]) => {
      const project = pullFrom(createDocuments([formerTable], { rules: [createRule('A.Former', one)] }));
      const { texts } = pullFrom(
        createDocuments([tableA], { rules: wanted.map((members) => createRule('A.K', members)) }),
      );
      project.texts.clear();
      texts.forEach((text, path) =>
        project.texts.set(path, text.replace('"name": "K"', '"name": "K", "renamedFrom": "Former"')),
      );
      const compiled = await compile(project, createDocuments([formerTable], { rules: current }));
      const { problems, comparison } = compiled;
      expect(problems).toEqual([]);
      const change = comparison.changes.find(({ key }) => key.kind === 'rules');
      return {
        writes: summarizeWrites(compiled).map((text) => text.replace(/^(extract|live)/, '')),
        isChangedOnServer: change?.isChangedOnServer,
        deletedWith: change?.deletedWith?.map(({ key }) => formatItemKey(key)),
      };
    };
    const formerRule = createRule('A.Former', one);
    const rename = ['tables.update table A', 'Rules.delete rule A.Former'];

    test('are not written again', async () => {
      expect(await compileRename([one], [formerRule, createRule('A.K', one)])).toEqual({
        writes: rename,
        isChangedOnServer: false,
      });
    });

    test('are completed if only some were written', async () => {
      expect(await compileRename([one, two], [formerRule, createRule('A.K', two)])).toEqual({
        writes: ['Rules.create A.K', ...rename],
        isChangedOnServer: false,
      });
    });

    test('are replaced before the rename if the project has other ones by now', async () => {
      const replacement =
        type === 'live' ? ['Rules.create A.K', 'Rules.delete rule A.K'] : ['Rules.update rule A.K'];
      const changed = { ...one, members: ['3'] };
      // The new name has the same rules as the column, so they come from the abandoned rename and not from others.
      expect(await compileRename([changed], [formerRule, createRule('A.K', one)])).toEqual({
        writes: [...replacement, ...rename],
        isChangedOnServer: false,
      });
      // Other rules may come from others.
      expect(
        await compileRename([changed], [formerRule, createRule('A.K', { ...one, members: ['9'] })]),
      ).toEqual({
        writes: [...replacement, ...rename],
        isChangedOnServer: true,
        deletedWith: ['rules/M/A/K'],
      });
      expect(await compileRename([one], [formerRule, createRule('A.K', two)])).toEqual({
        writes: ['Rules.create A.K', 'Rules.delete rule A.K', ...rename],
        isChangedOnServer: true,
        deletedWith: ['rules/M/A/K'],
      });
    });

    test('are kept with the rename if the project does not have them', async () => {
      expect((await compileRename([], [formerRule, createRule('A.K', one)])).writes).toEqual(rename);
    });
  },
);

describe('renames are separated from other changes', () => {
  const createChange = (
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
      parts: [{ pointer: '', before: [createRule(from)], after: [createRule(name, { members })] }],
      isChangedOnServer: false,
    };
  };
  const renamed = createChange('A.K', { from: 'A.Former' });
  const createRenameOnly = (name: string, from: string) => createChange(name, { from, members: ['1'] });

  test.each<[string, readonly ItemChange[], createsRelations: boolean, expected: boolean]>([
    ['no rename', [createChange('A.K'), createChange('B.K')], true, false],
    ['one rename', [renamed], false, false],
    ['two renames in one table', [renamed, createChange('A.L', { from: 'A.Old' })], false, false],
    ['renames in two tables', [renamed, createChange('B.K', { from: 'B.Former' })], false, true],
    ['a rename and other rules', [renamed, createChange('A.L')], false, true],
    ['a rename and a new relation', [renamed], true, true],
    [
      'renames without other rules',
      [createRenameOnly('A.K', 'A.Former'), createRenameOnly('B.K', 'B.F')],
      true,
      false,
    ],
    [
      'a rename without other rules, and others',
      [createRenameOnly('A.K', 'A.Former'), createChange('B.K')],
      true,
      false,
    ],
  ])('if that is needed: %s', (_name, changes, createsRelations, expected) => {
    // The IDs of rules don't count as a change of rules.
    expect(needsRenamesFirst(changes, createsRelations)).toBe(expected);
  });

  test('from a new relation, and the rules are deferred', async () => {
    const members = ['2'];
    const project = pullFrom(
      createInstanceDocuments([tableA, tableB], {
        relations: [createRelation('A.K', 'B.K')],
        rules: [createRule('A.K', { members })],
      }),
    );
    const current = createInstanceDocuments(
      [createTable('A', [createColumn('A', 'K', { name: 'Former' })]), tableB],
      {
        rules: [createRule('A.Former')],
      },
    );
    const { writes, deferred } = await compile(project, current);
    expect(deferred).toMatchObject([{ reason: 'renames-first', key: { kind: 'rules', column: 'K' } }]);
    expect(writes[0]?.body).toMatchObject([{ members: ['1'] }]);
  });
});

describe('while changes of rules wait for the next apply, nothing is shown', () => {
  const secret = (members: JsonObject = {}) => createColumn('C', 'Secret', members);
  const added = (members: JsonObject = {}) => createColumn('C', 'Added', members);
  const shown = { hidden: false };
  const narrowed = { members: ['2'] };
  const namedTables = (name: string) =>
    ['A', 'B'].map((table) => createTable(table, [createColumn(table, 'K', { name })]));
  const createC = (columns: readonly JsonObject[], members: JsonObject = {}) =>
    createTable('C', [createColumn('C', 'K'), ...columns], members);
  /** The rules of two tables, whose columns are renamed, and maybe those of a table that isn't renamed. */
  const createRules = (name: string, members: JsonObject = {}) =>
    ['A', 'B'].map((table) => createRule(`${table}.${name}`, members));
  const waiting = {
    key: { kind: 'table', datamodel: 'M', table: 'C' },
    reason: 'renames-first',
    part: 'unhiding',
  };
  const project = pullFrom(
    createInstanceDocuments([...namedTables('K'), createC([secret(shown), added(shown)], shown)], {
      rules: createRules('K', narrowed),
    }),
  );

  test('neither hidden nor new columns, which the next apply shows', async () => {
    const first = await compile(
      project,
      createInstanceDocuments([...namedTables('Former'), createC([secret({ hidden: true })], shown)], {
        rules: createRules('Former'),
      }),
    );
    expect(summarizeDeferred(first)).toEqual([
      'renames-first rules/M/A/K',
      'renames-first rules/M/B/K',
      'renames-first table/M/C',
    ]);
    expect(first.deferred).toContainEqual({
      ...waiting,
      stillHidden: { isTable: false, columns: ['Secret', 'Added'] },
    });
    const updates = first.writes.filter(({ params }) => params['tableId'] === 'table C');
    expect(updates.map(({ body }) => getObjects(asObject(body)['columns']))).toEqual([
      [createColumn('C', 'K'), secret({ hidden: true }), omitMembers(added({ hidden: true }), 'oid')],
    ]);

    const second = await compile(
      project,
      createInstanceDocuments(
        [...namedTables('K'), createC([secret({ hidden: true }), added({ hidden: true })], shown)],
        { rules: createRules('K') },
      ),
    );
    expect(second.deferred).toEqual([]);
    expect(summarizeWrites(second)).toEqual([
      'extractRules.update rule A.K',
      'extractRules.update rule B.K',
      'tables.update table C',
    ]);
    expect(second.writes[2]?.body).toEqual({
      columns: [createColumn('C', 'K'), secret({ hidden: false }), added({ hidden: false })],
    });
  });

  test('except new columns whose files do not say whether they are hidden', async () => {
    const compiled = await compile(
      pullFrom(
        createInstanceDocuments([...namedTables('K'), createC([added()])], {
          rules: createRules('K', narrowed),
        }),
      ),
      createInstanceDocuments([...namedTables('Former'), createC([])], { rules: createRules('Former') }),
    );
    expect(summarizeDeferred(compiled)).not.toContain('renames-first table/M/C');
    const update = compiled.writes.findLast(({ params }) => params['tableId'] === 'table C');
    expect(getObjects(asObject(update?.body)['columns'])).toMatchObject([{}, { hidden: false }]);
  });

  test('no hidden table', async () => {
    const compiled = await compile(
      project,
      createInstanceDocuments(
        [...namedTables('Former'), createC([secret(shown), added(shown)], { hidden: true })],
        { rules: createRules('Former') },
      ),
    );
    expect(compiled.deferred).toContainEqual({ ...waiting, stillHidden: { isTable: true, columns: [] } });
    const bodies = compiled.writes.flatMap(({ params, body }) =>
      params['tableId'] === 'table C' ? [body] : [],
    );
    expect(bodies).toEqual([]);
  });

  test('nor in another datamodel, if rules of a cube set wait', async () => {
    const createDocuments = (name: string, members: JsonObject, secretMembers: JsonObject) => {
      const other = createInstanceDocuments([createC([secret(secretMembers)])]).datamodels ?? [];
      const documents = createInstanceDocuments(namedTables(name), {
        rules: createRules(name, members),
        cubeSets: [{ name: 'Set', rules: [createRule('C.K', members)] }],
      });
      const renamedIds = other.map(({ document, ...rest }) => ({
        ...rest,
        document: { ...document, title: 'N', oid: 'model N' },
      }));
      return { ...documents, datamodels: [...(documents.datamodels ?? []), ...renamedIds] };
    };
    const compiled = await compile(
      pullFrom(createDocuments('K', narrowed, shown)),
      createDocuments('Former', {}, { hidden: true }),
    );
    expect(summarizeDeferred(compiled)).toContain('renames-first cubeSetRules/Set/C/K');
    expect(compiled.deferred).toContainEqual({
      ...waiting,
      key: { ...waiting.key, datamodel: 'N' },
      stillHidden: { isTable: false, columns: ['Secret'] },
    });
    expect(compiled.writes.some(({ params }) => params['tableId'] === 'table C')).toBe(false);
  });

  test('and the SQL of a table waits, unless other SQL might need its columns', async () => {
    const compileSql = (columns: readonly JsonObject[], others: readonly JsonObject[] = []) =>
      compile(
        pullFrom(
          createInstanceDocuments(
            [
              ...namedTables('K'),
              createCustomTable('Z', [createColumn('Z', 'Z'), ...columns], { expression: 'SELECT 2' }),
              ...others,
            ],
            { rules: createRules('K', narrowed) },
          ),
        ),
        createInstanceDocuments(
          [...namedTables('Former'), createCustomTable('Z', [createColumn('Z', 'Z')])],
          { rules: createRules('Former') },
        ),
      );
    const waits = 'renames-first tableExpression/M/Z';
    const first = await compileSql([]);
    expect(summarizeDeferred(first)).toContain(waits);
    expect(JSON.stringify(first.writes)).not.toContain('SELECT 2');
    const custom = createColumn('Z', 'X', { isCustom: true, expression: '[New] * 2' });
    for (const other of [await compileSql([custom]), await compileSql([], [createCustomTable('Y', [])])]) {
      expect(summarizeDeferred(other)).not.toContain(waits);
      expect(JSON.stringify(other.writes)).toContain('SELECT 2');
    }
  });

  test('but what follows a rename is, if the rules are the same', async () => {
    const compiled = await compile(
      pullFrom(
        createInstanceDocuments([...namedTables('K'), createC([secret(shown)])], { rules: createRules('K') }),
      ),
      createInstanceDocuments([...namedTables('Former'), createC([secret({ hidden: true })])], {
        rules: createRules('Former'),
      }),
    );
    expect(compiled.deferred).toEqual([]);
    expect(compiled.writes.some(({ params }) => params['tableId'] === 'table C')).toBe(true);
  });
});
