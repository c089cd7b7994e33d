import type { JsonObject, JsonValue } from '../../../../src/base/json.ts';
import type { ResourceRef } from '../../../../src/catalog/resourceRef.ts';
import {
  createCustomDataDeletionWrite,
  createCustomDataUpdateWrite,
  createObjectCreationWrite,
  createObjectUpdateWrite,
} from '../../../../src/changes/model/customDataWrites.ts';
import {
  createDatamodelCreationWrite,
  createDatamodelDeletionWrite,
} from '../../../../src/changes/model/datamodelWrites.ts';
import {
  createDatasetCreationWrite,
  createDatasetDeletionWrite,
  createDatasetUpdateWrite,
} from '../../../../src/changes/model/datasetWrites.ts';
import type { Write } from '../../../../src/changes/model/operation.ts';
import {
  createRelationCreationWrite,
  createRelationDeletionWrite,
  createRelationUpdateWrite,
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
import { planRename } from '../../../../src/changes/plan/rename/planRename.ts';
import { readRenameState } from '../../../../src/changes/plan/readRenameState.ts';
import {
  createColumnRulesDeletionWrite,
  createLiveRuleReplacementWrites,
  createRuleCreationWrite,
  createRuleDeletionWrite,
  createRuleUpdateWrite,
  createRuleWrites,
} from '../../../../src/changes/rules/ruleWrites.ts';
import { type ChangeFixture, connectionId, getColumns } from '../run/support.ts';
import type { Scenario } from './recordScenario.ts';
import {
  cubeSetRules,
  deskSubject,
  getColumnIds,
  getDatasetIds,
  getDeskRuleId,
  getModelIds,
  getObjectId,
  getRelationIds,
  getShopRuleId,
  getTableIds,
  getViewpointId,
  shopSubject,
  userIds,
} from './smallInstance.ts';

const createTableRef = (name: string) => ({ kind: 'table', ...getTableIds(name) }) as const;

/** Creates a write that changes the columns of a table. */
async function changeColumns(
  fixture: ChangeFixture,
  table: string,
  change: (columns: readonly JsonObject[]) => readonly JsonObject[],
  others: JsonObject = {},
): Promise<Write> {
  const columns = change(getColumns(await fixture.read(createTableRef(table))));
  return createTableUpdateWrite(getTableIds(table), { ...others, columns });
}

const changeColumn = (
  fixture: ChangeFixture,
  table: string,
  column: string,
  change: JsonObject,
): Promise<Write> =>
  changeColumns(fixture, table, (columns) =>
    columns.map((each) => (each['name'] === column ? { ...each, ...change } : each)),
  );

const removeColumn = (fixture: ChangeFixture, table: string, column: string): Promise<Write> =>
  changeColumns(fixture, table, (columns) => columns.filter(({ name }) => name !== column));

const createRule = (column: string, content: JsonObject, ...shares: readonly JsonObject[]): JsonObject => {
  const [table = '', name = ''] = column.split('.');
  return { table, column: name, datatype: 'text', allMembers: null, exclusionary: false, ...content, shares };
};
const annShare = { type: 'user', party: userIds.ann };
const bobShare = { type: 'user', party: userIds.bob };
const liveAnnShare = { type: 'user', partyId: userIds.ann };
const liveBobShare = { type: 'user', partyId: userIds.bob };

const readRule = async (
  fixture: ChangeFixture,
  subject: typeof shopSubject | typeof deskSubject,
  ruleId: string,
) => fixture.readObject({ kind: 'rule', subject, ruleId });

const updateRule = async (fixture: ChangeFixture, label: string, change: JsonObject): Promise<Write> =>
  createRuleUpdateWrite(shopSubject, {
    ...(await readRule(fixture, shopSubject, getShopRuleId(label))),
    ...change,
  });

const replaceLiveRule = async (fixture: ChangeFixture, label: string, change: JsonObject) => {
  const old = await readRule(fixture, deskSubject, getDeskRuleId(label));
  return createLiveRuleReplacementWrites(deskSubject, old, { ...old, ...change });
};

const sales = { viewpointId: getViewpointId('Sales') };
const salesRef = { kind: 'viewpoint', ...sales } as const;
const readMember = async (fixture: ChangeFixture, ref: ResourceRef, name: string): Promise<JsonObject> =>
  (await fixture.readObject(ref))[name] as JsonObject;

const firstRelation = getRelationIds('Orders.Customer', 'Customers.Id');
const files = getDatasetIds('Files');

/** Creates the writes of a new datamodel with a dataset, two tables, and a relation between them. */
export const createNewModelWrites = (): readonly Write[] => [
  createDatamodelCreationWrite({ title: 'New', type: 'extract' }),
  {
    endpoint: 'datasets.create',
    params: { datamodelId: '' },
    body: {
      name: 'More',
      type: 'extract',
      connection: { provider: 'CSV', parameters: { files: ['Left', 'Right'] } },
    },
    outputRefs: [{ into: ['params', 'datamodelId'], write: 0, from: ['oid'] }],
  },
  ...['Left', 'Right'].map(
    (name): Write => ({
      endpoint: 'tables.create',
      params: { datamodelId: '', datasetId: '' },
      body: { id: name, name, type: 'base', columns: [{ id: 'Key', name: 'Key', type: 8 }] },
      outputRefs: [
        { into: ['params', 'datamodelId'], write: 0, from: ['oid'] },
        { into: ['params', 'datasetId'], write: 1, from: ['oid'] },
      ],
    }),
  ),
  {
    endpoint: 'relations.create',
    params: { datamodelId: '' },
    body: { columns: [0, 1].map(() => ({ dataset: '', table: '', column: '' })) },
    outputRefs: [
      { into: ['params', 'datamodelId'], write: 0, from: ['oid'] },
      ...[2, 3].flatMap(
        (write, index): NonNullable<Write['outputRefs']> => [
          { into: ['body', 'columns', index, 'dataset'], write: 1, from: ['oid'] },
          { into: ['body', 'columns', index, 'table'], write, from: ['oid'] },
          { into: ['body', 'columns', index, 'column'], write, from: ['columns', 'Key', 'oid'] },
        ],
      ),
    ],
  },
];

type Writes = Scenario['writes'];

/** Operations of one write, or of a few that belong together, each with a name. */
export const operations: Readonly<Record<string, Writes>> = {
  'create a datamodel': () => [createDatamodelCreationWrite({ title: 'New', type: 'live' })],
  'create a datamodel with its contents': createNewModelWrites,
  'delete a datamodel': () => [createDatamodelDeletionWrite(getModelIds('Shop'))],
  'delete a live datamodel': () => [createDatamodelDeletionWrite(getModelIds('Desk'))],
  'create a dataset': () => [
    createDatasetCreationWrite(getModelIds('Shop'), { name: 'More', type: 'custom' }),
  ],
  'change a connection': async (fixture) => [
    createDatasetUpdateWrite(files, {
      connection: {
        ...(await readMember(fixture, { kind: 'dataset', ...files }, 'connection')),
        schema: 'other',
        timeout: 1,
      },
    }),
  ],
  'keep a connection': async (fixture) => [
    createDatasetUpdateWrite(files, {
      connection: await readMember(fixture, { kind: 'dataset', ...files }, 'connection'),
    }),
  ],
  'delete a dataset': () => [createDatasetDeletionWrite(files)],
  'create a table': () => [
    createTableCreationWrite(files, {
      id: 'Returns',
      name: 'Returns',
      type: 'base',
      columns: [{ id: 'Order', name: 'Order', type: 8 }],
    }),
  ],
  'create a custom table': () => [
    createTableCreationWrite(getDatasetIds('Queries'), {
      name: 'One',
      type: 'custom',
      expression: 'SELECT 1 AS [One]',
    }),
  ],
  'describe and hide a table': () => [
    createTableUpdateWrite(getTableIds('Orders'), { description: 'All orders', hidden: true }),
  ],
  'rename a table alone': () => [createTableUpdateWrite(getTableIds('Orders'), { name: 'Sold' })],
  'change the accumulation of a table': () => [
    createTableUpdateWrite(getTableIds('Orders'), {
      buildBehavior: { type: 'sync', accumulativeConfig: null },
    }),
  ],
  'change the query of a table': () => [
    createTableUpdateWrite(getTableIds('Totals'), {
      expression: 'SELECT o.[Customer] FROM [Orders] o',
    }),
  ],
  'break the query of a table': () => [
    createTableUpdateWrite(getTableIds('Totals'), {
      expression: 'SELECT o.[Customer], o.[Nothing] AS [Total] FROM [Orders] o',
    }),
  ],
  'hide and describe a column': async (fixture) => [
    await changeColumn(fixture, 'Orders', 'Id', { hidden: true, description: 'Its number' }),
  ],
  'rename a column alone': async (fixture) => [
    await changeColumn(fixture, 'Customers', 'Country', { name: 'Land' }),
  ],
  'change the type of a column': async (fixture) => [
    await changeColumn(fixture, 'Customers', 'Country', { type: 8 }),
  ],
  'delete a column': async (fixture) => [await removeColumn(fixture, 'Customers', 'Country')],
  'delete the column of relations': async (fixture) => [await removeColumn(fixture, 'Customers', 'Id')],
  'delete the column of an accumulation': async (fixture) => [await removeColumn(fixture, 'Orders', 'Day')],
  'delete a column and describe its table': async (fixture) => [
    await changeColumns(fixture, 'Orders', (columns) => columns.slice(1), { description: 'Less' }),
  ],
  'add a column': async (fixture) => [
    await changeColumns(fixture, 'Customers', (columns) => [
      ...columns,
      { id: 'Label', name: 'Label', type: 18, isCustom: true, expression: "[Country] + '!'" },
    ]),
  ],
  'add a column that makes a name ambiguous': async (fixture) => [
    await changeColumns(fixture, 'Customers', (columns) => [
      ...columns,
      { id: 'Amount', name: 'Amount', type: 40 },
    ]),
  ],
  'reorder columns': async (fixture) => [
    await changeColumns(fixture, 'Customers', (columns) => columns.toReversed()),
  ],
  'change the SQL of a column': async (fixture) => [
    await changeColumn(fixture, 'Orders', 'Twice', { expression: '[Amount] + [Amount]' }),
  ],
  'keep a table': async (fixture) => [await changeColumns(fixture, 'Customers', (columns) => columns)],
  'delete a table': () => [createTableDeletionWrite(getTableIds('Orders'))],
  'delete a custom table': () => [createTableDeletionWrite(getTableIds('Totals'))],
  'create a relation': () => [
    createRelationCreationWrite(getModelIds('Shop').datamodelId, [
      getColumnIds('Orders.Id'),
      getColumnIds('Customers.Id'),
    ]),
  ],
  'create a relation that exists': () => [
    createRelationCreationWrite(getModelIds('Shop').datamodelId, [
      getColumnIds('Orders.Customer'),
      getColumnIds('Customers.Id'),
    ]),
  ],
  'change a relation': () => [
    createRelationUpdateWrite(firstRelation, {
      columns: [getColumnIds('Orders.Id'), getColumnIds('Customers.Id')],
    }),
  ],
  'extend a relation by a column that the operation adds': async (fixture) => [
    await changeColumns(fixture, 'Orders', (columns) => [...columns, { id: 'Key', name: 'Key', type: 8 }]),
    {
      ...createRelationUpdateWrite(firstRelation, {
        columns: [{ ...getColumnIds('Orders.Id'), column: '' }, getColumnIds('Customers.Id')],
      }),
      outputRefs: [{ into: ['body', 'columns', 0, 'column'], write: 0, from: ['columns', 'Key', 'oid'] }],
    },
  ],
  'delete a relation': () => [createRelationDeletionWrite(firstRelation)],
  'change and delete a relation': () => [
    createRelationUpdateWrite(firstRelation, {
      columns: [getColumnIds('Orders.Id'), getColumnIds('Customers.Id')],
    }),
    createRelationDeletionWrite(firstRelation),
  ],
  'create a viewpoint': () => [createViewpointCreationWrite({ name: 'Fresh', description: 'New' })],
  'rename a viewpoint': () => [createViewpointUpdateWrite(sales, { name: 'Turnover' })],
  'unpublish a viewpoint': () => [createViewpointUpdateWrite(sales, { enabled: false })],
  'share a viewpoint': async (fixture) => [
    createViewpointUpdateWrite(sales, {
      visibility: {
        ...(await readMember(fixture, salesRef, 'visibility')),
        groups: [],
        users: [userIds.bob],
      },
    }),
  ],
  'share and unpublish a viewpoint': () => [
    createViewpointUpdateWrite(sales, {
      // The state in `visibility` wins over this one.
      enabled: true,
      visibility: { apps: ['app'], groups: [], users: [userIds.bob], enabled: false },
    }),
  ],
  'change the columns of a viewpoint': async (fixture) => {
    const details = await readMember(fixture, salesRef, 'details');
    return [
      createViewpointUpdateWrite(sales, {
        details: { ...details, columns: (details['columns'] as readonly JsonValue[]).slice(1) },
      }),
    ];
  },
  'delete a viewpoint': () => [createViewpointDeletionWrite(sales)],
  'create a rule': () => [
    createRuleCreationWrite(shopSubject, [createRule('Customers.Country', { members: ['IT'] }, bobShare)]),
  ],
  'create a rule of a cube set': () => [
    createRuleCreationWrite(cubeSetRules, [createRule('Customers.Country', { members: ['IT'] }, bobShare)]),
  ],
  'narrow a rule': async (fixture) => [await updateRule(fixture, 'sales', { members: ['DE'] })],
  'change two rules': async (fixture) => [
    await updateRule(fixture, 'ann', { members: ['IT'] }),
    await updateRule(fixture, 'sales', { members: ['IT'] }),
  ],
  'give a rule to everyone else': async (fixture) => [
    createRuleDeletionWrite(shopSubject, getShopRuleId('others')),
    await updateRule(fixture, 'sales', { shares: [{ type: 'default' }] }),
  ],
  'delete a rule': () => [createRuleDeletionWrite(shopSubject, getShopRuleId('ann'))],
  'delete the rules of a column': () => [createColumnRulesDeletionWrite(shopSubject, 'Customers', 'Country')],
  'delete the live rules of a column': () => [
    createColumnRulesDeletionWrite(deskSubject, 'Tickets', 'Country'),
  ],
  'replace many rules': async (fixture) => {
    const [ann, amounts] = await Promise.all(
      ['ann', 'amounts'].map((label) => readRule(fixture, shopSubject, getShopRuleId(label))),
    );
    return createRuleWrites(shopSubject, {
      adds: [
        createRule('Customers.Country', { members: ['IT'] }, annShare, bobShare),
        createRule('Orders.Id', { members: ['1'] }, annShare),
      ],
      deletes: [{ index: 0, rule: amounts ?? {} }],
      updates: [{ before: ann ?? {}, after: { ...ann, members: ['FR'] } }],
    });
  },
  'create a live rule': () => [
    createRuleCreationWrite(deskSubject, [
      {
        table: 'Tickets',
        column: 'State',
        datatype: 'text',
        members: ['open'],
        allMembers: null,
        shares: [liveBobShare],
      },
    ]),
  ],
  'change a live rule': (fixture) => replaceLiveRule(fixture, 'ann', { members: ['FR'] }),
  'give a live rule to others': (fixture) =>
    replaceLiveRule(fixture, 'ann', { members: ['FR'], shares: [liveAnnShare, liveBobShare] }),
  'delete a live rule': () => [createRuleDeletionWrite(deskSubject, getDeskRuleId('ann'))],
  'replace many live rules': async (fixture) =>
    createRuleWrites(deskSubject, {
      adds: [
        {
          table: 'Tickets',
          column: 'State',
          datatype: 'text',
          members: ['open'],
          allMembers: null,
          shares: [liveBobShare],
        },
      ],
      deletes: [{ index: 0, rule: await readRule(fixture, deskSubject, getDeskRuleId('ann')) }],
    }),
  'create an object': () => [createObjectCreationWrite({ app: 'new', count: 1 })],
  'change an object': () => [createObjectUpdateWrite(getObjectId('a'), { text: 'New', more: null })],
  'change matching objects': () => [createCustomDataUpdateWrite({ app: 'notes' }, { done: true })],
  'delete an object': () => [createCustomDataDeletionWrite({ _id: getObjectId('a') })],
  'delete matching objects': () => [createCustomDataDeletionWrite({ app: 'notes' })],
  'change, delete, and create objects': () => [
    createObjectUpdateWrite(getObjectId('a'), { text: 'New' }),
    createCustomDataUpdateWrite({ app: 'notes' }, { done: true }),
    createCustomDataDeletionWrite({ app: 'notes' }),
    createObjectCreationWrite({ app: 'new' }),
  ],
  'change documents of several kinds': async (fixture) => [
    createTableUpdateWrite(getTableIds('Orders'), { description: 'New' }),
    createViewpointUpdateWrite(sales, { description: 'New' }),
    createDatasetCreationWrite(getModelIds('Shop'), { name: 'More', type: 'custom' }),
    await updateRule(fixture, 'ann', { members: ['IT'] }),
    createObjectUpdateWrite(getObjectId('b'), { text: 'New' }),
  ],
  'change a table twice': () => [
    createTableUpdateWrite(getTableIds('Orders'), { description: 'First' }),
    createTableUpdateWrite(getTableIds('Orders'), { description: 'Second', hidden: true }),
  ],
  'create a table and change it': () => [
    createTableCreationWrite(files, {
      id: 'Returns',
      name: 'Returns',
      type: 'base',
      columns: [{ id: 'A', type: 8 }],
    }),
    {
      endpoint: 'tables.update',
      params: { ...files, tableId: '' },
      body: { description: 'New' },
      outputRefs: [{ into: ['params', 'tableId'], write: 0, from: ['oid'] }],
    },
  ],
  'change a table and delete its dataset': () => [
    createTableUpdateWrite(getTableIds('Orders'), { description: 'New' }),
    createDatasetDeletionWrite(files),
  ],
  'rename a column everywhere': async (fixture) => {
    const state = await readRenameState(fixture.client, getModelIds('Shop').datamodelId);
    const { tableId, column } = {
      tableId: getTableIds('Customers').tableId,
      ...getColumnIds('Customers.Country'),
    };
    return state === undefined
      ? []
      : planRename(state, { tableId, columnId: column, newName: 'Land' }, { connectionId }).operation;
  },
  'rename a table everywhere': async (fixture) => {
    const state = await readRenameState(fixture.client, getModelIds('Shop').datamodelId);
    return state === undefined
      ? []
      : planRename(state, { tableId: getTableIds('Orders').tableId, newName: 'Sold' }, { connectionId })
          .operation;
  },
};
