import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../../src/base/json.ts';
import { english } from '../../../../src/base/localize.ts';
import { createModelCatalog } from '../../../../src/catalog/modelCatalog.ts';
import { type RuleSubject, getSubjectTitle } from '../../../../src/catalog/ruleSubject.ts';
import { UserDirectory } from '../../../../src/catalog/people/userDirectory.ts';
import type { Write } from '../../../../src/changes/model/operation.ts';
import { describeAccess } from '../../../../src/changes/messages/describeAccess.ts';
import { Documents, type Snapshot } from '../../../../src/changes/model/snapshot.ts';
import { createDatamodelDeletionWrite } from '../../../../src/changes/model/datamodelWrites.ts';
import {
  createRelationCreationWrite,
  createRelationDeletionWrite,
} from '../../../../src/changes/model/relationWrites.ts';
import {
  createTableCreationWrite,
  createTableDeletionWrite,
  createTableUpdateWrite,
} from '../../../../src/changes/model/tableWrites.ts';
import {
  createViewpointCreationWrite,
  createViewpointDeletionWrite,
  createViewpointUpdateWrite,
} from '../../../../src/changes/model/viewpointWrites.ts';
import { loadPlannedAccess } from '../../../../src/changes/plan/loadPlannedAccess.ts';
import type { PlanSources } from '../../../../src/changes/plan/planSources.ts';
import {
  createRuleCreationWrite,
  createRuleDeletionWrite,
} from '../../../../src/changes/rules/ruleWrites.ts';
import { datamodelSchema } from '../../../../src/contract/datamodel.ts';
import { extractRuleSchema } from '../../../../src/contract/rule.ts';

const createModel = (title: string, type = 'extract') =>
  datamodelSchema.parse({
    oid: title,
    title,
    type,
    datasets: [
      {
        oid: 'd',
        schema: {
          tables: [{ oid: 't', id: 't', name: 'T', columns: [{ oid: 'c', id: 'C', name: 'C', type: 18 }] }],
        },
      },
    ],
    relations: [],
  });
const withNames = (datamodel: ReturnType<typeof createModel>) => ({
  datamodel,
  catalog: createModelCatalog(datamodel),
});
const models = [createModel('Shop'), createModel('Store'), createModel('Desk', 'live')];
const shop = { kind: 'extract', server: 'LocalHost', elasticube: 'Shop' } as const;
const cubeSet = { kind: 'extract', server: 'Set', elasticube: 'All' } as const;
const ruleDocument = {
  table: 'T',
  column: 'C',
  datatype: 'text',
  members: ['x'],
  allMembers: null,
  shares: [{ type: 'user', party: 'ann', partyName: 'Ann' }],
};
const rule = extractRuleSchema.parse({ _id: 'r', ...ruleDocument });

/** Loads who gains and loses access, as the titles of datamodels with the effects, and what had to be requested. */
async function load(
  writes: readonly Write[],
  {
    cubeSets = [],
    known = {},
    tables = 'unknown',
    otherModels = [],
    otherNames = { complete: false, tables: [] },
    documents = [],
  }: {
    readonly documents?: ConstructorParameters<typeof Documents>[0];
    readonly cubeSets?: readonly RuleSubject[];
    readonly known?: Partial<Snapshot>;
    readonly otherNames?: Awaited<ReturnType<PlanSources['loadCubeSetTables']>>['catalog'];
    /** The datamodels that `otherNames` are from. */
    readonly otherModels?: Awaited<ReturnType<PlanSources['loadCubeSetTables']>>['datamodels'];
    readonly tables?: Awaited<ReturnType<PlanSources['loadTables']>>;
  } = {},
) {
  const requests: string[] = [];
  const sources: Omit<PlanSources, 'getKnownDatamodel' | 'loadViewpoints'> = {
    loadDatamodel: async (id) => {
      requests.push(`datamodel ${id}`);
      return models.find(({ oid }) => oid === id) ?? createModel(id);
    },
    loadRules: async (subject) => {
      requests.push(`rules ${subject.kind === 'live' ? subject.title : subject.elasticube}`);
      return [rule];
    },
    loadTables: async (subject) => {
      requests.push(`tables ${getSubjectTitle(subject)}`);
      return tables;
    },
    loadCubeSetTables: async (omittedIds) => {
      requests.push(['names except', ...omittedIds].join(' '));
      return { datamodels: otherModels, catalog: otherNames };
    },
    getCubeSets: () => cubeSets,
    loadUsersAndGroups: async () => {
      requests.push('people');
      return new UserDirectory({
        users: { items: [{ id: 'ann', name: 'Ann', aliases: [], groupIds: ['red'] }], isComplete: true },
        groups: { items: [{ id: 'red', name: 'Red Team' }], isComplete: true },
      });
    },
  };
  const access = await loadPlannedAccess(
    writes,
    new Documents(documents),
    { datamodels: [], rules: undefined, ...known },
    sources as PlanSources,
  );
  return {
    requests,
    access,
    subjects: access?.subjects.map(({ title, difference }) => [
      title,
      difference.rows.map(({ party, effect }) => `${party.type} ${effect}`).join(),
    ]),
    isCertain: access?.subjects.every(({ difference }) =>
      difference.rows.every(({ isUncertain }) => !isUncertain),
    ),
    partyNames: access && [...access.partyNames],
  };
}
const renameTable = (datamodelId: string) =>
  createTableUpdateWrite({ datamodelId, datasetId: 'd', tableId: 't' }, { name: 'New' });

describe('who gains and who loses access', () => {
  test('is computed for each written datamodel with its own rules', async () => {
    const { subjects, requests } = await load([
      renameTable('Shop'),
      renameTable('Desk'),
      renameTable('Shop'),
    ]);
    expect(subjects?.map(([title]) => title)).toEqual(['Shop', 'Desk']);
    expect(requests).toEqual(['datamodel Shop', 'datamodel Desk', 'rules Shop', 'rules Desk']);
  });

  test('is computed for cube sets, with each written extract datamodel that they may contain', async () => {
    const writes = [renameTable('Shop'), renameTable('Desk'), renameTable('Store')];
    const { subjects } = await load(writes, { cubeSets: [cubeSet] });
    expect(subjects?.map(([title]) => title)).toEqual(['Shop', 'Desk', 'Store', 'All', 'All']);
    const live = await load([renameTable('Desk')], { cubeSets: [cubeSet] });
    expect(live.subjects?.map(([title]) => title)).toEqual(['Desk']);
  });

  test('needs no request for what is known', async () => {
    const rules = [{ subject: shop, rules: [rule] }];
    expect((await load([renameTable('Shop')], { known: { datamodels: models, rules } })).requests).toEqual(
      [],
    );
    const [model] = models;
    for (const part of ['datasets', 'relations'] as const) {
      const datamodels = model === undefined ? [] : [{ ...model, [part]: undefined }];
      expect((await load([renameTable('Shop')], { known: { datamodels, rules } })).requests).toEqual([
        'datamodel Shop',
      ]);
    }
  });

  test('is computed for rules that change, with the names of parties', async () => {
    const { subjects, requests, partyNames } = await load([createRuleDeletionWrite(shop, 'r')]);
    expect(subjects).toEqual([['Shop', 'default gains,user gains']]);
    expect(requests).toEqual(['rules Shop', 'tables Shop']);
    expect(partyNames).toEqual([['user:ann', 'Ann']]);
  });

  test('names the tables that changed rules affect, or says that they cannot be read', async () => {
    const deletion = [createRuleDeletionWrite(shop, 'r')];
    const known = await load(deletion, { tables: withNames(createModel('Shop')) });
    expect(known.access?.subjects[0]).toMatchObject({
      difference: { rows: [{ tables: ['T'] }, { tables: ['T'] }] },
    });
    expect(known.access?.subjects[0]).not.toHaveProperty('hasUnreadableTables');
    const unreadable = await load(deletion, { tables: 'unreadable' });
    expect(unreadable.access?.subjects[0]).toMatchObject({
      hasUnreadableTables: true,
      difference: { rows: [{ tables: [] }, { tables: [] }] },
    });
    expect((await load(deletion)).access?.subjects[0]).not.toHaveProperty('hasUnreadableTables');
  });

  describe('of a cube set whose rules follow a rename', () => {
    const writes = [
      createRuleCreationWrite(cubeSet, [{ ...ruleDocument, table: 'New' }]),
      renameTable('Shop'),
      createRuleDeletionWrite(cubeSet, 'r'),
    ];
    const [, store = { datasets: [], relations: [] }] = models;
    const known = { rules: [{ subject: shop, rules: [] }] };

    test('stays the same if no other datamodel has the former name', async () => {
      const otherNames = { complete: true, tables: [] };
      const { access, subjects, requests } = await load(writes, { cubeSets: [cubeSet], known, otherNames });
      expect(subjects).toEqual([
        ['Shop', ''],
        ['All', ''],
        ['All', ''],
      ]);
      expect(access?.subjects.map(({ untilBuild }) => untilBuild?.datamodel)).toEqual([
        undefined,
        'Shop',
        undefined,
      ]);
      expect(access && describeAccess(access, english).unchecked).toContainEqual({
        icon: 'question',
        text: 'User Ann',
        detail:
          'cube set All · T.C: only "x" → all values · until Shop is built, if queries use the schema of the last build',
      });
      expect(requests).toContain('names except Shop');
    });

    test('is gained if another datamodel has the former name, or may have it', async () => {
      for (const otherNames of [createModelCatalog(store), { complete: false, tables: [] }]) {
        const { subjects } = await load(writes, { cubeSets: [cubeSet], known, otherNames });
        expect(subjects?.at(-1)?.[1]).toContain('default gains,user gains');
      }
    });

    test('names the rules that stay on the former name, unless another datamodel has it', async () => {
      const writesBeforeRules = writes.slice(0, 2);
      const options = { cubeSets: [cubeSet], known };
      const { access } = await load(writesBeforeRules, {
        ...options,
        otherNames: { complete: true, tables: [] },
      });
      expect(access?.subjects.map(({ rulesWithoutEffect }) => rulesWithoutEffect)).toEqual([
        undefined,
        [{ table: 'T', column: 'C' }],
        undefined,
      ]);
      const other = await load(writesBeforeRules, { ...options, otherNames: createModelCatalog(store) });
      expect(other.access?.subjects.some(({ rulesWithoutEffect }) => rulesWithoutEffect)).toBe(false);
    });
  });

  test('is not computed for other changes, nor for a datamodel that is created', async () => {
    expect((await load([createViewpointDeletionWrite({ viewpointId: 'v' })])).subjects).toBeUndefined();
    const outputRefs = [{ into: ['params', 'datamodelId'], write: 0, from: ['oid'] }] as const;
    const creation: Write = { ...renameTable('Shop'), outputRefs };
    expect((await load([creation])).subjects).toBeUndefined();
    const tableIdRefs = [{ into: ['params', 'tableId'], write: 0, from: ['oid'] }] as const;
    expect((await load([{ ...creation, outputRefs: tableIdRefs }])).subjects).toEqual([
      ['Shop', 'default gains,user gains'],
    ]);
  });

  test('includes who gains a column whose table is renamed, since the rule with the old name protects nothing anymore', async () => {
    expect((await load([renameTable('Shop')])).subjects).toEqual([['Shop', 'default gains,user gains']]);
    const deletion = createTableDeletionWrite({ datamodelId: 'Shop', datasetId: 'd', tableId: 't' });
    expect((await load([deletion])).subjects).toEqual([['Shop', '']]);
    const description = createTableUpdateWrite(
      { datamodelId: 'Shop', datasetId: 'd', tableId: 't' },
      { description: 'x' },
    );
    expect((await load([description])).subjects).toEqual([['Shop', '']]);
  });

  test('stays the same if a column or table is replaced by a new one with the same name', async () => {
    const keys = { datamodelId: 'Shop', datasetId: 'd', tableId: 't' };
    const column = { id: 'new', name: 'C', type: 18 };
    const columns = createTableUpdateWrite(keys, { columns: [column] });
    expect((await load([columns])).subjects).toEqual([['Shop', '']]);
    const creation = createTableCreationWrite(keys, { id: 'new', name: 'T', columns: [column] });
    expect((await load([createTableDeletionWrite(keys), creation])).subjects).toEqual([['Shop', '']]);
  });

  test('changes if a column or table is renamed, even if a new one gets its former name', async () => {
    const keys = { datamodelId: 'Shop', datasetId: 'd', tableId: 't' };
    const columns = [{ oid: 'c', name: 'Renamed' }, { name: 'C' }];
    const { subjects } = await load([createTableUpdateWrite(keys, { columns })]);
    // The values of the column are no longer restricted, and the rows of its table by another column.
    expect(subjects).toEqual([['Shop', 'default gains,user gains,default changes,user changes']]);
    const table = { id: 'new', name: 'T', columns: [{ id: 'new', name: 'C' }] };
    const creation = createTableCreationWrite({ datamodelId: 'Shop', datasetId: 'd' }, table);
    expect((await load([renameTable('Shop'), creation])).subjects).toEqual([
      ['Shop', 'default gains,user gains'],
    ]);
  });
});

describe('a viewpoint that is shared while a relation is created', () => {
  const relation = createRelationCreationWrite('Shop', [
    { dataset: 'd', table: 't', column: 'c' },
    { dataset: 'd', table: 't', column: 'c' },
  ]);
  const details = (title: string): JsonObject => ({ datasource: { title }, columns: [] });
  const visibility = { enabled: true, apps: ['chat'], groups: ['red'], users: [] };
  const create = (title: string, members: JsonObject = { visibility }) =>
    createViewpointCreationWrite({ name: 'New', details: details(title), ...members });
  const listViewpoints = async (writes: readonly Write[], options: Parameters<typeof load>[1] = {}) =>
    (await load(writes, options)).access?.viewpointsUntilBuild ?? [];

  test('might show more until queries know the relation', async () => {
    const { access } = await load([relation, create('Shop')]);
    const description = access && describeAccess(access, english);
    expect(description?.summary).toContain(
      'Until the next build, more data might be visible: see "Not checked".',
    );
    expect(description?.unchecked).toEqual([
      {
        icon: 'question',
        text: 'Viewpoint New',
        detail:
          'rules might not restrict linked tables until Shop is built, if queries use the schema of the last build',
      },
    ]);
    // After the apply, it must still be known.
    expect(description?.untilBuild).toEqual(description?.unchecked);
  });

  test('might show more if it exists, and is shared with others or shows something else', async () => {
    const ids = { viewpointId: 'v' };
    const document = { id: 'v', name: 'V', enabled: true, details: details('Shop'), visibility };
    const documents = [{ ref: { kind: 'viewpoint', ...ids } as const, document }];
    const update = async (members: JsonObject) =>
      (await listViewpoints([relation, createViewpointUpdateWrite(ids, members)], { documents })).map(
        ({ viewpoint }) => viewpoint,
      );
    expect(await update({ visibility: { ...visibility, users: ['bob'] } })).toEqual(['V']);
    const otherDetails = { ...details('Shop'), columns: [{ table: 'T', column: 'C' }] };
    expect(await update({ details: otherDetails })).toEqual(['V']);
    expect(await update({ details: details('Shop') })).toEqual([]);
    expect(await update({ description: 'Text' })).toEqual([]);
    expect(await update({ enabled: false })).toEqual([]);
    expect(await update({ details: details('Other') })).toEqual([]);
  });

  test('shows no more without a new relation or rules in its datamodel, or if it is shared with no one', async () => {
    const knownWithoutRules = { rules: [{ subject: shop, rules: [] }] };
    expect(await listViewpoints([relation, create('Shop')], { known: knownWithoutRules })).toEqual([]);
    expect(await listViewpoints([relation, create('Store')])).toEqual([]);
    expect(await listViewpoints([relation, create('Shop', { enabled: false })])).toEqual([]);
    const table = createTableUpdateWrite({ datamodelId: 'Shop', datasetId: 'd', tableId: 't' }, {});
    expect(await listViewpoints([table, create('Shop')])).toEqual([]);
  });
});

describe('who has access only until the next build, because rules change at once and the schema does not', () => {
  const keys = { datamodelId: 'Shop', datasetId: 'd', tableId: 't' };
  const movedRule = createRuleCreationWrite(shop, [{ ...ruleDocument, column: 'Renamed' }]);
  const ruleDeletion = createRuleDeletionWrite(shop, 'r');
  const renameColumn = createTableUpdateWrite(keys, { columns: [{ oid: 'c', name: 'Renamed' }] });

  async function loadUntilBuild(writes: readonly Write[], options?: Parameters<typeof load>[1]) {
    const { access, subjects } = await load(writes, options);
    return {
      rowsAfterBuild: subjects?.map(([, rows]) => rows),
      untilBuild: access?.subjects.map(
        ({ untilBuild }) =>
          untilBuild && untilBuild.rows.map(({ party, effect }) => `${party.type} ${effect}`),
      ),
      description: access && describeAccess(access, english),
    };
  }

  test('includes whom the rules under the former name restrict', async () => {
    const { description, ...rows } = await loadUntilBuild([movedRule, renameColumn, ruleDeletion]);
    expect(rows).toEqual({ rowsAfterBuild: [''], untilBuild: [['default gains', 'user gains']] });
    expect(description?.summary).toBe(
      'After the next build, no one gains or loses access. Until the next build, more data might be visible: see "Not checked".',
    );
    expect(description?.unchecked).toEqual([
      {
        icon: 'question',
        text: 'Everyone else',
        detail:
          'T.C: uncertain, from no values to all values → all values · until Shop is built, if queries use the schema of the last build',
      },
      {
        icon: 'question',
        text: 'User Ann',
        detail:
          'T.C: only "x" → all values · until Shop is built, if queries use the schema of the last build',
      },
    ]);
  });

  test('includes whom the rules of a deleted table restrict', async () => {
    const deletion = createTableDeletionWrite(keys);
    expect(await loadUntilBuild([deletion, ruleDeletion])).toMatchObject({
      rowsAfterBuild: [''],
      untilBuild: [['default gains', 'user gains']],
    });
    expect(await loadUntilBuild([deletion])).toMatchObject({ rowsAfterBuild: [''], untilBuild: [undefined] });
  });

  test.each([
    ['a deleted column', {}],
    // It may be hidden only since the last build.
    ['a deleted column that was hidden', { hidden: true }],
  ])('includes anyone who gains rows of a table with %s', async (_name, members) => {
    const model = createModel('Shop');
    const table = model.datasets?.[0]?.schema?.tables?.[0];
    table?.columns?.push({ oid: 'd', id: 'D', name: 'D', type: 18, ...members });
    const columns = [{ oid: 'c', name: 'C' }];
    const known = { datamodels: [model] };
    const deletion = createTableUpdateWrite(keys, { columns });
    expect(await loadUntilBuild([deletion, ruleDeletion], { known })).toMatchObject({
      rowsAfterBuild: ['default gains,user gains'],
      untilBuild: [['default gains', 'user gains']],
    });
  });

  test('includes anyone who gains rows of a deleted table that was linked', async () => {
    const model = createModel('Shop');
    model.datasets?.[0]?.schema?.tables?.push({
      oid: 'u',
      id: 'u',
      name: 'U',
      columns: [{ oid: 'e', id: 'E', name: 'E', type: 18 }],
    });
    model.relations?.push({
      oid: 'link',
      columns: [
        { dataset: 'd', table: 't', column: 'c' },
        { dataset: 'd', table: 'u', column: 'e' },
      ],
    });
    const deletions = [
      createRelationDeletionWrite({ datamodelId: 'Shop', relationId: 'link' }),
      createTableDeletionWrite({ ...keys, tableId: 'u' }),
    ];
    const { untilBuild } = await loadUntilBuild([ruleDeletion, ...deletions], {
      known: { datamodels: [model] },
    });
    expect(untilBuild).toEqual([['default gains', 'user gains']]);
  });

  test('does not depend on the schema of the last build if there was none', async () => {
    const [datamodel] = [{ ...createModel('Shop'), lastBuildTime: null }];
    const known = { datamodels: [datamodel] };
    const relation = createRelationCreationWrite('Shop', [
      { dataset: 'd', table: 't', column: 'c' },
      { dataset: 'd', table: 't', column: 'c' },
    ]);
    const viewpoint = createViewpointCreationWrite({
      name: 'New',
      details: { datasource: { title: 'Shop' }, columns: [] },
      visibility: { enabled: true, apps: ['chat'], groups: ['red'], users: [] },
    });
    const { description } = await loadUntilBuild(
      [movedRule, renameColumn, relation, ruleDeletion, viewpoint],
      { known },
    );
    const time = 'until Shop is built again, if its first build is already running';
    expect(description?.untilBuild.map(({ detail }) => detail)).toEqual([
      `T.C: uncertain, from no values to all values → all values · ${time}`,
      `T.C: only "x" → all values · ${time}`,
      `rules might not restrict linked tables ${time}`,
    ]);
  });

  describe('includes whom rules on a name restrict that the datamodel had at its last build', () => {
    const rules = [extractRuleSchema.parse({ ...rule, column: 'Former' })];
    const known = { rules: [{ subject: shop, rules }] };
    const gains = { rowsAfterBuild: [''], untilBuild: [['default gains', 'user gains']] };

    test('if only the rules are deleted', async () => {
      const { description, ...rows } = await loadUntilBuild([ruleDeletion], {
        known,
        tables: withNames(createModel('Shop')),
      });
      expect(rows).toEqual(gains);
      expect(description?.summary).toBe(
        'After the next build, no one gains or loses access. Until the next build, more data might be visible: see "Not checked".',
      );
      expect(description?.untilBuild.at(-1)).toMatchObject({
        text: 'User Ann',
        detail:
          'T.Former: only "x" → all values · until Shop is built, if queries use the schema of the last build',
      });
    });

    test('if the datamodel changes, too', async () => {
      const writes = [createTableUpdateWrite(keys, { description: 'x' }), ruleDeletion];
      expect(await loadUntilBuild(writes, { known })).toMatchObject(gains);
    });

    test('unless the datamodel is deleted', async () => {
      const deletion = createDatamodelDeletionWrite({ datamodelId: 'Shop' });
      expect(
        await loadUntilBuild([ruleDeletion, deletion], { known, tables: withNames(createModel('Shop')) }),
      ).toMatchObject({ rowsAfterBuild: [''], untilBuild: [undefined] });
    });

    test('of a cube set, in the datamodels that may be in it', async () => {
      const loadGains = async (...datamodels: ReturnType<typeof createModel>[]) => {
        const { access } = await load([createRuleDeletionWrite(cubeSet, 'r')], {
          cubeSets: [cubeSet],
          known: { rules: [{ subject: cubeSet, rules, isCubeSet: true }] },
          otherNames: createModelCatalog(createModel('Shop')),
          otherModels: datamodels.map(withNames),
        });
        return access?.subjects.flatMap(({ title, untilBuild }) =>
          untilBuild === undefined ? [] : [`${title}: ${untilBuild.datamodel}, ${untilBuild.rows.length}`],
        );
      };
      expect(await loadGains(createModel('Shop'), createModel('Store'))).toEqual([
        'All: Shop, 2',
        'All: Store, 2',
      ]);
    });
  });

  test('excludes who keeps the access after the build, and who loses some', async () => {
    const description = createTableUpdateWrite(keys, { description: 'x' });
    for (const writes of [
      [description, ruleDeletion],
      [renameColumn, ruleDeletion],
      [description, createRuleCreationWrite(shop, [{ ...ruleDocument, shares: [{ type: 'default' }] }])],
      [ruleDeletion],
    ]) {
      expect((await loadUntilBuild(writes)).untilBuild).toEqual([undefined]);
    }
  });
});

test('the groups of users are taken into account, and requested only if rules name users and groups', async () => {
  const deletion = [createRuleDeletionWrite(shop, 'r')];
  const groupRule = extractRuleSchema.parse({
    ...rule,
    _id: 'g',
    members: ['y'],
    shares: [{ type: 'group', party: 'red' }],
  });
  const { requests, subjects, isCertain } = await load(deletion, {
    known: { rules: [{ subject: shop, rules: [rule, groupRule] }] },
  });
  expect(requests).toEqual(['tables Shop', 'people']);
  // Before, Ann sees nothing, because her rule and that of her group allow different values; then only the latter.
  expect(subjects).toEqual([['Shop', 'user gains']]);
  expect(isCertain).toBe(true);
  const withoutGroups = await load(deletion, { known: { rules: [{ subject: shop, rules: [rule] }] } });
  expect(withoutGroups.requests).toEqual(['tables Shop']);
});

describe('who gains and who loses a viewpoint', () => {
  const ids = { viewpointId: 'v' };
  const shared = { apps: ['teams'], groups: ['Red Team'], users: [], enabled: true };
  const viewpoint = { id: 'v', name: 'Net', enabled: true, visibility: shared };

  /** Loads the access, as the names of viewpoints with the effects. */
  async function loadViewpoints(document: JsonObject, writes: readonly Write[]) {
    const ref = { kind: 'viewpoint', viewpointId: 'v' } as const;
    const { access, requests } = await load(writes, { documents: [{ ref, document }] });
    return {
      requests,
      partyNames: access && [...access.partyNames],
      viewpoints: access?.viewpoints?.map(({ name, differences }) => [
        name,
        ...differences.map(({ effect, parties }) => `${effect} ${parties.map(({ id }) => id).join()}`),
      ]),
    };
  }

  test('is computed from what is sent, with the people of the instance', async () => {
    const update = createViewpointUpdateWrite(ids, {
      name: 'Gross',
      visibility: { ...shared, users: ['5f0000000000000000000001'], apps: ['teams', 'word'] },
    });
    expect(await loadViewpoints(viewpoint, [update])).toEqual({
      requests: ['people'],
      partyNames: [['group:red', 'Red Team']],
      viewpoints: [['Gross', 'gains red', 'gains 5f0000000000000000000001']],
    });
    expect((await loadViewpoints(viewpoint, [createViewpointDeletionWrite(ids)])).viewpoints).toEqual([
      ['Net', 'loses red'],
    ]);
    const creation = createViewpointCreationWrite({ name: 'New', visibility: shared });
    expect((await loadViewpoints(viewpoint, [creation])).viewpoints).toEqual([['New', 'gains red']]);
  });

  test('is the same for the name and the ID of a group, and for a user whose group has it', async () => {
    const toId = createViewpointUpdateWrite(ids, { visibility: { ...shared, groups: ['red'] } });
    expect(await loadViewpoints(viewpoint, [toId])).toMatchObject({ viewpoints: undefined });
    const withUser = { ...viewpoint, visibility: { ...shared, users: ['ann'] } };
    const withoutUser = createViewpointUpdateWrite(ids, { visibility: shared });
    expect(await loadViewpoints(withUser, [withoutUser])).toMatchObject({ viewpoints: undefined });
  });

  test('is computed for all writes of a viewpoint together', async () => {
    const unpublishing = createViewpointUpdateWrite(ids, { enabled: false });
    const publishing = createViewpointUpdateWrite(ids, { enabled: true });
    expect((await loadViewpoints(viewpoint, [unpublishing])).viewpoints).toEqual([['Net', 'loses red']]);
    expect(await loadViewpoints(viewpoint, [unpublishing, publishing])).toMatchObject({
      viewpoints: undefined,
    });
    expect(
      (await loadViewpoints(viewpoint, [unpublishing, createViewpointDeletionWrite(ids)])).viewpoints,
    ).toEqual([['Net', 'loses red']]);
  });

  test('needs no request if the sharing stays the same, or if the viewpoint is not published', async () => {
    const unpublishedViewpoint = { ...viewpoint, enabled: false, visibility: { ...shared, enabled: false } };
    const noDifference = { requests: [], partyNames: undefined, viewpoints: undefined };
    expect(await loadViewpoints(viewpoint, [createViewpointUpdateWrite(ids, { name: 'Gross' })])).toEqual(
      noDifference,
    );
    expect(await loadViewpoints(unpublishedViewpoint, [createViewpointDeletionWrite(ids)])).toEqual(
      noDifference,
    );
  });

  test('is computed together with who gains and who loses data', async () => {
    const { subjects, access } = await load([
      createRuleDeletionWrite(shop, 'r'),
      createViewpointCreationWrite({ name: 'New', visibility: shared }),
    ]);
    expect(subjects).toEqual([['Shop', 'default gains,user gains']]);
    expect(access?.viewpoints).toMatchObject([{ name: 'New', differences: [{ effect: 'gains' }] }]);
    expect([...(access?.partyNames.keys() ?? [])]).toEqual(['group:red', 'user:ann']);
  });
});
