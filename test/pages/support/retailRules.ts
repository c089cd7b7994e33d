import type { JsonObject } from '../../../src/base/json.ts';
import type { AccessCatalog, PageParty, ToAccess } from '../../../src/webviews/protocol/access.ts';

type AccessData = Extract<ToAccess, { type: 'data' }>;

/** The access that a rule grants, in the fields of the platform. */
interface RuleContent {
  readonly members: readonly string[];
  readonly allMembers: boolean | null;
  readonly exclusionary: boolean;
}

export const only = (...members: readonly string[]): RuleContent => ({
  members,
  allMembers: null,
  exclusionary: false,
});
export const allBut = (...members: readonly string[]): RuleContent => ({
  members,
  allMembers: null,
  exclusionary: true,
});
export const everything: RuleContent = { members: [], allMembers: true, exclusionary: false };
export const nothing: RuleContent = { members: [], allMembers: false, exclusionary: false };

/** Creates a rule of an extract datamodel on `Table.Column`; parties are `default`, `group:g1` or `user:u1`. */
export function createRule(
  columnName: string,
  content: RuleContent,
  parties: readonly string[],
  overrides: JsonObject = {},
): JsonObject {
  const [table = '', column = ''] = columnName.split('.');
  return {
    _id: `${columnName} ${parties.join(' ')}`,
    server: 'LocalHost',
    elasticube: 'Retail',
    table,
    column,
    datatype: 'text',
    ...content,
    shares: parties.map((party) => {
      const [type = '', partyId] = party.split(':');
      return partyId === undefined ? { type } : { type, party: partyId };
    }),
    ...overrides,
  };
}

export const parties: readonly PageParty[] = [
  { type: 'group', id: 'executives', name: 'Executives' },
  { type: 'group', id: 'north', name: 'Sales North' },
  { type: 'group', id: 'south', name: 'Sales South' },
  { type: 'group', id: 'finance', name: 'Finance' },
  { type: 'user', id: 'amara', name: 'Amara Okafor', groupIds: ['north'] },
  { type: 'user', id: 'bruno', name: 'Bruno Keller' },
  { type: 'user', id: 'Only a Name', name: 'Only a Name', isNameOnly: true },
];

const catalog: AccessCatalog = {
  complete: true,
  tables: [
    { name: 'Regions', columns: [{ name: 'Id' }, { name: 'Region', type: 18 }] },
    {
      name: 'Customers',
      columns: [
        { name: 'Segment', type: 18 },
        { name: 'City', type: 18 },
        { name: 'Since', type: 31 },
      ],
    },
    { name: 'Stores', columns: [{ name: 'Id' }, { name: 'Region Id' }] },
    {
      name: 'Orders',
      columns: [{ name: 'Channel', type: 18 }, { name: 'Store Id' }, { name: 'Amount', type: 40 }],
    },
  ],
  relations: [
    {
      columns: [
        { table: 'Orders', column: 'Store Id' },
        { table: 'Stores', column: 'Id' },
      ],
    },
    {
      columns: [
        { table: 'Stores', column: 'Region Id' },
        { table: 'Regions', column: 'Id' },
      ],
    },
  ],
};

/** Rules for three groups, two users and everyone else, on three columns. */
export const retailRules = [
  createRule('Regions.Region', nothing, ['default']),
  createRule('Regions.Region', everything, ['group:executives']),
  createRule('Regions.Region', only('North', 'Nordics'), ['group:north']),
  createRule('Regions.Region', only('South', 'Alps'), ['group:south']),
  createRule('Regions.Region', allBut('Iberia'), ['user:bruno']),
  createRule('Customers.Segment', everything, ['default']),
  createRule('Customers.Segment', only('Club'), ['group:executives']),
  createRule('Orders.Channel', everything, ['default']),
  createRule('Orders.Channel', nothing, ['user:amara']),
];

export const retailData: AccessData = {
  type: 'data',
  title: 'Retail',
  kind: 'extract',
  rules: retailRules,
  catalog,
};
