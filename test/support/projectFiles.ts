import { stringify } from '../../src/base/json.ts';

const model = 'datamodels/Retail';

/** The paths of the files that tests change. */
export const paths = {
  orders: `${model}/tables/Orders.table.json`,
  label: `${model}/tables/Orders/Label.datamodel.sql`,
  totals: `${model}/tables/Totals.table.json`,
  totalsSql: `${model}/tables/Totals.datamodel.sql`,
  relation: `${model}/relations/Items.Order - Orders.Id.relation.json`,
  rules: `${model}/rules/Orders.Status.rules.json`,
  viewpoint: 'viewpoints/Sales.viewpoint.json',
  cubeSet: 'cube-sets/All/rules/Orders.Status.rules.json',
};

/** The contents of files, by path: texts, or JSON. */
export type ProjectFiles = Readonly<Record<string, unknown>>;

/** A project without any finding. */
export const validFiles: ProjectFiles = {
  'datamodel-studio.json': { version: 1, manage: { cubeSets: ['All'] } },
  [`${model}/Retail.datamodel.json`]: { title: 'Retail', type: 'extract' },
  [`${model}/datasets/Sales.dataset.json`]: { name: 'Sales', type: 'extract' },
  [paths.orders]: {
    name: 'Orders',
    dataset: 'Sales',
    type: 'base',
    columns: [
      { name: 'Id', type: 8 },
      { name: 'Status', type: 18, description: 'Open or done' },
      { name: 'Label', type: 18, isCustom: true, expression: { $file: 'Orders/Label.datamodel.sql' } },
    ],
  },
  [paths.label]: 'UPPER([Status])\n',
  [`${model}/tables/Items.table.json`]: {
    name: 'Items',
    dataset: 'Sales',
    type: 'base',
    buildBehavior: {
      type: 'accumulativeSync',
      accumulativeConfig: { column: { $ref: { table: 'Items', column: 'Order' } } },
    },
    columns: [{ name: 'Order', type: 8 }],
  },
  [paths.totals]: {
    name: 'Totals',
    dataset: 'Sales',
    type: 'custom',
    expression: { $file: 'Totals.datamodel.sql' },
    columns: [],
  },
  [paths.totalsSql]: 'SELECT o.Status, COUNT(o.Id) AS Number\nFROM Orders o\nGROUP BY o.Status\n',
  [paths.relation]: {
    columns: [
      { table: 'Items', column: 'Order' },
      { table: 'Orders', column: 'Id' },
    ],
  },
  [paths.rules]: [
    {
      table: 'Orders',
      column: 'Status',
      datatype: 'text',
      members: ['Open'],
      allMembers: null,
      shares: [{ type: 'group', party: 'Sales' }],
    },
    {
      table: 'Orders',
      column: 'Status',
      datatype: 'text',
      members: [],
      allMembers: true,
      shares: [{ type: 'default' }],
    },
  ],
  [paths.viewpoint]: {
    name: 'Sales',
    details: {
      datasource: { title: 'Retail' },
      columns: [
        { title: 'Status', dim: '[Orders.Status]', table: 'Orders', column: 'Status', datatype: 'text' },
      ],
    },
  },
};

export const formatFile = (content: unknown): string =>
  typeof content === 'string' ? content : `${stringify(content, 2)}\n`;
