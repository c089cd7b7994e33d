import { describe, expect, test } from 'vitest';
import { english } from '../../../../src/base/localize.ts';
import type { JsonObject } from '../../../../src/base/json.ts';
import { describeDeferral } from '../../../../src/project/messages/planTexts.ts';
import { parseProject } from '../../../../src/project/files/parseProject.ts';
import type { ItemKey } from '../../../../src/project/item.ts';
import {
  type Compiled,
  compile,
  createColumn,
  createCustomTable,
  createInstanceDocuments,
  createRelation,
  createRule,
  createTable,
  pullFrom,
  summarizeDeferred,
  summarizeProblems,
  summarizeWrites,
} from './compileSupport.ts';

const tableA = createTable('A', [createColumn('A', 'K')]);
const groups = ['East', 'West'].map((name) => ({ id: `id of ${name}`, name, aliases: [] }));
const users = [1, 2].map((number) => ({ id: `u${number}`, name: `User ${number}`, aliases: [] }));
const others = { groups, users };

const createVisibility = (members: JsonObject = {}): JsonObject => ({
  enabled: true,
  apps: ['chat'],
  groups: ['id of East'],
  users: ['u1'],
  ...members,
});

/** Creates a viewpoint of the datamodel M that is published and shared. */
const createViewpoint = ({ title = 'M', ...members }: JsonObject = {}): JsonObject => ({
  id: 'v',
  name: 'V',
  description: '',
  enabled: true,
  details: { datasource: { title, modelType: 'external' }, columns: [{ table: 'A', column: 'K' }] },
  visibility: createVisibility(),
  ...members,
});

/** A project with rules on a datamodel that takes them only after its first build, and with a viewpoint. */
const createProject = (viewpoint: JsonObject) =>
  pullFrom(
    createInstanceDocuments([tableA], { ...others, rules: [createRule('A.K')], viewpoints: [viewpoint] }),
  );

/** Applies a viewpoint together with rules that have to wait, to an instance that has a former version of it. */
const applyWithoutRules = (viewpoint: JsonObject, former: JsonObject | undefined): Promise<Compiled> =>
  compile(
    createProject(viewpoint),
    createInstanceDocuments([tableA], { ...others, viewpoints: former === undefined ? [] : [former] }),
    { titlesThatNeedBuild: new Set(['M']) },
  );

const listViewpoints = (compiled: Compiled) => ({
  problems: summarizeProblems(compiled),
  deferred: summarizeDeferred(compiled).filter((text) => text.includes(' viewpoint/')),
  writes: summarizeWrites(compiled).filter((text) => text.startsWith('viewpoints.')),
});

const waiting = { problems: [], deferred: ['rules-first viewpoint/V'], writes: [] };

describe('with rules that have to wait', () => {
  test('a new viewpoint waits, whether it is shared or not', async () => {
    expect(listViewpoints(await applyWithoutRules(createViewpoint(), undefined))).toEqual(waiting);
    const unshared = createViewpoint({ enabled: false, visibility: { enabled: false } });
    expect(listViewpoints(await applyWithoutRules(unshared, undefined))).toEqual(waiting);
  });

  test('a viewpoint of a new datamodel waits, too', async () => {
    const compiled = await compile(
      createProject(createViewpoint()),
      { ...others },
      { titlesThatNeedBuild: new Set(['M']), getConnection: () => ({ provider: 'CSV' }) },
    );
    expect(summarizeDeferred(compiled)).toEqual(['rules-need-build rules/M/A/K', 'rules-first viewpoint/V']);
    expect(summarizeWrites(compiled)).toEqual([
      'datamodels.create M',
      'datasets.create S',
      'tables.create A',
    ]);
  });

  test('what would prevent the later apply is reported already', async () => {
    const compiled = await compile(
      createProject(createViewpoint()),
      createInstanceDocuments([tableA], { users }),
      { titlesThatNeedBuild: new Set(['M']) },
    );
    expect(listViewpoints(compiled)).toEqual({
      ...waiting,
      problems: ['unknown-party viewpoint/V: group East'],
    });
  });

  test.each<[string, wanted: JsonObject, former: JsonObject]>([
    ['is published', {}, { enabled: false, visibility: createVisibility({ enabled: false }) }],
    ['is published, but not shared', { visibility: {} }, { enabled: false, visibility: {} }],
    [
      'is shared with another group',
      { visibility: createVisibility({ groups: ['id of East', 'id of West'] }) },
      {},
    ],
    ['is shared with another user', { visibility: createVisibility({ users: ['u1', 'u2'] }) }, {}],
    ['is shared with a user without a name', { visibility: createVisibility({ users: ['u1', 'u9'] }) }, {}],
    ['is shared with another app', { visibility: createVisibility({ apps: ['chat', 'sheets'] }) }, {}],
    [
      'is shared with another group before it is published',
      {
        enabled: false,
        visibility: createVisibility({ enabled: false, groups: ['id of East', 'id of West'] }),
      },
      { enabled: false, visibility: createVisibility({ enabled: false }) },
    ],
    [
      'is shared only with apps by now, which is not documented',
      { visibility: createVisibility({ groups: [], users: [] }) },
      {},
    ],
    ['is shared for the first time', {}, { visibility: null }],
    ['has another visibility that is not documented', { visibility: createVisibility({ all: true }) }, {}],
    ['has another member that is not documented', { kind: 'open' }, {}],
    [
      'has another column',
      { details: { datasource: { title: 'M' }, columns: [{ column: 'K' }, { column: 'L' }] } },
      {},
    ],
    ['moves to the datamodel', {}, { details: { datasource: { title: 'Other', modelType: 'external' } } }],
    [
      'is no longer shared with a group, but has another column',
      { visibility: createVisibility({ groups: [] }), details: { datasource: { title: 'M' }, columns: [] } },
      {},
    ],
  ])('a change waits if the viewpoint %s', async (_title, wanted, former) => {
    const compiled = await applyWithoutRules(createViewpoint(wanted), createViewpoint(former));
    expect(listViewpoints(compiled)).toEqual(waiting);
  });

  test.each<[string, wanted: JsonObject, former: JsonObject]>([
    ['has another description', { description: 'New' }, {}],
    ['is no longer published', { enabled: false, visibility: createVisibility({ enabled: false }) }, {}],
    ['is shared with fewer groups', {}, { visibility: createVisibility({ groups: ['East', 'West'] }) }],
    ['is shared with fewer users', {}, { visibility: createVisibility({ users: ['u1', 'u2'] }) }],
    [
      'has fewer columns',
      {},
      {
        details: {
          datasource: { title: 'M', modelType: 'external' },
          columns: [
            { table: 'A', column: 'K' },
            { table: 'A', column: 'L' },
          ],
        },
      },
    ],
    [
      'moves to another datamodel',
      { details: { datasource: { title: 'Other', modelType: 'external' } } },
      { visibility: createVisibility({ users: ['u1', 'u2'] }) },
    ],
  ])('a change is written if the viewpoint %s', async (_title, wanted, former) => {
    const project = createProject(createViewpoint(wanted));
    const { datamodels = [], ...documents } = createInstanceDocuments([tableA], {
      ...others,
      viewpoints: [createViewpoint(former)],
    });
    const other = { document: { oid: 'other', title: 'Other', type: 'extract' }, rules: [] };
    const compiled = await compile(
      project,
      { ...documents, datamodels: [...datamodels, other] },
      { titlesThatNeedBuild: new Set(['M']) },
    );
    expect(listViewpoints(compiled)).toEqual({
      problems: [],
      deferred: [],
      writes: ['viewpoints.update v'],
    });
  });

  test('a viewpoint is renamed, unless it is shared as well', async () => {
    const rename = async (wanted: JsonObject) => {
      const project = createProject(createViewpoint(wanted));
      return listViewpoints(
        await compile(
          project,
          createInstanceDocuments([tableA], {
            ...others,
            viewpoints: [createViewpoint({ name: 'Former' })],
          }),
          { titlesThatNeedBuild: new Set(['M']) },
        ),
      );
    };
    expect(await rename({})).toEqual({ problems: [], deferred: [], writes: ['viewpoints.update V'] });
    expect(await rename({ visibility: createVisibility({ users: ['u1', 'u2'] }) })).toEqual(waiting);
  });

  test('a viewpoint is deleted', async () => {
    const project = pullFrom(createInstanceDocuments([tableA], { ...others, rules: [createRule('A.K')] }));
    const compiled = await compile(
      project,
      createInstanceDocuments([tableA], { ...others, viewpoints: [createViewpoint()] }),
      { titlesThatNeedBuild: new Set(['M']), prunedKinds: ['viewpoint'] },
    );
    expect(summarizeWrites(compiled)).toEqual(['viewpoints.delete v']);
  });

  test('viewpoints of other datamodels are written, unless their data source may be a cube set', async () => {
    const shared = createVisibility({ users: ['u1', 'u2'] });
    const share = async (title: string, current: Parameters<typeof compile>[1] = {}) => {
      const project = createProject(createViewpoint({ title, visibility: shared }));
      const { datamodels = [], ...documents } = createInstanceDocuments([tableA], {
        ...others,
        viewpoints: [createViewpoint({ title })],
      });
      const other = { document: { oid: 'other', title: 'Other', type: 'extract' }, rules: [] };
      return listViewpoints(
        await compile(
          project,
          { ...documents, ...current, datamodels: [...datamodels, other] },
          { titlesThatNeedBuild: new Set(['M']) },
        ),
      );
    };
    expect(await share('Other')).toEqual({ problems: [], deferred: [], writes: ['viewpoints.update v'] });
    // Which datamodels a cube set has is unknown. It may also have a name that no datamodel has.
    expect(await share('Other', { cubeSets: [{ name: 'Other', rules: [] }] })).toEqual(waiting);
    expect(await share('Unknown')).toEqual(waiting);
    expect(await share('')).toEqual(waiting);
  });
});

test('a viewpoint waits for rules that could not be compared', async () => {
  const listWaiting = async (unknownRules: readonly ItemKey[]) =>
    listViewpoints(
      await compile(
        pullFrom(
          createInstanceDocuments([tableA], {
            ...others,
            rules: [createRule('A.K')],
            viewpoints: [createViewpoint()],
          }),
        ),
        createInstanceDocuments([tableA], { ...others, rules: [createRule('A.K')] }),
        { unknownRules },
      ),
    );
  expect(await listWaiting([{ kind: 'rules', datamodel: 'M', table: 'A', column: 'K' }])).toEqual(waiting);
  expect(await listWaiting([{ kind: 'rules', datamodel: 'Other', table: 'A', column: 'K' }])).toEqual({
    problems: [],
    deferred: [],
    writes: ['viewpoints.create V'],
  });
});

describe('if the project has rules on a column that has a rule for an unknown type of party on the instance', () => {
  const roleRule = createRule('A.K', { _id: 'role', shares: [{ type: 'role', party: 'r1' }] });
  const current = createInstanceDocuments([tableA], { ...others, rules: [createRule('A.K'), roleRule] });
  const key: ItemKey = { kind: 'rules', datamodel: 'M', table: 'A', column: 'K' };

  test('a viewpoint waits, and the plan says what it waits for, and what to do', async () => {
    const compiled = await compile(createProject(createViewpoint()), current, { unknownRules: [key] });
    expect(compiled.deferred).toEqual([
      { key: { kind: 'viewpoint', viewpoint: 'V' }, reason: 'kept-rules', columns: ['A.K'] },
    ]);
    expect(compiled.deferred.map((change) => describeDeferral(english, change))).toEqual([
      'It might give access to data that the project restricts by rules on A.K. There, the instance has rules for something other than users, groups, or everyone else, so no apply changes them. Delete these rules on the instance, or delete the rules file in the project to keep them, and then apply again.',
    ]);
  });

  test('a viewpoint is written once the project does not have the rules anymore', async () => {
    const project = createProject(createViewpoint());
    project.texts.delete('datamodels/M/rules/A.K.rules.json');
    expect(listViewpoints(await compile(project, current))).toEqual({
      problems: [],
      deferred: [],
      writes: ['viewpoints.create V'],
    });
  });
});

describe('a viewpoint that has to wait although it loses something', () => {
  const columns = [createColumn('C', 'K')];
  const rule = (members: readonly string[]) => createRule('A.K', { members });
  const applyLoss = async (members: readonly string[]) =>
    listViewpoints(
      await compile(
        pullFrom(
          createInstanceDocuments([tableA, createCustomTable('C', columns)], {
            ...others,
            relations: [createRelation('A.K', 'C.K')],
            rules: [rule(members)],
            viewpoints: [createViewpoint({ visibility: createVisibility({ users: ['u2'] }) })],
          }),
        ),
        createInstanceDocuments([tableA], {
          ...others,
          rules: [rule(['1'])],
          viewpoints: [createViewpoint({ visibility: createVisibility({ groups: ['East'] }) })],
        }),
      ),
    );

  test('prevents the apply, if what it shows changes now', async () => {
    expect(await applyLoss(['1', '2'])).toEqual({
      ...waiting,
      problems: ['loses-later viewpoint/V: V'],
    });
  });

  test('waits, if nothing that it shows changes now', async () => {
    expect(await applyLoss(['1'])).toEqual(waiting);
  });
});

describe('with columns that have to wait', () => {
  const columns = [createColumn('C', 'K'), createColumn('C', 'Own', { isCustom: true, expression: 'K * 2' })];
  const withRelation = createInstanceDocuments([tableA, createCustomTable('C', columns.slice(0, 1))], {
    ...others,
    relations: [createRelation('A.K', 'C.K')],
    viewpoints: [createViewpoint()],
  });
  const withRules = ({ datamodels = [], ...documents }: typeof withRelation) => ({
    ...documents,
    datamodels: datamodels.map((datamodel) => ({ ...datamodel, rules: [createRule('A.K')] })),
  });

  test('a viewpoint waits if rules restrict rows through a relation to a column that has to wait', async () => {
    const compiled = await compile(
      pullFrom(withRules(withRelation)),
      withRules(createInstanceDocuments([tableA], others)),
    );
    expect(compiled.problems).toEqual([]);
    expect(summarizeDeferred(compiled)).toEqual([
      'relation-column relation/M/A/K/C/K',
      'rules-first viewpoint/V',
    ]);
    expect(summarizeWrites(compiled)).toEqual(['tables.create C']);
  });

  test('a viewpoint waits if rules are on a column of a custom table that has its own SQL', async () => {
    const project = pullFrom(
      createInstanceDocuments([tableA, createCustomTable('C', columns)], {
        ...others,
        rules: [createRule('C.Own')],
        viewpoints: [createViewpoint()],
      }),
    );
    const compiled = await compile(project, createInstanceDocuments([tableA], others));
    expect(summarizeDeferred(compiled)).toEqual([
      'generated-column columnExpression/M/C/Own',
      'rules-first viewpoint/V',
    ]);
    expect(summarizeWrites(compiled)).toEqual(['extractRules.create C.Own', 'tables.create C']);
  });

  test('a viewpoint is written if nothing has rules', async () => {
    const listDeferred = async (current: Parameters<typeof compile>[1]) =>
      summarizeDeferred(await compile(pullFrom(withRelation), current));
    const current = createInstanceDocuments([tableA], others);
    const relation = 'relation-column relation/M/A/K/C/K';
    expect(await listDeferred(current)).toEqual([relation]);
    // Rules that only the instance has restrict rows, too, and those of a cube set may be about the datamodel.
    expect(await listDeferred(withRules(current))).toEqual([relation, 'rules-first viewpoint/V']);
    const cubeSets = [{ name: 'Set', rules: [createRule('A.K')] }];
    expect(await listDeferred({ ...current, cubeSets })).toEqual([relation, 'rules-first viewpoint/V']);
  });
});

test('viewpoints follow the renames of columns while their rules wait, and nothing else', async () => {
  const tableB = createTable('B', [createColumn('B', 'K')]);
  const formerA = createTable('A', [createColumn('A', 'K', { name: 'Former' })]);
  const compileRename = async (wantedColumns: readonly JsonObject[]) => {
    const createDetails = (viewpointColumns: readonly JsonObject[]): JsonObject => ({
      details: { datasource: { title: 'M', modelType: 'external' }, columns: viewpointColumns },
    });
    const project = pullFrom(
      createInstanceDocuments([tableA, tableB], {
        ...others,
        rules: ['A.K', 'B.K'].map((name) => createRule(name, { members: ['2'] })),
        viewpoints: [createViewpoint(createDetails(wantedColumns))],
      }),
    );
    const former = [{ table: 'A', column: 'Former', dim: '[A.Former]' }];
    return compile(
      project,
      createInstanceDocuments([formerA, tableB], {
        ...others,
        rules: ['A.Former', 'B.K'].map((name) => createRule(name)),
        viewpoints: [createViewpoint(createDetails(former))],
      }),
    );
  };
  const renamed = { table: 'A', column: 'K', dim: '[A.K]' };
  const rules = ['renames-first rules/M/A/K', 'renames-first rules/M/B/K'];
  const compiled = await compileRename([renamed]);
  expect(summarizeDeferred(compiled)).toEqual(rules);
  expect(summarizeWrites(compiled).at(-1)).toBe('viewpoints.update v');
  const extended = await compileRename([renamed, { table: 'B', column: 'K', dim: '[B.K]' }]);
  expect(summarizeDeferred(extended)).toEqual([...rules, 'rules-first viewpoint/V']);
});

test('rules are written before the viewpoints of their datamodel and of cube sets', async () => {
  const current = createInstanceDocuments([tableA], others);
  const cubeSets = [{ name: 'Set', rules: [createRule('A.K')] }];
  const project = pullFrom({
    ...createInstanceDocuments([tableA], {
      ...others,
      rules: [createRule('A.K')],
      viewpoints: [createViewpoint()],
    }),
    cubeSets,
  });
  expect(parseProject({ texts: project.texts, faults: [] }).problems).toEqual([]);
  const compiled = await compile(project, current);
  expect(compiled.deferred).toEqual([]);
  expect(summarizeWrites(compiled)).toEqual([
    'extractRules.create A.K',
    'extractRules.create A.K',
    'viewpoints.create V',
  ]);
});
