import type { JsonObject } from '../../../../src/base/json.ts';
import { createSeedModel, createCsvConnection } from '../../../../src/sandbox/seeds/seedDocuments.ts';
import { createSeedObjectId, createSeedOid } from '../../../../src/sandbox/seeds/seedIds.ts';
import {
  createGroupParty,
  createOnlyContent,
  createSeedExtractRule,
  createSeedLiveRule,
  createUserParty,
  defaultParty,
  noValuesContent,
  type SeedRuleContent,
  type SeedRuleParty,
} from '../../../../src/sandbox/seeds/seedRules.ts';
import type { Seed } from '../../../../src/sandbox/seeds/seed.ts';
import { createSeedDatasource } from '../../../../src/sandbox/seeds/seedViewpoints.ts';

const createId = (name: string): string => createSeedObjectId(name);
const ann = { _id: createId('ann'), userName: 'ann', email: '', firstName: 'Ann', lastName: '' };
const bob = { _id: createId('bob'), userName: 'bob', email: '', firstName: 'Bob', lastName: '' };
const sales = { _id: createId('sales'), name: 'Sales', members: [ann._id] };

const shop = createSeedModel({
  title: 'Shop',
  type: 'extract',
  datasets: [
    {
      name: 'Files',
      type: 'extract',
      connection: createCsvConnection('Files', ['Orders', 'Customers', 'Returns']),
      tables: [
        {
          name: 'Orders',
          accumulateBy: 'Day',
          columns: [
            { name: 'Id', type: 'integer' },
            { name: 'Customer', type: 'integer' },
            { name: 'Amount', type: 'double' },
            { name: 'Day', type: 'date' },
            { name: 'Twice', type: 'double', expression: '[Amount] * 2' },
          ],
        },
        {
          name: 'Customers',
          description: 'Who buys',
          columns: [
            { name: 'Id', type: 'integer' },
            { name: 'Country', type: 'text' },
          ],
        },
      ],
    },
    {
      name: 'Queries',
      type: 'custom',
      tables: [
        {
          name: 'Totals',
          expression: 'SELECT o.[Customer], SUM(o.[Amount]) AS [Total] FROM [Orders] o GROUP BY o.[Customer]',
          columns: [
            { name: 'Customer', type: 'integer' },
            { name: 'Total', type: 'double' },
          ],
        },
      ],
    },
  ],
  relations: [
    ['Orders.Customer', 'Customers.Id'],
    ['Totals.Customer', 'Customers.Id'],
  ],
});

const desk = createSeedModel({
  title: 'Desk',
  type: 'live',
  datasets: [
    {
      name: 'Database',
      type: 'live',
      connection: { ...createCsvConnection('Database', []), provider: 'PostgreSQL' },
      tables: [
        {
          name: 'Tickets',
          columns: [
            { name: 'Country', type: 'text' },
            { name: 'State', type: 'text' },
          ],
        },
      ],
    },
  ],
  relations: [],
});

const createSpec = (
  column: string,
  content: SeedRuleContent,
  ...parties: readonly SeedRuleParty[]
): Parameters<typeof createSeedExtractRule>[3] => {
  const [table = '', name = ''] = column.split('.');
  return { table, column: name, content, parties };
};

const createViewpoint = (name: string, enabled: boolean, columns: readonly string[]): JsonObject => ({
  id: createId(`viewpoint/${name}`),
  name,
  description: `About ${name}`,
  enabled,
  tenantId: createId('tenant'),
  createdBy: ann._id,
  updatedBy: ann._id,
  createdAt: '2026-01-01T00:00:00.000Z',
  updatedAt: '2026-01-01T00:00:00.000Z',
  visibility: { apps: ['app'], groups: ['Sales'], users: [], enabled },
  details: {
    datasource: createSeedDatasource('Shop', 'external'),
    columns: columns.map((text) => {
      const [table = '', column = ''] = text.split('.');
      return { table, column, dim: `[${text}]`, title: column, type: 'dimension' };
    }),
  },
});

/** A small instance: an extract and a live datamodel, their rules, two viewpoints, and custom data. */
export const smallSeed: Seed = {
  name: 'empty',
  apply(store) {
    [ann, bob].forEach((user) => store.insertUser(user));
    store.insertGroup(sales);
    [shop, desk].forEach((model) => store.insertDatamodel(model));
    const extractRules = {
      ann: createSpec('Customers.Country', createOnlyContent('DE'), createUserParty(ann)),
      sales: createSpec('Customers.Country', createOnlyContent('DE', 'FR'), createGroupParty(sales)),
      others: createSpec('Customers.Country', noValuesContent, defaultParty),
      amounts: createSpec('Orders.Amount', createOnlyContent('1'), createUserParty(bob)),
    };
    Object.entries(extractRules).forEach(([label, spec]) =>
      store.insertExtractRule(createSeedExtractRule('LocalHost', 'Shop', label, spec)),
    );
    store.insertExtractRule(createSeedExtractRule('Set', 'All', 'ann', extractRules.ann));
    const liveRules = {
      ann: createSpec('Tickets.Country', createOnlyContent('DE'), createUserParty(ann)),
      others: createSpec('Tickets.Country', noValuesContent, defaultParty),
    };
    Object.entries(liveRules).forEach(([label, spec]) =>
      store.insertLiveRule(createSeedLiveRule('Desk', label, spec)),
    );
    store.insertViewpoint(createViewpoint('Sales', true, ['Orders.Amount', 'Customers.Country']));
    store.insertViewpoint(createViewpoint('People', false, ['Customers.Id']));
    store.insertCustomData({ _id: createId('data/a'), app: 'notes', text: 'A', done: false });
    store.insertCustomData({ _id: createId('data/b'), app: 'notes', text: 'B' });
    store.insertCustomData({ _id: createId('data/c'), app: 'tags', text: '' });
  },
};

export const shopSubject = { kind: 'extract', server: 'LocalHost', elasticube: 'Shop' } as const;
export const cubeSetRules = { kind: 'extract', server: 'Set', elasticube: 'All' } as const;
export const deskSubject = { kind: 'live', title: 'Desk' } as const;

export const getShopRuleId = (label: string): string => createId(`rule/LocalHost/Shop/${label}`);
export const getDeskRuleId = (label: string): string => createId(`rule/live/Desk/${label}`);
export const getViewpointId = (name: string): string => createId(`viewpoint/${name}`);
export const getObjectId = (name: string): string => createId(`data/${name}`);
export const userIds = { ann: ann._id, bob: bob._id } as const;

const datasets: Readonly<Record<string, string>> = {
  Orders: 'Shop/dataset/Files',
  Customers: 'Shop/dataset/Files',
  Totals: 'Shop/dataset/Queries',
  Tickets: 'Desk/dataset/Database',
};

export const getModelIds = (title: string) => ({ datamodelId: createSeedOid(title) });

export const getDatasetIds = (name: 'Files' | 'Queries') => ({
  ...getModelIds('Shop'),
  datasetId: createSeedOid(`Shop/dataset/${name}`),
});

export function getTableIds(name: string) {
  const dataset = datasets[name] ?? '';
  const [model = ''] = dataset.split('/');
  return {
    datamodelId: createSeedOid(model),
    datasetId: createSeedOid(dataset),
    tableId: createSeedOid(`${model}/${name}`),
  };
}

export function getColumnIds(path: string) {
  const [table = ''] = path.split('.');
  const { datamodelId: _datamodelId, datasetId: dataset, tableId } = getTableIds(table);
  return { dataset, table: tableId, column: createSeedOid(`Shop/${path.replace('.', '/')}`) };
}

export const getRelationIds = (...ends: readonly string[]) => ({
  ...getModelIds('Shop'),
  relationId: createSeedOid(`Shop/relation/${ends.join('=')}`),
});

/** The IDs of the instance, each with the name of what it identifies. */
const labels: ReadonlyMap<string, string> = new Map([
  ...['Shop', 'Desk'].map((title) => [createSeedOid(title), title] as const),
  ...['Shop/dataset/Files', 'Shop/dataset/Queries', 'Desk/dataset/Database'].map(
    (path) => [createSeedOid(path), path.split('/')[2] ?? ''] as const,
  ),
  ...Object.keys(datasets).map((table) => [getTableIds(table).tableId, table] as const),
  ...[
    'Orders.Id',
    'Orders.Customer',
    'Orders.Amount',
    'Orders.Day',
    'Orders.Twice',
    'Customers.Id',
    'Customers.Country',
    'Totals.Customer',
    'Totals.Total',
  ].map((path) => [getColumnIds(path).column, path] as const),
  ...['Tickets/Country', 'Tickets/State'].map(
    (path) => [createSeedOid(`Desk/${path}`), path.replace('/', '.')] as const,
  ),
  ...[
    ['Orders.Customer', 'Customers.Id'],
    ['Totals.Customer', 'Customers.Id'],
  ].map((ends) => [getRelationIds(...ends).relationId, ends.join('=')] as const),
  ...['ann', 'sales', 'others', 'amounts'].map((label) => [getShopRuleId(label), `rule ${label}`] as const),
  ...['ann', 'others'].map((label) => [getDeskRuleId(label), `live rule ${label}`] as const),
  [createId('rule/Set/All/ann'), 'cube set rule'],
  ...['Sales', 'People'].map((name) => [getViewpointId(name), `viewpoint ${name}`] as const),
  ...['a', 'b', 'c'].map((name) => [getObjectId(name), `object ${name}`] as const),
  [ann._id, 'ann'],
  [bob._id, 'bob'],
  [sales._id, 'sales'],
]);

/** Replaces the IDs in a text by names; one that the instance has assigned is `new`. */
export const replaceIds = (text: string): string =>
  text.replace(
    /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|\b[0-9a-f]{24}\b/g,
    (id) => labels.get(id) ?? 'new',
  );
