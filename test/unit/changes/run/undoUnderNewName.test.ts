import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../../src/base/json.ts';
import type { RuleSubject } from '../../../../src/catalog/ruleSubject.ts';
import { createDatasetDeletionWrite } from '../../../../src/changes/model/datasetWrites.ts';
import { asObject, getObjects, getText } from '../../../../src/changes/model/jsonMembers.ts';
import type { Write } from '../../../../src/changes/model/operation.ts';
import { createTableDeletionWrite } from '../../../../src/changes/model/tableWrites.ts';
import { createViewpointDeletionWrite } from '../../../../src/changes/model/viewpointWrites.ts';
import { createRuleWrites } from '../../../../src/changes/rules/ruleWrites.ts';
import { ConflictError } from '../../../../src/changes/run/writeErrors.ts';
import { createSeedOid } from '../../../../src/sandbox/seeds/seedIds.ts';
import { groups } from '../../../../src/sandbox/seeds/people.ts';
import { expectDefined } from '../../../support/expectations.ts';
import { runApproved } from '../journal/runApproved.ts';
import { createShopRule, openShop, shop } from './renameColumn.ts';
import {
  advanceUntilSettled,
  type ChangeFixture,
  connectionId,
  createOperation,
  createTableRef,
  createTableUpdate,
  getFailure,
} from './support.ts';

const { datamodelId, datasetId, tableId } = createTableRef('Stores');
const ids = { datamodelId, datasetId };
const otherDatasetId = createSeedOid('Retail/dataset/Sales');
const cubeSet = { kind: 'extract', server: 'set', elasticube: 'All' } as const;
const deletion = createTableDeletionWrite({ ...ids, tableId });
const createRules = (table: string): readonly JsonObject[] =>
  [createShopRule(undefined, 'Store', []), createShopRule(groups.sales, 'Store', ['a'])].map((rule) => ({
    ...rule,
    table,
  }));
const getRuleTexts = (table: string): readonly string[] => [`${table}.Store: ["a"]`, `${table}.Store: []`];

async function readRules(fixture: ChangeFixture, subject: RuleSubject = shop) {
  return getObjects(await fixture.read({ kind: 'rules', subject }));
}

const describeRules = async (fixture: ChangeFixture, subject: RuleSubject = shop) =>
  (await readRules(fixture, subject))
    .map(({ table, column, members }) => `${getText(table)}.${getText(column)}: ${JSON.stringify(members)}`)
    .toSorted();

/** The names of the table that others have created, and of the one of the change. */
async function readNames(fixture: ChangeFixture): Promise<readonly string[]> {
  const model = await fixture.readObject({ kind: 'datamodel', datamodelId });
  return getObjects(model['datasets'])
    .flatMap(({ schema }) => getObjects(asObject(schema)['tables']))
    .map(({ name }) => getText(name))
    .filter((name) => ['Stores', 'Shops', 'Stores 2', 'Mine'].includes(name))
    .toSorted();
}

const createDeletions = async (fixture: ChangeFixture, subject: RuleSubject = shop) =>
  createRuleWrites(subject, {
    adds: [],
    deletes: (await readRules(fixture, subject)).map((rule, index) => ({ rule, index })),
  });

/**
 * Creates rules on Stores, and applies a change that frees this name. Another user then creates a table of that name.
 * @param createWrites creates the change
 */
async function change(
  profile: 'guide' | 'contract',
  createWrites: (fixture: ChangeFixture) => Promise<readonly Write[]>,
  {
    subject = shop,
    dataset = datasetId,
  }: { subject?: RuleSubject & { kind: 'extract' }; dataset?: string } = {},
) {
  const fixture = openShop(profile);
  const { server, elasticube } = subject;
  await fixture.client.extractRules.create({ server, elasticube }, createRules('Stores'));
  const sourceId = getText(
    (await fixture.readObject(createTableRef(dataset === datasetId ? 'Stores' : 'Orders')))['id'],
  );
  const { writer, history } = fixture.open();
  await advanceUntilSettled(
    fixture,
    runApproved(writer, createOperation(await createWrites(fixture), 'apply')),
  );
  await fixture.sandbox.clock.advance(1000);
  const entry = expectDefined((await history.readEntries(connectionId))[0]);
  const columns = [{ id: 'Other', name: 'Other', type: 18 }];
  await fixture.client.tables.create(
    { datamodelId, datasetId: dataset },
    { id: sourceId, name: 'Stores', type: 'base', columns },
  );
  const review = (overwrittenIds: ReadonlySet<string> = new Set(), names = new Map<string, string>()) =>
    writer.planUndoForReview(entry, 'undo', { overwrittenIds, names });
  const undo = async (...choices: Parameters<typeof review>) => {
    const { operation, ...options } = await review(...choices);
    const { plan } = await writer.plan(operation);
    const access = await plan.loadAccess();
    await advanceUntilSettled(
      fixture,
      runApproved(writer, operation, { ...options, undoneEntryId: entry.id }),
    );
    return access?.subjects.flatMap(({ difference }) => difference.rows) ?? [];
  };
  return { fixture, review, undo };
}

const changes: readonly {
  readonly change: string;
  readonly createWrites: (fixture: ChangeFixture) => Promise<readonly Write[]>;
  /** The rules that the change leaves on the name, and that count as those of the other table. */
  readonly left: readonly string[];
  readonly dataset?: string;
}[] = [
  {
    change: 'deletion of a table and its rules',
    createWrites: async (fixture) => [deletion, ...(await createDeletions(fixture))],
    left: [],
  },
  {
    change: 'deletion of a table',
    createWrites: () => Promise.resolve([deletion]),
    left: getRuleTexts('Stores'),
  },
  {
    change: 'deletion of a dataset and the rules',
    createWrites: async (fixture) => [createDatasetDeletionWrite(ids), ...(await createDeletions(fixture))],
    left: [],
    dataset: otherDatasetId,
  },
  {
    change: 'rename of a table',
    createWrites: async (fixture) => [
      ...createRuleWrites(shop, { adds: createRules('Shops'), deletes: [] }),
      createTableUpdate('Stores', { name: 'Shops' }),
      ...(await createDeletions(fixture)),
    ],
    left: [],
  },
];

describe.each(
  (['guide', 'contract'] as const).flatMap((profile) => changes.map((each) => ({ profile, ...each }))),
)(
  'the undo of a $change while another table has the name ($profile)',
  ({ profile, createWrites, left, dataset = datasetId }) => {
    test('restores the rules under the new name, and no one gains access', async () => {
      const { fixture, review, undo } = await change(profile, createWrites, { dataset });
      using _ = fixture;
      expect((await review()).nameConflicts).toMatchObject([{ name: 'Stores', newName: 'Stores 2' }]);
      const rows = await undo();
      expect(rows.filter(({ effect }) => effect !== 'loses')).toEqual([]);
      expect(await readNames(fixture)).toEqual(['Stores', 'Stores 2']);
      expect(await describeRules(fixture)).toEqual([...getRuleTexts('Stores 2'), ...left].toSorted());
    });

    test('leaves the rules of the other table alone, even equal ones', async () => {
      const { fixture, review, undo } = await change(profile, createWrites, { dataset });
      using _ = fixture;
      const path = { server: shop.server, elasticube: shop.elasticube };
      for (const rule of await readRules(fixture)) {
        if (rule['table'] === 'Stores') {
          await fixture.client.extractRules.delete({ ruleId: getText(rule['_id']) });
        }
      }
      const theirs = [
        createShopRule(undefined, 'Store', []),
        createShopRule(groups.sales, 'Store', ['theirs']),
        createShopRule(undefined, 'Other', []),
      ];
      await fixture.client.extractRules.create(path, theirs);
      const before = (await describeRules(fixture)).filter((rule) => rule.startsWith('Stores.'));
      const { laterChanges } = await review();
      expect(laterChanges.filter(({ name }) => name.startsWith('Stores.'))).toEqual([]);
      const allIds = new Set([
        ...laterChanges.map(({ id }) => id),
        JSON.stringify([shop, 'Stores', 'Store']),
      ]);
      await undo(allIds, new Map([[tableId, 'Mine']]));
      expect(await readNames(fixture)).toEqual(['Mine', 'Stores']);
      expect(await describeRules(fixture)).toEqual([...getRuleTexts('Mine'), ...before].toSorted());
    });
  },
);

describe.each(['guide', 'contract'] as const)(
  'if the former name of a deleted table is in use (%s)',
  (profile) => {
    test('the undo restores the rules of a cube set that the change has deleted, under the new name', async () => {
      const { fixture, undo } = await change(
        profile,
        async (opened) => [deletion, ...(await createDeletions(opened, cubeSet))],
        { subject: cubeSet },
      );
      using _ = fixture;
      await undo();
      expect(await describeRules(fixture, cubeSet)).toEqual(getRuleTexts('Stores 2'));
    });

    test('the undo stops before it writes if the rules of a cube set are only on the former name', async () => {
      const { fixture, undo } = await change(
        profile,
        (opened) => {
          opened.cubeSets = [cubeSet];
          return Promise.resolve([deletion]);
        },
        { subject: cubeSet },
      );
      using _ = fixture;
      const requests = fixture.getWriteRequests();
      expect(await getFailure(undo())).toBeInstanceOf(ConflictError);
      expect(fixture.getWriteRequests()).toEqual(requests);
    });

    test('a viewpoint that the undo restores shows the table under its new name', async () => {
      const name = 'Of stores';
      const { fixture, undo } = await change(profile, async (opened) => {
        const details = {
          datasource: { title: shop.elasticube },
          columns: [{ table: 'Stores', column: 'Store', dim: '[Stores.Store]' }],
        };
        const created = await opened.client.viewpoints.create({ name, description: '', details });
        return [
          createViewpointDeletionWrite({ viewpointId: getText(asObject(created.json)['id']) }),
          deletion,
        ];
      });
      using _ = fixture;
      await undo();
      const { viewpoints } = (await fixture.client.viewpoints.list({ limit: 100 })).value;
      const { id } = expectDefined(viewpoints.find((viewpoint) => viewpoint.name === name));
      expect(await fixture.readObject({ kind: 'viewpoint', viewpointId: id })).toMatchObject({
        details: { columns: [{ table: 'Stores 2', column: 'Store', dim: '[Stores 2.Store]' }] },
      });
    });
  },
);
