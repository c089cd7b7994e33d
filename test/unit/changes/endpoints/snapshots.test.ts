import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../../src/base/json.ts';
import { loadWriteKind } from '../../../../src/changes/endpoints/writeKinds.ts';
import {
  createDatamodelDeletionWrite,
  createDatamodelCreationWrite,
} from '../../../../src/changes/model/datamodelWrites.ts';
import {
  createDatasetCreationWrite,
  createDatasetDeletionWrite,
} from '../../../../src/changes/model/datasetWrites.ts';
import { ModelIndex } from '../../../../src/changes/model/modelIndex.ts';
import type { Write } from '../../../../src/changes/model/operation.ts';
import {
  createRelationDeletionWrite,
  createRelationUpdateWrite,
} from '../../../../src/changes/model/relationWrites.ts';
import { Documents, type Snapshot } from '../../../../src/changes/model/snapshot.ts';
import {
  createTableDeletionWrite,
  createTableUpdateWrite,
} from '../../../../src/changes/model/tableWrites.ts';
import {
  createViewpointDeletionWrite,
  createViewpointUpdateWrite,
} from '../../../../src/changes/model/viewpointWrites.ts';
import {
  createColumnRulesDeletionWrite,
  createRuleCreationWrite,
  createRuleDeletionWrite,
  createRuleUpdateWrite,
} from '../../../../src/changes/rules/ruleWrites.ts';
import { datamodelSchema } from '../../../../src/contract/datamodel.ts';
import { extractRuleSchema } from '../../../../src/contract/rule.ts';
import { viewpointSchema } from '../../../../src/contract/viewpoint.ts';

const createTable = (name: string, columns = ['Id', 'Name']) => ({
  oid: name,
  id: name,
  name,
  type: 'base',
  columns: columns.map((column) => ({ oid: `${name}/${column}`, id: column, name: column, type: 18 })),
});

const createModel = (title: string) =>
  datamodelSchema.parse({
    oid: title,
    title,
    type: 'extract',
    // The datasets, tables and relations of both datamodels have the same IDs.
    datasets: [
      { name: 'First', columns: ['Id', 'Name'] },
      { name: 'Second', columns: ['Other'] },
    ].map(({ name, columns }) => ({
      oid: name,
      name,
      type: 'extract',
      schema: { tables: ['Orders', 'Stores'].map((table) => createTable(table, columns)) },
    })),
    relations: ['r1', 'r2'].map((oid) => ({
      oid,
      columns: ['Orders', 'Stores'].map((table) => ({ dataset: 'First', table, column: `${table}/Id` })),
    })),
  });

const rulesHere = { kind: 'extract', server: 'LocalHost', elasticube: 'Here' } as const;
const rulesThere = { kind: 'extract', server: 'LocalHost', elasticube: 'There' } as const;
const createRules = () =>
  ['Id', 'Name'].flatMap((column) =>
    ['ann', 'bob'].map((user) =>
      extractRuleSchema.parse({
        _id: `${column} ${user}`,
        table: 'Orders',
        column,
        datatype: 'text',
        members: ['x'],
        allMembers: null,
        shares: [{ type: 'user', party: user }],
      }),
    ),
  );

const snapshot: Snapshot = {
  datamodels: ['Here', 'There'].map(createModel),
  rules: [rulesHere, rulesThere].map((subject) => ({ subject, rules: createRules() })),
  viewpoints: ['v1', 'v2'].map((id) => viewpointSchema.parse({ id, name: id, description: id })),
};

/** Returns the paths to everything in a snapshot: datamodels, datasets, tables, columns, relations, rules, viewpoints. */
const listContents = ({ datamodels, rules = [], viewpoints = [] }: Snapshot): readonly string[] => [
  ...datamodels.flatMap(({ title, datasets, relations }) => [
    title,
    ...(datasets ?? []).flatMap(({ name, schema }) => [
      `${title}/${name}`,
      ...(schema?.tables ?? []).flatMap((table) => [
        `${title}/${name}/${table.name}`,
        ...(table.columns ?? []).map(
          (column) => `${title}/${name}/${table.name}/${column.oid}=${column.name}`,
        ),
      ]),
    ]),
    ...(relations ?? []).map(
      ({ oid, columns }) => `${title}: ${oid} ${columns?.map(({ column }) => column).join('=')}`,
    ),
  ]),
  ...rules.flatMap((each) =>
    each.rules.map(
      ({ _id, members }) =>
        `${each.subject.kind === 'extract' ? each.subject.elasticube : ''} rule ${_id ?? 'new'} ${String(members)}`,
    ),
  ),
  ...viewpoints.map(({ id, name }) => `${id}=${name}`),
];

/** Returns what a write removes from the snapshot and adds to it. */
async function apply(
  write: Write,
): Promise<{ readonly removed: readonly string[]; readonly added: readonly string[] }> {
  const kind = await loadWriteKind(write);
  const before = listContents(snapshot);
  const after = listContents(await kind.applyToSnapshot(snapshot, write, 'new'));
  return {
    removed: before.filter((path) => !after.includes(path)),
    added: after.filter((path) => !before.includes(path)),
  };
}

const dataset = { datamodelId: 'Here', datasetId: 'First' };
const orders = { ...dataset, tableId: 'Orders' };
const relation = { datamodelId: 'Here', relationId: 'r1' };
const [firstRule = {}] = createRules() as readonly JsonObject[];

describe('what is known after a write', () => {
  test.each<readonly [string, Write, readonly string[], readonly string[]]>([
    [
      'a table is deleted from its dataset alone',
      createTableDeletionWrite(orders),
      ['Here/First/Orders', 'Here/First/Orders/Orders/Id=Id', 'Here/First/Orders/Orders/Name=Name'],
      [],
    ],
    [
      'a table is created in its dataset alone',
      {
        endpoint: 'tables.create',
        params: dataset,
        body: { id: 'New', name: 'New', type: 'base', columns: [{ id: 'A', name: 'A', type: 8 }] },
      },
      [],
      ['Here/First/New', 'Here/First/New/new/0=A'],
    ],
    [
      'a table that the server would reject is not created',
      { endpoint: 'tables.create', params: dataset, body: { name: 7 } },
      [],
      [],
    ],
    [
      'a column is renamed in its table alone',
      createTableUpdateWrite(orders, {
        columns: [{ oid: 'Orders/Id', name: 'Key' }, { oid: 'Orders/Name' }],
      }),
      ['Here/First/Orders/Orders/Id=Id'],
      ['Here/First/Orders/Orders/Id=Key'],
    ],
    [
      'a column is added, and one is removed',
      createTableUpdateWrite(orders, { columns: [{ oid: 'Orders/Id' }, { id: 'B', name: 'B', type: 8 }] }),
      ['Here/First/Orders/Orders/Name=Name'],
      ['Here/First/Orders/new/1=B'],
    ],
    [
      'a table is renamed, and keeps its columns',
      createTableUpdateWrite(orders, { name: 'Sold' }),
      ['Here/First/Orders', 'Here/First/Orders/Orders/Id=Id', 'Here/First/Orders/Orders/Name=Name'],
      ['Here/First/Sold', 'Here/First/Sold/Orders/Id=Id', 'Here/First/Sold/Orders/Name=Name'],
    ],
    [
      'an unknown table is not changed',
      createTableUpdateWrite({ ...orders, tableId: 'Other' }, { name: 'Sold' }),
      [],
      [],
    ],
    [
      'a dataset is created in its datamodel alone',
      createDatasetCreationWrite({ datamodelId: 'Here' }, { name: 'New', type: 'custom' }),
      [],
      ['Here/New'],
    ],
    [
      'a relation is deleted in its datamodel alone',
      createRelationDeletionWrite(relation),
      ['Here: r1 Orders/Id=Stores/Id'],
      [],
    ],
    [
      'a relation is changed',
      createRelationUpdateWrite(relation, {
        columns: [{ dataset: 'First', table: 'Orders', column: 'Orders/Name' }],
      }),
      ['Here: r1 Orders/Id=Stores/Id'],
      ['Here: r1 Orders/Name'],
    ],
    ['a viewpoint is deleted', createViewpointDeletionWrite({ viewpointId: 'v1' }), ['v1=v1'], []],
    [
      'a viewpoint is renamed',
      createViewpointUpdateWrite({ viewpointId: 'v1' }, { name: 'New' }),
      ['v1=v1'],
      ['v1=New'],
    ],
    [
      'rules are added to their datamodel alone',
      createRuleCreationWrite(rulesHere, [{ ...firstRule, _id: 'r9' }]),
      [],
      ['Here rule new:0 x'],
    ],
    [
      'a rule is changed in its datamodel alone',
      createRuleUpdateWrite(rulesHere, { ...firstRule, members: ['y'] }),
      ['Here rule Id ann x'],
      ['Here rule Id ann y'],
    ],
    [
      'a rule is deleted from its datamodel alone',
      createRuleDeletionWrite(rulesThere, 'Id ann'),
      ['There rule Id ann x'],
      [],
    ],
    [
      'several rules are deleted',
      {
        endpoint: 'extractRules.delete',
        params: {},
        target: { kind: 'rules', subject: rulesHere },
        batch: { ids: ['Id ann', 'Name bob'] },
      },
      ['Here rule Id ann x', 'Here rule Name bob x'],
      [],
    ],
    [
      'the rules of a column are deleted',
      createColumnRulesDeletionWrite(rulesHere, 'Orders', 'Name'),
      ['Here rule Name ann x', 'Here rule Name bob x'],
      [],
    ],
    [
      'the rules of a column of another table are kept',
      createColumnRulesDeletionWrite(rulesHere, 'Stores', 'Name'),
      [],
      [],
    ],
  ])('%s', async (_text, write, removed, added) => {
    expect(await apply(write)).toEqual({ removed, added });
  });

  test('a dataset or a datamodel is deleted with its contents', async () => {
    const deleted = await apply(createDatasetDeletionWrite(dataset));
    expect(deleted.removed.every((path) => path.startsWith('Here/First'))).toBe(true);
    expect(deleted.removed).toHaveLength(7);
    const deletedModel = await apply(createDatamodelDeletionWrite({ datamodelId: 'There' }));
    expect(deletedModel.removed.every((path) => path.startsWith('There'))).toBe(true);
    expect(deletedModel.removed).toHaveLength(15);
  });

  test('what was unknown before the write stays unknown', async () => {
    const unknownSnapshot: Snapshot = { datamodels: [], rules: undefined, viewpoints: undefined };
    for (const write of [
      createTableDeletionWrite(orders),
      createTableUpdateWrite(orders, { name: 'A' }),
      createViewpointDeletionWrite({ viewpointId: 'v1' }),
      createRuleDeletionWrite(rulesHere, 'Id ann'),
    ]) {
      expect(await (await loadWriteKind(write)).applyToSnapshot(unknownSnapshot, write, 'new')).toEqual(
        unknownSnapshot,
      );
    }
  });
});

describe('the effects', () => {
  const getEffects = async (write: Write, oldIndex: ModelIndex | undefined, documents: Documents) =>
    (await loadWriteKind(write)).getEffects(write, { documents, oldIndex, newIndex: oldIndex });
  const model = createModel('Here');
  const index = new ModelIndex({ ...model, datasets: model.datasets?.slice(0, 1) });
  const noDocuments = new Documents([]);

  test('of a deletion are the item and everything in it', async () => {
    const getDeleted = async (write: Write) =>
      (await getEffects(write, index, noDocuments)).deleted.map(({ kind, name }) => `${kind} ${name}`);
    const describeTable = (name: string) => [`table ${name}`];
    expect(await getDeleted(createTableDeletionWrite(orders))).toEqual([
      'table Orders',
      'column Id',
      'column Name',
    ]);
    expect(await getDeleted(createDatasetDeletionWrite(dataset))).toEqual([
      'dataset First',
      ...describeTable('Orders'),
      ...describeTable('Stores'),
    ]);
    const relations = Array.from({ length: 2 }, () => 'relation Orders.Id = Stores.Id');
    expect(await getDeleted(createRelationDeletionWrite(relation))).toEqual(relations.slice(1));
    expect(await getDeleted(createDatamodelDeletionWrite({ datamodelId: 'Here' }))).toEqual([
      'datamodel Here',
      'dataset First',
      ...['Orders', 'Stores'].flatMap(describeTable),
      ...relations,
    ]);
  });

  test('of a deletion of something unknown are none, or the target alone', async () => {
    for (const write of [
      createTableDeletionWrite(orders),
      createDatasetDeletionWrite(dataset),
      createDatamodelDeletionWrite({ datamodelId: 'Here' }),
    ]) {
      expect(await getEffects(write, undefined, noDocuments)).toEqual({
        created: [],
        changed: [],
        deleted: [],
      });
    }
    const unknownIds = { datamodelId: 'Here', datasetId: 'Ghost', tableId: 'Ghost', relationId: 'Ghost' };
    expect((await getEffects(createTableDeletionWrite(unknownIds), index, noDocuments)).deleted).toEqual([]);
    expect((await getEffects(createDatasetDeletionWrite(unknownIds), index, noDocuments)).deleted).toEqual(
      [],
    );
    const write = createRelationDeletionWrite(unknownIds);
    expect((await getEffects(write, index, noDocuments)).deleted).toEqual([
      { kind: 'relation', name: '', within: [], resource: write.target },
    ]);
  });

  test('of a creation name the containers, if they are known', async () => {
    const getCreated = async (write: Write, oldIndex = index) =>
      (await getEffects(write, oldIndex, noDocuments)).created;
    const table: Write = {
      endpoint: 'tables.create',
      params: dataset,
      target: { kind: 'dataset', ...dataset },
      body: { name: 'New' },
    };
    const newTable = { kind: 'table', name: 'New' };
    expect(await getCreated(table)).toEqual([{ ...newTable, within: ['Here', 'First'] }]);
    expect((await getEffects(table, undefined, noDocuments)).created).toEqual([{ ...newTable, within: [] }]);
    const newDataset = createDatasetCreationWrite({ datamodelId: 'Here' }, { name: 'New', type: 'custom' });
    expect(await getCreated(newDataset)).toEqual([{ kind: 'dataset', name: 'New', within: ['Here'] }]);
    const newModel = createDatamodelCreationWrite({ title: 'New', type: 'live' });
    expect(await getCreated(newModel)).toEqual([{ kind: 'datamodel', name: 'New', within: [] }]);
    expect(await getCreated({ ...newModel, body: null })).toEqual([
      { kind: 'datamodel', name: '', within: [] },
    ]);
  });

  test('of a change of rules contain the rule before and after', async () => {
    const write = createRuleUpdateWrite(rulesHere, { ...firstRule, members: ['y'] });
    const { target } = write;
    const documents = new Documents(target === undefined ? [] : [{ ref: target, document: firstRule }]);
    const { changed } = await getEffects(write, undefined, documents);
    expect(changed).toMatchObject([
      {
        kind: 'rule',
        within: ['Here'],
        resource: target,
        fields: [{ field: 'members' }],
        ruleAfter: { grant: { kind: 'only', values: new Set(['y']) } },
      },
    ]);
    const effectsOfUnknown = await getEffects(write, undefined, noDocuments);
    expect(
      effectsOfUnknown.changed.map(({ kind, resource, ...rest }) => [kind, resource, 'ruleAfter' in rest]),
    ).toEqual([['rule', target, false]]);
  });

  test('are none if nothing changes, or if a rule is unreadable', async () => {
    const viewpoint = createViewpointUpdateWrite({ viewpointId: 'v1' }, { name: 'v1' });
    const ref = { kind: 'viewpoint', viewpointId: 'v1' } as const;
    const documents = new Documents([{ ref, document: { id: 'v1', name: 'v1' } }]);
    expect((await getEffects(viewpoint, undefined, documents)).changed).toEqual([]);
    expect((await getEffects(viewpoint, undefined, noDocuments)).changed).toHaveLength(1);
    const creation = createRuleCreationWrite(rulesHere, [{ table: 7 }, firstRule]);
    expect((await getEffects(creation, undefined, noDocuments)).created).toHaveLength(1);
  });

  test('of a deletion of one rule is that rule', async () => {
    const write = createRuleDeletionWrite(rulesHere, 'Id ann');
    const { target } = write;
    const documents = new Documents(target === undefined ? [] : [{ ref: target, document: firstRule }]);
    expect((await getEffects(write, undefined, documents)).deleted).toMatchObject([
      { kind: 'rule', name: 'Orders.Id', within: ['Here'], resource: target },
    ]);
  });

  test('of a deletion of several rules are those rules', async () => {
    const target = { kind: 'rules', subject: rulesHere } as const;
    const write: Write = {
      endpoint: 'extractRules.delete',
      params: {},
      target,
      batch: { ids: ['Id bob', 'gone'] },
    };
    const documents = new Documents([{ ref: target, document: createRules() as readonly JsonObject[] }]);
    const { deleted } = await getEffects(write, undefined, documents);
    expect(deleted.map(({ kind, within, resource }) => [kind, within, resource])).toEqual([
      ['rule', ['Here'], { kind: 'rule', subject: rulesHere, ruleId: 'Id bob' }],
    ]);
  });
});
