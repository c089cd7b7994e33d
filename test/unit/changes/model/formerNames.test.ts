import { describe, expect, test } from 'vitest';
import { createModelCatalog } from '../../../../src/catalog/modelCatalog.ts';
import {
  findCubeSetFormerNameGains,
  findFormerNameGains,
  toPendingBuild,
} from '../../../../src/changes/model/formerNames.ts';
import { datamodelSchema } from '../../../../src/contract/datamodel.ts';

const createModel = (
  title: string,
  tables: Readonly<Record<string, readonly string[]>>,
  members: object = {},
) => {
  const datamodel = datamodelSchema.parse({
    oid: title,
    title,
    ...members,
    datasets: [
      {
        oid: 'd',
        schema: {
          tables: Object.entries(tables).map(([name, columns]) => ({
            oid: name,
            id: name,
            name,
            columns: columns.map((column) => ({ oid: column, id: column, name: column, type: 18 })),
          })),
        },
      },
    ],
    relations: [],
  });
  return { datamodel, catalog: createModelCatalog(datamodel) };
};

const createRule = (column: string, members: readonly string[], table = 'Products') => ({
  table,
  column,
  datatype: 'text',
  members,
  allMembers: null,
  shares: [{ type: 'group', party: 'support' }],
});

const denyAll = (column: string) => ({
  ...createRule(column, []),
  allMembers: false,
  shares: [{ type: 'default' }],
});

const later = '2026-01-01T11:00:00.000Z';

describe('a datamodel was never built if the instance reports that', () => {
  const none = { lastBuildTime: null, lastSuccessfulBuildTime: null, lastPublishTime: null };
  test.each([
    [true, none],
    [true, { lastBuildTime: null }],
    // An instance that reports no times may have built it.
    [undefined, {}],
    [undefined, { lastSuccessfulBuildTime: null }],
    // A build that failed, or one whose success the instance doesn't report.
    [undefined, { ...none, lastBuildTime: later }],
    [undefined, { ...none, lastSuccessfulBuildTime: later }],
    [true, { ...none, type: 'live' }],
    [true, { type: 'LIVE', lastPublishTime: null }],
    [undefined, { type: 'live', lastBuildTime: null }],
    [undefined, { ...none, type: 'live', lastPublishTime: later }],
    [undefined, { ...none, type: 'live', lastBuildTime: later }],
  ])('%j: %j', (expected, times) => {
    expect(toPendingBuild(datamodelSchema.parse({ oid: 'm', title: 'M', ...times })).isNeverBuilt).toBe(
      expected,
    );
  });
});

describe('rules on a name that a datamodel does not have', () => {
  const model = createModel('Retail', { Products: ['Label'] });
  const find = (
    before: readonly unknown[],
    after: readonly unknown[],
    changedModel: ReturnType<typeof createModel> = model,
  ) => {
    const gains = findFormerNameGains({ before, after, memberships: undefined }, changedModel);
    return gains && { ...gains, rows: gains.rows.map(({ party, effect }) => `${party.type} ${effect}`) };
  };

  test('might restrict a column that had the name until the next build, so their deletion gives access', () => {
    expect(find([createRule('Brand', ['Acme'])], [])).toEqual({
      datamodel: 'Retail',
      isLive: false,
      rows: ['default gains', 'group gains'],
    });
    expect(find([denyAll('Brand')], [])?.rows).toEqual(['default gains']);
  });

  test('give access if they change to allow more, and not if they change to allow less', () => {
    const [few, many] = [createRule('Brand', ['Acme']), createRule('Brand', ['Acme', 'Umbra'])];
    expect(find([few], [many])?.rows).toEqual(['group gains']);
    expect(find([many], [few])).toBeUndefined();
    expect(find([], [few])).toBeUndefined();
    expect(find([few], [few])).toBeUndefined();
  });

  test('are not considered if the datamodel has the name, or may have it', () => {
    expect(find([createRule('Label', ['Acme'])], [])).toBeUndefined();
    const incomplete = { ...model, catalog: { ...model.catalog, complete: false } };
    expect(find([createRule('Brand', ['Acme'])], [], incomplete)).toBeUndefined();
  });

  test('might restrict only the schema of a running build if the datamodel was never built', () => {
    const neverBuilt = createModel('Retail', { Products: ['Label'] }, { lastBuildTime: null });
    expect(find([denyAll('Brand')], [], neverBuilt)).toEqual({
      datamodel: 'Retail',
      isLive: false,
      isNeverBuilt: true,
      rows: ['default gains'],
    });
  });

  test('might restrict the last published schema of a live datamodel', () => {
    const live = createModel('Desk', { Products: ['Label'] }, { type: 'live' });
    expect(find([denyAll('Brand')], [], live)).toMatchObject({ datamodel: 'Desk', isLive: true });
  });
});

test('rules of a cube set might restrict a former name in each datamodel with the table, or else in any', () => {
  const models = [
    createModel('Retail', { Products: ['Label'] }),
    createModel('Wholesale', { Products: ['Label'] }),
    createModel('Staff', { Employees: ['Name'] }),
  ];
  const find = (rule: object) =>
    findCubeSetFormerNameGains({ before: [rule], after: [], memberships: undefined }, models).map(
      ({ datamodel }) => datamodel,
    );
  expect(find(denyAll('Brand'))).toEqual(['Retail', 'Wholesale']);
  expect(find({ ...denyAll('Brand'), table: 'Items' })).toEqual(['Retail', 'Wholesale', 'Staff']);
  expect(find(denyAll('Label'))).toEqual([]);
});
