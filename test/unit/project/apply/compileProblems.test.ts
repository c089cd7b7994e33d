import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../../src/base/json.ts';
import { mask } from '../../../../src/base/secrets/mask.ts';
import {
  column,
  compile,
  createGroupClient,
  customTable,
  instance,
  pullFrom,
  relation,
  ruleOn,
  summarizeDeferred,
  summarizeProblems,
  summarizeWrites,
  table,
} from './compileSupport.ts';

const a = table('A', [column('A', 'K')]);
const b = table('B', [column('B', 'K')]);
const files = {
  model: 'datamodels/M/M.datamodel.json',
  a: 'datamodels/M/tables/A.table.json',
  ruleOnA: 'datamodels/M/rules/A.K.rules.json',
  viewpoint: 'viewpoints/V.viewpoint.json',
} as const;

const share = (type: 'user' | 'group', party: string, partyName: string): JsonObject => ({
  type,
  party,
  partyName,
});

describe('a user or group', () => {
  const projectFor = (...shares: readonly JsonObject[]) =>
    pullFrom(instance([a], { rules: [ruleOn('A.K', { shares })] }));

  test('that the instance does not have is a problem', async () => {
    const project = projectFor(share('user', 'u1', 'Ann'), share('group', 'g1', 'Sales'));
    expect(summarizeProblems(await compile(project, instance([a])))).toEqual([
      'unknown-party rules/M/A/K: user Ann',
      'unknown-party rules/M/A/K: group Sales',
    ]);
  });

  test('is not found by an ID of another instance', async () => {
    const id = '5f0c2ae7b4d1c9002d8f1a11';
    const project = projectFor(share('user', 'u1', 'Ann'));
    project.edit(files.ruleOnA, '"Ann"', `"${id}"`);
    expect(summarizeProblems(await compile(project, instance([a])))).toEqual([
      `unknown-party rules/M/A/K: user ${id}`,
    ]);
  });

  test('that the instance has twice is a problem', async () => {
    const project = projectFor(share('user', 'u1', 'Ann'));
    const users = ['x', 'y'].map((id) => ({ id, name: 'Ann', aliases: [] }));
    expect(summarizeProblems(await compile(project, instance([a], { users })))).toEqual([
      'ambiguous-party rules/M/A/K: user Ann',
    ]);
  });

  test('with a number that the lock does not know is a problem', async () => {
    const project = projectFor({ type: 'user', party: 'u1' });
    expect((await compile(project, instance([a]))).problems).toEqual([]);
    project.lock = { ...project.lock, bound: [] };
    expect(summarizeProblems(await compile(project, instance([a])))).toEqual([
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

  test('that is known gives its ID to the rule', async () => {
    const project = projectFor(share('group', 'g1', 'Sales'));
    const { writes, problems } = await compile(project, instance([a]), {
      client: createGroupClient({ Sales: ['target group'] }),
    });
    expect(problems).toEqual([]);
    expect(writes).toMatchObject([{ body: [{ shares: [{ type: 'group', party: 'target group' }] }] }]);
  });
});

describe('a reference', () => {
  test('of a relation to a column that no side has is a problem', async () => {
    const project = pullFrom(instance([a, b], { relations: [relation('A.K', 'B.K')] }));
    project.texts.delete('datamodels/M/tables/B.table.json');
    expect(summarizeProblems(await compile(project, instance([a])))).toEqual([
      'unknown-reference relation/M/A/K/B/K: B.K',
    ]);
  });

  test('of a new table to a dataset that no side has is a problem', async () => {
    const project = pullFrom(instance([a]));
    project.edit(files.a, '"dataset": "S"', '"dataset": "Other"');
    expect(summarizeProblems(await compile(project, instance([])))).toEqual([
      'unknown-reference table/M/A: Other',
    ]);
  });

  test('of a build behavior to a column that no side has is a problem', async () => {
    const behavior = { type: 'accumulative', accumulativeConfig: { column: 'A K' } };
    const project = pullFrom(instance([{ ...a, buildBehavior: behavior }]));
    project.edit(files.a, '"column": "K"', '"column": "Missing"');
    expect(summarizeProblems(await compile(project, instance([a])))).toEqual([
      'unknown-reference table/M/A: A.Missing',
    ]);
  });
});

describe('a new dataset', () => {
  const connection = { provider: 'MSSQL', parameters: { server: 'db' } };
  const noDataset = { datamodels: [{ document: { oid: 'model', title: 'M', type: 'extract' }, rules: [] }] };

  test('needs a connection of the environment, unless it is of an uploaded file', async () => {
    const project = pullFrom(instance([a], { dataset: { connection } }));
    const missing = await compile(project, noDataset);
    expect(summarizeProblems(missing)).toEqual(['unmapped-connection dataset/M/S: S']);
    // What depends on it is no problem of its own.
    expect(summarizeWrites(missing)).toEqual(['datasets.create S', 'tables.create A']);
    const mapped = await compile(project, noDataset, { getConnection: () => connection });
    expect(mapped.problems).toEqual([]);
    expect(mapped.writes[0]?.body).toMatchObject({ name: 'S', connection });
    const file = { provider: 'CSV', fileName: 'orders.csv' };
    const uploaded = pullFrom(instance([a], { dataset: { connection: file } }));
    expect((await compile(uploaded, noDataset)).problems).toEqual([]);
  });

  test('does not get the mask of a secret', async () => {
    const project = pullFrom(instance([a]));
    const { problems } = await compile(project, noDataset, {
      getConnection: () => ({ provider: 'MSSQL', parameters: { password: mask } }),
    });
    expect(problems).toMatchObject([{ code: 'masked-secret', name: 'S' }]);
  });
});

describe('a table', () => {
  test('without the name in its source cannot be created, unless it is custom', async () => {
    const project = pullFrom(instance([{ ...a, id: '' }, customTable('C', [], { id: '' })]));
    expect(summarizeProblems(await compile(project, instance([])))).toEqual(['missing-id table/M/A: A']);
  });

  test('of a relation that the project has cannot be deleted', async () => {
    const relations = [relation('A.K', 'B.K')];
    const project = pullFrom(instance([a, b], { relations }));
    project.texts.delete('datamodels/M/tables/B.table.json');
    const { problems } = await compile(project, instance([a, b], { relations }), { prunedKinds: ['table'] });
    expect(problems).toMatchObject([{ code: 'table-in-use', name: 'B' }]);
  });

  test('that stays keeps its dataset', async () => {
    const project = pullFrom(instance([a]));
    [files.a, 'datamodels/M/datasets/S.dataset.json'].forEach((path) => project.texts.delete(path));
    const used = await compile(project, instance([a]), { prunedKinds: ['dataset'] });
    expect(summarizeProblems(used)).toEqual(['dataset-in-use dataset/M/S: S']);
    expect(used.writes).toEqual([]);
    const unused = await compile(project, instance([a]), { prunedKinds: ['dataset', 'table'] });
    expect(unused.problems).toEqual([]);
    expect(summarizeWrites(unused)).toEqual(['tables.delete table A', 'datasets.delete dataset']);
  });
});

test('the title of a datamodel is fixed', async () => {
  const project = pullFrom(instance([a]));
  const { datamodels = [] } = instance([a]);
  const renamed = datamodels.map(({ document, rules }) => ({
    document: { ...document, title: 'Old' },
    rules,
  }));
  expect(summarizeProblems(await compile(project, { datamodels: renamed }))).toEqual([
    'fixed-title datamodel/M: Old',
  ]);
});

test.each(['before', 'after'])(
  'a column does not get a name that has rules already, %s its own',
  async (place) => {
    const project = pullFrom(instance([a], { rules: [ruleOn('A.K')] }));
    const former = table('A', [column('A', 'K', { name: 'Former' })]);
    const rules = [ruleOn('A.Former'), ruleOn('A.K', { members: ['9'] })];
    const current = instance([former], { rules: place === 'after' ? rules : rules.toReversed() });
    const expected = ['rules-on-new-name rules/M/A/K: A.K'];
    expect(summarizeProblems(await compile(project, current))).toEqual(expected);
    // Also if the project does not know the rules.
    project.texts.delete(files.ruleOnA);
    expect(summarizeProblems(await compile(project, current))).toEqual(expected);
    expect(summarizeProblems(await compile(project, current, { prunedKinds: ['rules'] }))).toEqual(expected);
  },
);

test.each<[JsonObject, JsonObject, boolean]>([
  [{ kind: 'note' }, { kind: 'note' }, true],
  [{ kind: 'note' }, { kind: 'other' }, false],
  [{ kind: 'note' }, { level: 1 }, false],
  [{ kind: 'note' }, { kind: { $exists: true } }, true],
  [{ kind: 'note' }, { kind: { $exists: false } }, false],
  [{ kind: 'note' }, { level: { $exists: false } }, true],
])('custom data %j with the filter %j is found again: %s', async (object, filter, matches) => {
  const project = pullFrom({ customData: [{ name: 'D', objects: [{ _id: 'd', ...object }] }] });
  const customDataFilters = new Map([['D', filter]]);
  const expected = matches ? [] : ['filter-mismatch customData/D: D'];
  expect(summarizeProblems(await compile(project, {}, { customDataFilters }))).toEqual(expected);
  // A change of another member does not say what the object has.
  const current = { customData: [{ name: 'D', objects: [{ _id: 'd', kind: 'before' }] }] };
  const changed = await compile(project, current, { customDataFilters });
  expect(summarizeWrites(changed)).toHaveLength(1);
});

test('a viewpoint needs its datamodel', async () => {
  const details = { datasource: { title: 'Gone', modelType: 'extract' } };
  const project = pullFrom({ viewpoints: [{ id: 'v', name: 'V', details }] });
  expect(summarizeProblems(await compile(project, {}))).toEqual(['missing-datamodel viewpoint/V: Gone']);
});

describe('a change waits', () => {
  test('for a build that creates the columns of a custom table', async () => {
    const custom = customTable(
      'C',
      [column('C', 'K'), column('C', 'Own', { isCustom: true, expression: 'K * 2' })],
      { buildBehavior: { type: 'accumulative', accumulativeConfig: { column: 'C K' } } },
    );
    const project = pullFrom(instance([a, custom], { relations: [relation('A.K', 'C.K')] }));
    const compiled = await compile(project, instance([a]));
    expect(compiled.problems).toEqual([]);
    expect(summarizeDeferred(compiled)).toEqual([
      'generated-column columnExpression/M/C/Own',
      'generated-column table/M/C',
      'generated-column relation/M/A/K/C/K',
    ]);
    expect(summarizeWrites(compiled)).toEqual(['tables.create C']);
  });

  test('for a first build, without which there are no rules', async () => {
    const project = pullFrom(instance([a], { rules: [ruleOn('A.K')] }));
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

  test('for renames that it must not be mixed with', async () => {
    const members = ['2'];
    const project = pullFrom(
      instance([a, b], { rules: [ruleOn('A.K', { members }), ruleOn('B.K', { members })] }),
    );
    const current = instance([table('A', [column('A', 'K', { name: 'Former' })]), b, table('C', [])], {
      rules: [ruleOn('A.Former'), ruleOn('B.K')],
    });
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
