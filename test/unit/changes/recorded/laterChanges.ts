import type { JsonObject } from '../../../../src/base/json.ts';
import type { ChangeFixture } from '../run/support.ts';
import type { Scenario } from './recordScenario.ts';
import { operations } from './scenarios.ts';
import {
  deskSubject,
  getColumnIds,
  getDatasetIds,
  getModelIds,
  getObjectId,
  getRelationIds,
  getShopRuleId,
  getTableIds,
  getViewpointId,
  shopSubject,
  userIds,
} from './smallInstance.ts';

const orders = getTableIds('Orders');
const customers = getTableIds('Customers');
const relation = getRelationIds('Orders.Customer', 'Customers.Id');
const sales = { viewpointId: getViewpointId('Sales') };

const createRule = (member: string): JsonObject & { table: string; column: string } => ({
  table: 'Customers',
  column: 'Country',
  datatype: 'text',
  members: [member],
  allMembers: null,
  exclusionary: false,
  shares: [{ type: 'user', party: userIds.bob }],
});

const addColumn = async ({ client }: ChangeFixture): Promise<unknown> => {
  const { json } = await client.tables.get(customers);
  const columns = (json as JsonObject)['columns'] as readonly JsonObject[];
  return client.tables.update(customers, { columns: [...columns, { id: 'Their', name: 'Their', type: 8 }] });
};

/** For each operation, what another user may change in its documents afterwards. */
const otherUserChanges: Readonly<Record<string, readonly NonNullable<Scenario['otherUserChange']>[]>> = {
  'describe and hide a table': [
    ({ client }) => client.tables.update(orders, { description: 'Theirs' }),
    ({ client }) => client.tables.update(orders, { name: 'Theirs' }),
    ({ client }) => client.tables.delete(orders),
  ],
  'hide and describe a column': [({ client }) => client.tables.update(orders, { hidden: true })],
  'rename a column alone': [addColumn],
  'delete a table': [
    ({ client }) =>
      client.tables.create(getDatasetIds('Queries'), {
        name: 'orders',
        type: 'custom',
        expression: 'SELECT 1 AS [A]',
      }),
  ],
  'change a connection': [
    async ({ client }) => {
      const { json } = await client.datasets.get(getDatasetIds('Files'));
      const connection = (json as JsonObject)['connection'] as JsonObject;
      return client.datasets.update(getDatasetIds('Files'), {
        connection: { ...connection, schema: 'theirs' },
      });
    },
  ],
  'create a datamodel': [({ client }) => client.datamodels.create({ title: 'Theirs', type: 'live' })],
  'delete a datamodel': [({ client }) => client.datamodels.create({ title: 'Shop', type: 'extract' })],
  'delete a dataset': [
    ({ client }) => client.datasets.create(getModelIds('Shop'), { name: 'Files', type: 'custom' }),
  ],
  'change a relation': [
    ({ client }) =>
      client.relations.update(relation, {
        columns: [getColumnIds('Orders.Amount'), getColumnIds('Customers.Id')],
      }),
    ({ client }) => client.relations.delete(relation),
  ],
  'rename a viewpoint': [
    ({ client }) => client.viewpoints.update(sales, { name: 'Theirs' }),
    ({ client }) => client.viewpoints.update(sales, { description: 'Theirs' }),
    ({ client }) => client.viewpoints.delete(sales),
  ],
  'delete a viewpoint': [({ client }) => client.viewpoints.create({ name: 'Sales', description: 'Theirs' })],
  'narrow a rule': [
    ({ client }) => client.extractRules.create(shopSubject, [createRule('IT')]),
    ({ client }) =>
      client.extractRules.update(
        { ruleId: getShopRuleId('sales') },
        { ...createRule('IT'), server: 'LocalHost', elasticube: 'Shop' },
      ),
    ({ client }) => client.extractRules.delete({ ruleId: getShopRuleId('sales') }),
  ],
  'delete a rule': [({ client }) => client.extractRules.create(shopSubject, [createRule('IT')])],
  'create a rule': [
    ({ client }) => client.extractRules.delete({ ruleId: getShopRuleId('ann') }),
    async ({ client }) => {
      const { value } = await client.extractRules.list(shopSubject);
      const created = value.find(({ members }) => JSON.stringify(members) === '["IT"]');
      return client.extractRules.delete({ ruleId: created?._id ?? '' });
    },
  ],
  'delete the rules of a column': [
    ({ client }) => client.extractRules.create(shopSubject, [createRule('IT')]),
  ],
  'replace many rules': [({ client }) => client.extractRules.delete({ ruleId: getShopRuleId('ann') })],
  'change a live rule': [
    ({ client }) =>
      client.liveRules.create(deskSubject, [
        { ...createRule('IT'), table: 'Tickets', shares: [{ type: 'user', partyId: userIds.bob }] },
      ]),
    async ({ client }) => {
      const { value } = await client.liveRules.list(deskSubject);
      const changed = value.find(({ members }) => JSON.stringify(members) === '["FR"]');
      return client.liveRules.delete({ ruleId: changed?._id ?? '' });
    },
  ],
  'change an object': [
    ({ client }) =>
      client.customData.updateMatching({
        queryForSearch: { _id: getObjectId('a') },
        objectForUpdate: { text: 'Theirs' },
      }),
    ({ client }) => client.customData.deleteMatching({ _id: getObjectId('a') }),
  ],
  'change matching objects': [
    ({ client }) =>
      client.customData.updateMatching({
        queryForSearch: { _id: getObjectId('b') },
        objectForUpdate: { text: 'Theirs' },
      }),
  ],
  'delete matching objects': [({ client }) => client.customData.create({ app: 'notes', text: 'Theirs' })],
};

const endings = ['undo-keeping', 'restore-overwriting', 'undo-overwriting', 'restore-keeping'] as const;

function getOperation(name: string): Scenario['writes'] {
  const operation = operations[name];
  if (operation === undefined) {
    throw new Error(`No operation is called "${name}"`);
  }
  return operation;
}

/** Undos and restores after another user has changed something, with that change kept and overwritten. */
export const laterChanges: readonly Scenario[] = Object.entries(otherUserChanges).flatMap(([name, changes]) =>
  changes.flatMap((otherUserChange, index) =>
    (index === 0 ? endings : endings.slice(0, 2)).map(
      (ending): Scenario => ({
        name: `${name}, then change ${index + 1} of another user: ${ending}`,
        writes: getOperation(name),
        otherUserChange,
        ending,
      }),
    ),
  ),
);
