import { expect, test } from 'vitest';
import { CatalogReferencedNames } from '../../../src/catalog/referencedNames.ts';
import { countUsage } from '../../../src/catalog/usage.ts';
import type { KnownResources } from '../../../src/catalog/instanceCatalog.ts';
import { datamodelSchema } from '../../../src/contract/datamodel.ts';

const createJoinedColumn = (column: string) => ({ dataset: 'd', table: 't', column });
const retail = datamodelSchema.parse({
  oid: 'm',
  title: 'Retail',
  datasets: [
    {
      oid: 'd',
      schema: {
        tables: [
          {
            oid: 't1',
            name: 'Orders',
            columns: [
              { oid: 'c1', name: 'Status' },
              { oid: 'c2', name: 'Id' },
            ],
          },
          { oid: 't2', name: 'Lines', columns: [{ oid: 'c3', name: 'Order' }] },
        ],
      },
    },
  ],
  relations: [{ oid: 'r', columns: [createJoinedColumn('c2'), createJoinedColumn('c3')] }],
});

const createRule = (column: string, members: string[], shares: object[]) => ({
  table: 'Orders',
  column,
  members,
  shares: shares as never[],
});

const known: KnownResources = {
  datamodels: [retail, { oid: 'l', title: 'Live', type: 'live', server: 'x' }],
  rules: [
    {
      subject: { kind: 'extract', server: 'LocalHost', elasticube: 'Retail' },
      rules: [
        createRule('Status', ['open', 'shipped'], [{ type: 'group', partyId: 'g1', partyName: 'Sales' }]),
        createRule('Status', ['open'], [{ type: 'user', party: 'u1' }, { type: 'default' }]),
      ],
    },
  ],
  viewpoints: [
    { id: '1', visibility: { apps: ['teams', 'slack'], groups: ['Finance', 'g1'], users: ['u1', 'u2'] } },
    { id: '2', visibility: { apps: ['slack'], groups: null } },
  ],
};

test('each name of an instance is listed once', () => {
  const names = new CatalogReferencedNames(known);
  expect(names.apps).toEqual([{ value: 'slack' }, { value: 'teams' }]);
  expect(names.groups).toEqual([{ value: 'Finance' }, { value: 'g1', label: 'Sales', isId: true }]);
  expect(names.users).toEqual([{ value: 'u1', isId: true }, { value: 'u2' }]);
  expect(names.datamodels).toEqual([
    { title: 'Retail', isLive: false, server: 'LocalHost' },
    { title: 'Live', isLive: true, server: 'x' },
  ]);
});

test('an instance that has not been opened has no names', () => {
  const names = new CatalogReferencedNames({ datamodels: [], rules: [], viewpoints: [] });
  expect([names.apps, names.groups, names.users, names.datamodels]).toEqual([[], [], [], []]);
});

test('the relations and rules that use a table or column are counted', () => {
  expect(countUsage(known, retail, { table: 'Orders', column: undefined })).toEqual({
    relationCount: 1,
    ruleCount: 2,
  });
  expect(countUsage(known, retail, { table: 'Orders', column: 'Status' })).toEqual({
    relationCount: 0,
    ruleCount: 2,
  });
  expect(countUsage(known, retail, { table: 'lines', column: 'order' })).toEqual({
    relationCount: 1,
    ruleCount: 0,
  });
  const liveRetail = { ...retail, oid: 'n', type: 'live' } as const;
  expect(countUsage(known, liveRetail, { table: 'Orders', column: 'Status' }).ruleCount).toBe(0);
  expect(
    countUsage(known, { ...retail, server: 'Other' }, { table: 'Orders', column: 'Status' }).ruleCount,
  ).toBe(0);
  expect(countUsage(known, retail, { table: 'Nowhere', column: undefined })).toEqual({
    relationCount: 0,
    ruleCount: 0,
  });
});
