import { describe, expect, test } from 'vitest';
import type { JsonObject, JsonValue } from '../../../../src/base/json.ts';
import { asObject, getObjects, getText } from '../../../../src/changes/model/jsonMembers.ts';
import type { Write } from '../../../../src/changes/model/operation.ts';
import {
  createRelationCreationWrite,
  createRelationDeletionWrite,
  createRelationUpdateWrite,
} from '../../../../src/changes/model/relationWrites.ts';
import { createTableCreationWrite } from '../../../../src/changes/model/tableWrites.ts';
import { createViewpointUpdateWrite } from '../../../../src/changes/model/viewpointWrites.ts';
import { createRuleWrites } from '../../../../src/changes/rules/ruleWrites.ts';
import { groups } from '../../../../src/sandbox/seeds/people.ts';
import { expectDefined } from '../../../support/expectations.ts';
import { runApproved } from '../journal/runApproved.ts';
import { createShopRule, openShop, readShopRules, shop } from './renameColumn.ts';
import {
  advanceUntilSettled,
  type ChangeFixture,
  connectionId,
  createOperation,
  createTableRef,
  createTableUpdate,
  getColumns,
} from './support.ts';

const stores = createTableRef('Stores');
const { datamodelId } = stores;
const path = { server: shop.server, elasticube: shop.elasticube };

const createRule = (name: string, table = 'Stores'): JsonObject => ({
  ...createShopRule(undefined, name, []),
  table,
});
const addRules = (...rules: readonly JsonObject[]): readonly Write[] =>
  createRuleWrites(shop, { adds: rules, deletes: [] });

async function deleteRules(fixture: ChangeFixture): Promise<readonly Write[]> {
  const rules = await readShopRules(fixture);
  return createRuleWrites(shop, { adds: [], deletes: rules.map((rule, index) => ({ rule, index })) });
}

const readColumns = async (fixture: ChangeFixture): Promise<readonly JsonObject[]> =>
  getColumns(await fixture.read(stores));

/** The columns that have rules, with their tables. */
const readColumnsWithRules = async (fixture: ChangeFixture): Promise<readonly string[]> =>
  (await readShopRules(fixture))
    .map(({ table, column }) => `${getText(table)}.${getText(column)}`)
    .toSorted();

async function updateColumns(
  fixture: ChangeFixture,
  change: (column: JsonObject) => readonly JsonObject[],
): Promise<JsonObject> {
  return { columns: (await readColumns(fixture)).flatMap(change) };
}

const findOid = async (fixture: ChangeFixture, name: string): Promise<string> =>
  getText((await readColumns(fixture)).find((column) => column['name'] === name)?.['oid']);

const describeColumn = (fixture: ChangeFixture, name = 'City'): Promise<JsonObject> =>
  updateColumns(fixture, (column) => [
    column['name'] === name ? { ...column, description: 'Theirs' } : column,
  ]);

/** Describes a column as another user. */
async function describeAsOther(fixture: ChangeFixture): Promise<void> {
  await fixture.client.tables.update(stores, await describeColumn(fixture));
}

const salary = { id: 'Salary', name: 'Salary', type: 18 };
const renameStore = (name: string) => (column: JsonObject) => [
  column['name'] === 'Store' ? { ...column, name } : column,
];

const readRelation = async (fixture: ChangeFixture): Promise<JsonObject> =>
  expectDefined(
    getObjects((await fixture.readObject({ kind: 'datamodel', datamodelId }))['relations']).find(
      ({ columns }) => getObjects(columns).some(({ table }) => table === stores.tableId),
    ),
  );

/** The columns of the relation, with another column of Stores. */
async function joinBy(
  fixture: ChangeFixture,
  name: string,
): Promise<{ relationId: string; columns: JsonObject[] }> {
  const relation = await readRelation(fixture);
  const oid = (await readColumns(fixture)).find((column) => column['name'] === name)?.['oid'] ?? null;
  return {
    relationId: getText(relation['oid']),
    columns: getObjects(relation['columns']).map((end) =>
      end['table'] === stores.tableId ? { ...end, column: oid } : end,
    ),
  };
}

async function readViewpoint(fixture: ChangeFixture): Promise<JsonObject> {
  const { viewpoints } = (await fixture.client.viewpoints.list({ limit: 100 })).value;
  const { id } = expectDefined(viewpoints.find(({ name }) => name === 'Of stores'));
  return fixture.readObject({ kind: 'viewpoint', viewpointId: id });
}

const createDetails = (...columns: readonly string[]): JsonObject => ({
  datasource: { title: shop.elasticube, fullname: `localhost/${shop.elasticube}`, modelType: 'external' },
  columns: columns.map((column) => ({ table: 'Stores', column, dim: `[Stores.${column}]` })),
});

interface Scenario {
  readonly title: string;
  /** The columns with rules before the change. */
  readonly before?: readonly string[];
  readonly prepare?: (fixture: ChangeFixture) => Promise<unknown>;
  readonly createWrites: (fixture: ChangeFixture) => Promise<readonly Write[]>;
  /** What another user changes then. */
  readonly others: (fixture: ChangeFixture) => Promise<unknown>;
  /** The columns whose rules the review says stay. */
  readonly kept: readonly string[];
  /** The columns with rules after the undo that keeps what others have changed. */
  readonly after: readonly string[];
}

const zones = {
  id: 'regions.csv',
  name: 'Zones',
  type: 'base',
  columns: [
    { id: 'Key', name: 'Key', type: 18 },
    { id: 'Zone', name: 'Zone', type: 18 },
  ],
} as const;

const setStoreHidden = (fixture: ChangeFixture, hidden: boolean): Promise<JsonObject> =>
  updateColumns(fixture, (column) => [column['name'] === 'Store' ? { ...column, hidden } : column]);
const hideStore = async (fixture: ChangeFixture): Promise<unknown> =>
  fixture.client.tables.update(stores, await setStoreHidden(fixture, true));
const showStore = async (fixture: ChangeFixture): Promise<Write> =>
  createTableUpdate('Stores', await setStoreHidden(fixture, false));

const scenarios: readonly Scenario[] = [
  {
    title: 'a column that the change has shown, with a new rule on another column of its table',
    prepare: hideStore,
    createWrites: async (fixture) => [...addRules(createRule('City')), await showStore(fixture)],
    others: describeAsOther,
    kept: ['Stores.City'],
    after: ['Stores.City'],
  },
  {
    title: 'a column that the change has added, with a new rule on another column of its table',
    createWrites: async (fixture) => [
      ...addRules(createRule('City')),
      createTableUpdate('Stores', { columns: [...(await readColumns(fixture)), salary] }),
    ],
    others: describeAsOther,
    kept: ['Stores.City'],
    after: ['Stores.City'],
  },
  {
    title: 'a column that the change has shown, with a new rule on a linked table',
    prepare: hideStore,
    createWrites: async (fixture) => [...addRules(createRule('Region', 'Regions')), await showStore(fixture)],
    others: describeAsOther,
    kept: ['Regions.Region'],
    after: ['Regions.Region'],
  },
  {
    title: 'a column that the change has shown, with another rule on another column of its table',
    before: ['City'],
    prepare: hideStore,
    createWrites: async (fixture) => [
      ...addRules(createShopRule(undefined, 'City', ['Berlin'])),
      ...(await deleteRules(fixture)),
      await showStore(fixture),
    ],
    others: describeAsOther,
    kept: ['Stores.City'],
    after: ['Stores.City'],
  },
  {
    title: 'a column that the change has shown, with a rule on a table without a relation to it',
    prepare: hideStore,
    createWrites: async (fixture) => [
      ...addRules(createRule('Zone', 'Unlinked')),
      createTableCreationWrite(stores, { ...zones, name: 'Unlinked' }),
      await showStore(fixture),
    ],
    others: describeAsOther,
    kept: [],
    after: [],
  },
  {
    title: 'a new column',
    createWrites: async (fixture) => [
      ...addRules(createRule('Salary')),
      createTableUpdate('Stores', { columns: [...(await readColumns(fixture)), salary] }),
    ],
    others: describeAsOther,
    kept: ['Stores.Salary'],
    after: ['Stores.Salary'],
  },
  {
    title: 'a renamed column',
    before: ['Store'],
    createWrites: async (fixture) => [
      ...addRules(createRule('Shop')),
      createTableUpdate('Stores', await updateColumns(fixture, renameStore('Shop'))),
      ...(await deleteRules(fixture)),
    ],
    others: describeAsOther,
    kept: ['Stores.Shop', 'Stores.Store'],
    after: ['Stores.Shop'],
  },
  {
    title: 'a renamed column whose former name others use',
    before: ['Store'],
    createWrites: async (fixture) => [
      ...addRules(createRule('Shop')),
      createTableUpdate('Stores', await updateColumns(fixture, renameStore('Shop'))),
      ...(await deleteRules(fixture)),
    ],
    others: async (fixture) => {
      const columns = [...(await readColumns(fixture)), { id: 'Store', name: 'Store', type: 18 }];
      await fixture.client.tables.update(stores, { columns });
    },
    kept: ['Stores.Shop'],
    after: ['Stores.Shop', 'Stores.Store'],
  },
  {
    title: 'a renamed table with a renamed column',
    before: ['Store', 'City'],
    createWrites: async (fixture) => [
      ...addRules(createRule('Shop', 'Shops'), createRule('City', 'Shops')),
      createTableUpdate('Stores', { name: 'Shops', ...(await updateColumns(fixture, renameStore('Shop'))) }),
      ...(await deleteRules(fixture)),
    ],
    others: describeAsOther,
    kept: ['Shops.City', 'Shops.Shop', 'Stores.City', 'Stores.Store'],
    after: ['Shops.City', 'Shops.Shop'],
  },
  {
    title: 'a renamed table with another description of a column',
    before: ['Store'],
    createWrites: async (fixture) => [
      ...addRules(createRule('Store', 'Shops')),
      createTableUpdate('Stores', { name: 'Shops' }),
      ...(await deleteRules(fixture)),
    ],
    // The undo doesn't touch the columns, so it restores the name.
    others: describeAsOther,
    kept: [],
    after: ['Stores.Store'],
  },
  {
    title: 'a column that the change has shown',
    prepare: async (fixture) =>
      fixture.client.tables.update(
        stores,
        await updateColumns(fixture, (column) => [
          column['name'] === 'Store' ? { ...column, hidden: true } : column,
        ]),
      ),
    createWrites: async (fixture) => [
      ...addRules(createRule('Store')),
      createTableUpdate(
        'Stores',
        await updateColumns(fixture, (column) => [
          column['name'] === 'Store' ? { ...column, hidden: false } : column,
        ]),
      ),
    ],
    others: describeAsOther,
    kept: ['Stores.Store'],
    after: ['Stores.Store'],
  },
  {
    title: 'a table of which a column was deleted: rules in place of those of the column',
    before: ['Square Meters', 'City'],
    createWrites: async (fixture) => [
      ...addRules(createRule('Store')),
      createTableUpdate(
        'Stores',
        await updateColumns(fixture, (column) => (column['name'] === 'Square Meters' ? [] : [column])),
      ),
      ...(await deleteRules(fixture)),
    ],
    others: describeAsOther,
    // The rules on City are restored: it had them before.
    kept: ['Stores.Square Meters', 'Stores.Store'],
    after: ['Stores.City', 'Stores.Store'],
  },
  {
    title: 'a description: the rules of other columns are undone',
    before: ['City'],
    createWrites: async (fixture) => [
      ...addRules(createRule('Store')),
      createTableUpdate('Stores', await describeColumn(fixture, 'Store')),
      ...(await deleteRules(fixture)),
    ],
    others: describeAsOther,
    kept: [],
    after: ['Stores.City'],
  },
  {
    title: 'a relation',
    before: ['City'],
    createWrites: async (fixture) => {
      const { relationId, columns } = await joinBy(fixture, 'Square Meters');
      return [
        ...addRules(createRule('Store')),
        createRelationUpdateWrite({ datamodelId, relationId }, { columns }),
        ...(await deleteRules(fixture)),
      ];
    },
    others: async (fixture) => {
      const { relationId, columns } = await joinBy(fixture, 'Region Id');
      return fixture.client.relations.update({ datamodelId, relationId }, { columns });
    },
    kept: ['Stores.Store'],
    after: ['Stores.City', 'Stores.Store'],
  },
  {
    title: 'a viewpoint that shows another column',
    before: ['City'],
    prepare: (fixture) =>
      fixture.client.viewpoints.create({
        name: 'Of stores',
        description: '',
        visibility: { enabled: true, apps: ['chat'], users: [], groups: [groups.sales._id] },
        details: createDetails('Store Id'),
      }),
    createWrites: async (fixture) => [
      ...addRules(createRule('Store')),
      createViewpointUpdateWrite(
        { viewpointId: getText((await readViewpoint(fixture))['id']) },
        { details: createDetails('Store Id', 'Store') },
      ),
      ...(await deleteRules(fixture)),
    ],
    others: async (fixture) =>
      fixture.client.viewpoints.update(
        { viewpointId: getText((await readViewpoint(fixture))['id']) },
        { details: createDetails('Store Id', 'Store', 'City') },
      ),
    kept: ['Stores.Store'],
    after: ['Stores.City', 'Stores.Store'],
  },
];

async function open(
  profile: 'guide' | 'contract',
  {
    before = [],
    prepare,
    createWrites,
    others,
  }: Pick<Scenario, 'before' | 'prepare' | 'createWrites' | 'others'>,
) {
  const fixture = openShop(profile);
  if (before.length > 0) {
    await fixture.client.extractRules.create(
      path,
      before.map((name) => createRule(name)),
    );
  }
  await prepare?.(fixture);
  const { writer, history } = fixture.open();
  await advanceUntilSettled(
    fixture,
    runApproved(writer, createOperation(await createWrites(fixture), 'apply')),
  );
  await fixture.sandbox.clock.advance(1000);
  const entry = expectDefined((await history.readEntries(connectionId))[0]);
  await others(fixture);
  const review = (overwrittenIds: ReadonlySet<string>) =>
    writer.planUndoForReview(entry, 'undo', { overwrittenIds, names: new Map() });
  const undo = async (overwrittenIds: ReadonlySet<string>): Promise<void> => {
    const { operation, ...options } = await review(overwrittenIds);
    if (operation.writes.length > 0) {
      await advanceUntilSettled(
        fixture,
        runApproved(writer, operation, { ...options, undoneEntryId: entry.id }),
      );
    }
  };
  return { fixture, review, undo };
}

describe.each(['guide', 'contract'] as const)(
  'an undo that keeps a table without a deleted column (%s)',
  (profile) => {
    test.each(['deleted', 'changed'] as const)(
      'leaves out the relation of the column, which the change has %s, and lists it',
      async (change) => {
        const { fixture, review, undo } = await open(profile, {
          createWrites: async (instance) => {
            const { oid, columns: ends } = await readRelation(instance);
            const joined = getObjects(ends).find(({ table }) => table === stores.tableId)?.['column'];
            const relation = { datamodelId, relationId: getText(oid) };
            const { columns } = await joinBy(instance, 'City');
            return [
              change === 'deleted'
                ? createRelationDeletionWrite(relation)
                : createRelationUpdateWrite(relation, { columns }),
              createTableUpdate(
                'Stores',
                await updateColumns(instance, (column) => (column['oid'] === joined ? [] : [column])),
              ),
            ];
          },
          others: describeAsOther,
        });
        using _ = fixture;
        const { losses, operation } = await review(new Set());
        expect(losses).toEqual([
          { code: 'missing-column', name: expect.stringContaining('Stores') as unknown },
        ]);
        expect(operation.writes).toEqual([]);
        await undo(new Set());
      },
    );
  },
);

describe.each(['guide', 'contract'] as const)(
  'an undo that keeps a table in which the change has shown a column (%s)',
  (profile) => {
    const readModel = (fixture: ChangeFixture): Promise<JsonObject> =>
      fixture.readObject({ kind: 'datamodel', datamodelId });
    const readTableNames = async (fixture: ChangeFixture): Promise<readonly JsonValue[]> =>
      getObjects((await readModel(fixture))['datasets']).flatMap(({ schema }) =>
        getObjects(asObject(schema)['tables']).map(({ name = null }) => name),
      );
    const countRelations = async (fixture: ChangeFixture): Promise<number> =>
      getObjects((await readModel(fixture))['relations']).length;

    test('keeps a new table with a rule that a new relation links to it', async () => {
      const scenario = {
        prepare: hideStore,
        createWrites: async (fixture: ChangeFixture): Promise<readonly Write[]> => [
          ...addRules(createRule('Zone', 'Zones')),
          createTableCreationWrite(stores, zones),
          {
            ...createRelationCreationWrite(datamodelId, [
              { dataset: stores.datasetId, table: stores.tableId, column: await findOid(fixture, 'City') },
              { dataset: stores.datasetId, table: '', column: '' },
            ]),
            outputRefs: [
              { write: 1, from: ['oid'], into: ['body', 'columns', 1, 'table'] },
              { write: 1, from: ['columns', 'Key', 'oid'], into: ['body', 'columns', 1, 'column'] },
            ],
          },
          await showStore(fixture),
        ],
        others: describeAsOther,
      };
      const { fixture, review, undo } = await open(profile, scenario);
      using _ = fixture;
      const relationCount = await countRelations(fixture);
      const { laterChanges } = await review(new Set());
      expect(laterChanges).toMatchObject([
        { name: 'Stores', keptRuleColumns: ['Zones.Zone'], keptItems: ['Zones', 'Stores – Zones'] },
      ]);
      await undo(new Set());
      expect(await readTableNames(fixture)).toContain('Zones');
      expect(await countRelations(fixture)).toBe(relationCount);

      expect((await review(new Set(laterChanges.map(({ id }) => id)))).laterChanges).toMatchObject([
        { keptRuleColumns: [], keptItems: [] },
      ]);
    });

    test('keeps the names of a linked table that its rules are on', async () => {
      const regions = createTableRef('Regions');
      const rename = async (fixture: ChangeFixture, name: string): Promise<Write> => {
        const columns = getColumns(await fixture.read(regions));
        return createTableUpdate('Regions', {
          columns: columns.map((column) => (column['name'] === 'Region' ? { ...column, name } : column)),
        });
      };
      const { fixture, review, undo } = await open(profile, {
        prepare: hideStore,
        createWrites: async (instance) => [
          ...addRules(createRule('Area', 'Regions')),
          await rename(instance, 'Area'),
          await showStore(instance),
        ],
        others: describeAsOther,
      });
      using _ = fixture;
      expect((await review(new Set())).laterChanges).toMatchObject([
        { name: 'Stores', keptRuleColumns: ['Regions.Area'], keptItems: ['Regions'] },
      ]);
      await undo(new Set());
      expect(getColumns(await fixture.read(regions)).map(({ name }) => name)).toContain('Area');
    });
  },
);

describe.each(
  (['guide', 'contract'] as const).flatMap((profile) => scenarios.map((each) => ({ profile, ...each }))),
)('an undo of $title, which others have changed since ($profile)', (scenario) => {
  test('keeps the rules of what others have changed, and lists them', async () => {
    const { fixture, review, undo } = await open(scenario.profile, scenario);
    using _ = fixture;
    const { laterChanges } = await review(new Set());
    expect(laterChanges.flatMap(({ keptRuleColumns = [] }) => keptRuleColumns).toSorted()).toEqual(
      scenario.kept,
    );
    await undo(new Set());
    expect(await readColumnsWithRules(fixture)).toEqual(scenario.after);
  });

  test('restores the earlier rules if it overwrites what others have changed', async () => {
    const { fixture, review, undo } = await open(scenario.profile, scenario);
    using _ = fixture;
    const ids = new Set((await review(new Set())).laterChanges.map(({ id }) => id));
    const { laterChanges } = await review(ids);
    expect(laterChanges.flatMap(({ keptRuleColumns = [] }) => keptRuleColumns)).toEqual([]);
    await undo(ids);
    expect(await readColumnsWithRules(fixture)).toEqual(
      (scenario.before ?? []).map((name) => `Stores.${name}`).toSorted(),
    );
  });
});
