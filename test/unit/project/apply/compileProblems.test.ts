import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../../src/base/json.ts';
import { english } from '../../../../src/base/localize.ts';
import { mask } from '../../../../src/base/secrets/mask.ts';
import { describeApplyProblem } from '../../../../src/project/messages/planTexts.ts';
import { expectDefined } from '../../../support/expectations.ts';
import {
  createColumn,
  compile,
  createGroupClient,
  createCustomTable,
  createInstanceDocuments,
  pullFrom,
  createRelation,
  createRule,
  summarizeDeferred,
  summarizeProblems,
  summarizeWrites,
  createTable,
} from './compileSupport.ts';

const tableA = createTable('A', [createColumn('A', 'K')]);
const tableB = createTable('B', [createColumn('B', 'K')]);
const paths = {
  model: 'datamodels/M/M.datamodel.json',
  a: 'datamodels/M/tables/A.table.json',
  ruleOnA: 'datamodels/M/rules/A.K.rules.json',
  viewpoint: 'viewpoints/V.viewpoint.json',
} as const;

const createShare = (type: 'user' | 'group', party: string, partyName: string): JsonObject => ({
  type,
  party,
  partyName,
});

describe('a user or group', () => {
  const createProjectWithShares = (...shares: readonly JsonObject[]) =>
    pullFrom(createInstanceDocuments([tableA], { rules: [createRule('A.K', { shares })] }));

  test('that the instance does not have is a problem', async () => {
    const project = createProjectWithShares(
      createShare('user', 'u1', 'Ann'),
      createShare('group', 'g1', 'Sales'),
    );
    expect(summarizeProblems(await compile(project, createInstanceDocuments([tableA])))).toEqual([
      'unknown-party rules/M/A/K: user Ann',
      'unknown-party rules/M/A/K: group Sales',
    ]);
  });

  test('is not found by an ID of another instance', async () => {
    const id = '5f0c2ae7b4d1c9002d8f1a11';
    const project = createProjectWithShares(createShare('user', 'u1', 'Ann'));
    project.edit(paths.ruleOnA, '"Ann"', `"${id}"`);
    expect(summarizeProblems(await compile(project, createInstanceDocuments([tableA])))).toEqual([
      `unknown-party rules/M/A/K: user ${id}`,
    ]);
  });

  test('that the instance has twice is a problem', async () => {
    const project = createProjectWithShares(createShare('user', 'u1', 'Ann'));
    const users = ['x', 'y'].map((id) => ({ id, name: 'Ann', aliases: [] }));
    expect(summarizeProblems(await compile(project, createInstanceDocuments([tableA], { users })))).toEqual([
      'ambiguous-party rules/M/A/K: user Ann',
    ]);
  });

  test('with a number that the lock does not know is a problem', async () => {
    const project = createProjectWithShares({ type: 'user', party: 'u1' });
    expect((await compile(project, createInstanceDocuments([tableA]))).problems).toEqual([]);
    project.lock = { ...project.lock, numberedReferences: [] };
    expect(summarizeProblems(await compile(project, createInstanceDocuments([tableA])))).toEqual([
      'unbound-party rules/M/A/K: user {"bound":1}',
    ]);
  });

  test('is also a problem in a viewpoint and in custom data', async () => {
    const project = pullFrom({
      users: [{ id: 'u1', name: 'Ann', aliases: [] }],
      viewpoints: [{ id: 'v', name: 'V', visibility: { users: ['u1'], groups: ['Sales'], enabled: true } }],
      customData: [{ name: 'D', objects: [{ _id: 'd', owner: 'u1' }] }],
    });
    expect(summarizeProblems(await compile(project, {}))).toEqual([
      'unknown-party viewpoint/V: group Sales',
      'unknown-party viewpoint/V: user Ann',
      'unknown-party customData/D: user Ann',
    ]);
  });

  test('that is found gives its ID to the rule', async () => {
    const project = createProjectWithShares(createShare('group', 'g1', 'Sales'));
    const { writes, problems } = await compile(project, createInstanceDocuments([tableA]), {
      client: createGroupClient({ Sales: ['target group'] }),
    });
    expect(problems).toEqual([]);
    expect(writes).toMatchObject([{ body: [{ shares: [{ type: 'group', party: 'target group' }] }] }]);
  });
});

describe('a reference', () => {
  test('of a relation to a column that no side has is a problem', async () => {
    const project = pullFrom(
      createInstanceDocuments([tableA, tableB], { relations: [createRelation('A.K', 'B.K')] }),
    );
    project.texts.delete('datamodels/M/tables/B.table.json');
    expect(summarizeProblems(await compile(project, createInstanceDocuments([tableA])))).toEqual([
      'unknown-reference relation/M/A/K/B/K: B.K',
    ]);
  });

  test('of a new table to a dataset that no side has is a problem', async () => {
    const project = pullFrom(createInstanceDocuments([tableA]));
    project.edit(paths.a, '"dataset": "S"', '"dataset": "Other"');
    expect(summarizeProblems(await compile(project, createInstanceDocuments([])))).toEqual([
      'unknown-reference table/M/A: Other',
    ]);
  });

  test('of a build behavior to a column that no side has is a problem', async () => {
    const behavior = { type: 'accumulativeSync', accumulativeConfig: { column: 'A K' } };
    const project = pullFrom(createInstanceDocuments([{ ...tableA, buildBehavior: behavior }]));
    project.edit(paths.a, '"column": "K"', '"column": "Missing"');
    expect(summarizeProblems(await compile(project, createInstanceDocuments([tableA])))).toEqual([
      'unknown-reference table/M/A: A.Missing',
    ]);
  });
});

describe('a new dataset', () => {
  const connection = { provider: 'MSSQL', parameters: { server: 'db' } };
  const documentsWithoutDataset = {
    datamodels: [{ document: { oid: 'model', title: 'M', type: 'extract' }, rules: [] }],
  };

  test('needs a connection of the environment, unless it is of an uploaded file', async () => {
    const project = pullFrom(createInstanceDocuments([tableA], { dataset: { connection } }));
    const withoutConnection = await compile(project, documentsWithoutDataset);
    expect(summarizeProblems(withoutConnection)).toEqual(['unmapped-connection dataset/M/S: S']);
    // Items that depend on the dataset are not reported in addition.
    expect(summarizeWrites(withoutConnection)).toEqual(['datasets.create S', 'tables.create A']);
    const withConnection = await compile(project, documentsWithoutDataset, {
      getConnection: () => connection,
    });
    expect(withConnection.problems).toEqual([]);
    expect(withConnection.writes[0]?.body).toMatchObject({ name: 'S', connection });
    const file = { provider: 'CSV', fileName: 'orders.csv' };
    const projectWithUploadedFile = pullFrom(
      createInstanceDocuments([tableA], { dataset: { connection: file } }),
    );
    expect((await compile(projectWithUploadedFile, documentsWithoutDataset)).problems).toEqual([]);
  });

  test('does not get the mask of a secret', async () => {
    const project = pullFrom(createInstanceDocuments([tableA]));
    const { problems } = await compile(project, documentsWithoutDataset, {
      getConnection: () => ({ provider: 'MSSQL', parameters: { password: mask } }),
    });
    expect(problems).toMatchObject([{ code: 'masked-secret', name: 'S' }]);
  });
});

test('a custom dataset needs no connection, whatever the letter case of its type', async () => {
  const target = { datamodels: [{ document: { oid: 'model', title: 'M', type: 'extract' }, rules: [] }] };
  const project = pullFrom(createInstanceDocuments([], { dataset: { type: 'CUSTOM' } }));
  const { problems, writes } = await compile(project, target);
  expect(problems).toEqual([]);
  expect(writes[0]?.body).toMatchObject({ name: 'S', type: 'custom' });
});

describe('a table', () => {
  test('without the name in its source cannot be created, unless it is custom', async () => {
    const project = pullFrom(
      createInstanceDocuments([{ ...tableA, id: '' }, createCustomTable('C', [], { id: '' })]),
    );
    expect(summarizeProblems(await compile(project, createInstanceDocuments([])))).toEqual([
      'missing-id table/M/A: A',
    ]);
  });

  test('of a relation that the project has cannot be deleted', async () => {
    const relations = [createRelation('A.K', 'B.K')];
    const project = pullFrom(createInstanceDocuments([tableA, tableB], { relations }));
    project.texts.delete('datamodels/M/tables/B.table.json');
    const { problems } = await compile(project, createInstanceDocuments([tableA, tableB], { relations }), {
      prunedKinds: ['table'],
    });
    expect(problems).toMatchObject([{ code: 'table-in-use', name: 'B' }]);
  });

  test('that is kept prevents the deletion of its dataset', async () => {
    const project = pullFrom(createInstanceDocuments([tableA]));
    [paths.a, 'datamodels/M/datasets/S.dataset.json'].forEach((path) => project.texts.delete(path));
    const withTable = await compile(project, createInstanceDocuments([tableA]), { prunedKinds: ['dataset'] });
    expect(summarizeProblems(withTable)).toEqual(['dataset-in-use dataset/M/S: S']);
    expect(withTable.writes).toEqual([]);
    const withoutTable = await compile(project, createInstanceDocuments([tableA]), {
      prunedKinds: ['dataset', 'table'],
    });
    expect(withoutTable.problems).toEqual([]);
    expect(summarizeWrites(withoutTable)).toEqual(['tables.delete table A', 'datasets.delete dataset']);
  });
});

test('the title of a datamodel cannot be changed', async () => {
  const project = pullFrom(createInstanceDocuments([tableA]));
  const { datamodels = [] } = createInstanceDocuments([tableA]);
  const renamedDatamodels = datamodels.map(({ document, rules }) => ({
    document: { ...document, title: 'Old' },
    rules,
  }));
  expect(summarizeProblems(await compile(project, { datamodels: renamedDatamodels }))).toEqual([
    'fixed-title datamodel/M: Old',
  ]);
});

test.each(['before', 'after'])(
  'a column is not renamed to a name with rules that the project does not replace, whether these are listed %s its own rules',
  async (place) => {
    const project = pullFrom(createInstanceDocuments([tableA]));
    const formerTable = createTable('A', [createColumn('A', 'K', { name: 'Former' })]);
    const rules = [createRule('A.Former'), createRule('A.K', { members: ['9'] })];
    const current = createInstanceDocuments([formerTable], {
      rules: place === 'after' ? rules : rules.toReversed(),
    });
    const expected = ['rules-on-new-name rules/M/A/K: A.K'];
    expect(summarizeProblems(await compile(project, current))).toEqual(expected);
    expect(summarizeProblems(await compile(project, current, { prunedKinds: ['rules'] }))).toEqual(expected);
  },
);

test('the problem with rules on a new name proposes a pull, which keeps these rules', async () => {
  const project = pullFrom(createInstanceDocuments([tableA]));
  const formerTable = createTable('A', [createColumn('A', 'K', { name: 'Former' })]);
  const rules = [createRule('A.Former'), createRule('A.K', { members: ['9'] })];
  const current = createInstanceDocuments([formerTable], { rules });
  const [problem] = (await compile(project, current)).problems;
  expect(describeApplyProblem(english, expectDefined(problem))).toMatch(
    /rules on A\.K that .* To keep them, pull first\. Otherwise, delete them on the instance\.$/,
  );
  expect(project.pull(current).conflicts).toEqual([]);
  expect(project.texts.get('datamodels/M/rules/A.K.rules.json')).toContain('"9"');
  expect((await compile(project, current)).problems).toEqual([]);
});

test.each<[JsonObject, JsonObject, boolean]>([
  [{ kind: 'note' }, { kind: 'note' }, true],
  [{ kind: 'note' }, { kind: 'other' }, false],
  [{ kind: 'note' }, { level: 1 }, false],
  [{ kind: 'note' }, { kind: { $exists: true } }, true],
  [{ kind: 'note' }, { kind: { $exists: false } }, false],
  [{ kind: 'note' }, { level: { $exists: false } }, true],
])('custom data %j matches its filter %j: %s', async (object, filter, matches) => {
  const project = pullFrom({ customData: [{ name: 'D', objects: [{ _id: 'd', ...object }] }] });
  const customDataFilters = new Map([['D', filter]]);
  const expected = matches ? [] : ['filter-mismatch customData/D: D'];
  expect(summarizeProblems(await compile(project, {}, { customDataFilters }))).toEqual(expected);
  // A change of one member doesn't show whether the other members match the filter.
  const current = { customData: [{ name: 'D', objects: [{ _id: 'd', kind: 'before' }] }] };
  const changed = await compile(project, current, { customDataFilters });
  expect(summarizeWrites(changed)).toHaveLength(1);
});

test('a viewpoint whose datamodel does not exist is a problem', async () => {
  const details = { datasource: { title: 'Gone', modelType: 'extract' } };
  const project = pullFrom({ viewpoints: [{ id: 'v', name: 'V', details }] });
  expect(summarizeProblems(await compile(project, {}))).toEqual(['missing-datamodel viewpoint/V: Gone']);
});

test('a viewpoint gets the datasource of a live datamodel, whatever the letter case of its type', async () => {
  const details = { datasource: { title: 'M', modelType: 'live' } };
  const project = pullFrom({ viewpoints: [{ id: 'v', name: 'V', details }] });
  const datamodels = [{ document: { oid: 'model', title: 'M', type: 'LIVE' }, rules: [] }];
  expect((await compile(project, { datamodels })).writes).toMatchObject([
    { body: { details: { datasource: { fullname: 'live:M' } } } },
  ]);
});

describe('a change is deferred', () => {
  test('until a build has created the columns of a custom table', async () => {
    const custom = createCustomTable(
      'C',
      [createColumn('C', 'K'), createColumn('C', 'Own', { isCustom: true, expression: 'K * 2' })],
      { buildBehavior: { type: 'accumulativeSync', accumulativeConfig: { column: 'C K' } } },
    );
    const project = pullFrom(
      createInstanceDocuments([tableA, custom], { relations: [createRelation('A.K', 'C.K')] }),
    );
    const compiled = await compile(project, createInstanceDocuments([tableA]));
    expect(compiled.problems).toEqual([]);
    expect(summarizeDeferred(compiled)).toEqual([
      'generated-column columnExpression/M/C/Own',
      'generated-column table/M/C',
      'relation-column relation/M/A/K/C/K',
    ]);
    expect(summarizeWrites(compiled)).toEqual(['tables.create C']);
  });

  test('until a build has created a new column in the SQL of a custom table that is changed', async () => {
    const columnK = createColumn('C', 'K');
    const project = pullFrom(
      createInstanceDocuments([tableA, createCustomTable('C', [columnK])], {
        relations: [createRelation('A.K', 'C.K')],
      }),
    );
    const formerTable = createCustomTable('C', [], { expression: 'SELECT 0' });
    const compiled = await compile(project, createInstanceDocuments([tableA, formerTable]));
    expect(compiled.problems).toEqual([]);
    expect(summarizeDeferred(compiled)).toEqual(['relation-column relation/M/A/K/C/K']);
    expect(summarizeWrites(compiled)).toEqual(['tables.update table C']);
  });

  test('until the first build, if it is a rule', async () => {
    const project = pullFrom(createInstanceDocuments([tableA], { rules: [createRule('A.K')] }));
    const compiled = await compile(
      project,
      {},
      {
        titlesThatNeedBuild: new Set(['M']),
        getConnection: () => ({ provider: 'CSV' }),
      },
    );
    expect(compiled.problems).toEqual([]);
    expect(summarizeDeferred(compiled)).toEqual(['rules-need-build rules/M/A/K']);
    expect(summarizeWrites(compiled)).toEqual([
      'datamodels.create M',
      'datasets.create S',
      'tables.create A',
    ]);
  });

  test('not because of a rename that rules only follow', async () => {
    const project = pullFrom(
      createInstanceDocuments([tableA, tableB], {
        rules: [createRule('A.K'), createRule('B.K', { members: ['2'] })],
      }),
    );
    const current = createInstanceDocuments(
      [createTable('A', [createColumn('A', 'K', { name: 'Former' })]), tableB, createTable('C', [])],
      { rules: [createRule('A.Former'), createRule('B.K')] },
    );
    const compiled = await compile(project, current, { prunedKinds: ['table'] });
    expect(summarizeDeferred(compiled)).toEqual([]);
    expect(summarizeWrites(compiled)).toEqual([
      // The table is hidden until it is deleted.
      'tables.update table C',
      'extractRules.create A.K',
      'tables.update table A',
      'extractRules.update rule B.K',
      'extractRules.delete rule A.Former',
      'tables.delete table C',
    ]);
  });

  test('until renames are done that must not be mixed with it', async () => {
    const members = ['2'];
    const project = pullFrom(
      createInstanceDocuments([tableA, tableB], {
        rules: [createRule('A.K', { members }), createRule('B.K', { members })],
      }),
    );
    const current = createInstanceDocuments(
      [createTable('A', [createColumn('A', 'K', { name: 'Former' })]), tableB, createTable('C', [])],
      {
        rules: [createRule('A.Former'), createRule('B.K')],
      },
    );
    const compiled = await compile(project, current, { prunedKinds: ['table'] });
    expect(summarizeDeferred(compiled)).toEqual([
      'renames-first rules/M/A/K',
      'renames-first rules/M/B/K',
      'renames-first table/M/C',
    ]);
    expect(summarizeWrites(compiled)).toEqual([
      'extractRules.create A.K',
      'tables.update table A',
      'extractRules.delete rule A.Former',
    ]);
    // The column keeps the members that it has.
    expect(compiled.writes[0]?.body).toMatchObject([{ members: ['1'] }]);
  });
});

describe('an exchange of names', () => {
  const exchangeNames = (text: string, [a, b]: readonly [string, string]): string =>
    text
      .replaceAll(`"name": "${a}"`, '"name": "?", "renamedFrom": "!"')
      .replaceAll(`"name": "${b}"`, `"name": "${a}", "renamedFrom": "${b}"`)
      .replaceAll('"name": "?", "renamedFrom": "!"', `"name": "${b}", "renamedFrom": "${a}"`);
  const table = createTable('A', [createColumn('A', 'K'), createColumn('A', 'L'), createColumn('A', 'M')]);
  const documents = createInstanceDocuments([table, tableB]);

  test('of columns is a problem, although nothing seems to have changed', async () => {
    const project = pullFrom(documents);
    project.texts.set(paths.a, exchangeNames(project.texts.get(paths.a) ?? '', ['K', 'L']));
    expect(summarizeProblems(await compile(project, documents))).toEqual([
      'circular-rename table/M/A: L',
      'circular-rename table/M/A: K',
    ]);
  });

  test('of tables is a problem, too, but a chain of renames or a rename to the same name is not', async () => {
    const project = pullFrom(documents);
    project.edit(paths.a, '"name": "A"', '"name": "B", "renamedFrom": "A"');
    project.edit('datamodels/M/tables/B.table.json', '"name": "B"', '"name": "A", "renamedFrom": "B"');
    expect(summarizeProblems(await compile(project, documents))).toEqual([
      'circular-rename table/M/A: A',
      'circular-rename table/M/B: B',
    ]);
    const other = pullFrom(documents);
    other.edit(paths.a, '"name": "K"', '"name": "K", "renamedFrom": "K"');
    other.edit(paths.a, '"name": "M"', '"name": "N", "renamedFrom": "M"');
    other.edit(paths.a, '"name": "L"', '"name": "M", "renamedFrom": "L"');
    expect(summarizeProblems(await compile(other, documents))).toEqual([]);
  });
});
