import { describe, expect, test } from 'vitest';
import type { JsonObject, JsonValue } from '../../../../src/base/json.ts';
import { getText } from '../../../../src/changes/model/jsonMembers.ts';
import { createViewpointUpdateWrite } from '../../../../src/changes/model/viewpointWrites.ts';
import { groups } from '../../../../src/sandbox/seeds/people.ts';
import { expectDefined } from '../../../support/expectations.ts';
import { runApproved } from '../journal/runApproved.ts';
import { openShop, shop } from './renameColumn.ts';
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
const sales = 'Monthly Store Sales';

/** Replaces the former name of the column in SQL. */
const followRename = <T extends JsonValue>(document: T): T =>
  JSON.parse(JSON.stringify(document).replaceAll('[Store]', '[Shop]')) as T;

const createDetails = (column: string): JsonObject => ({
  datasource: { title: shop.elasticube, fullname: `localhost/${shop.elasticube}`, modelType: 'external' },
  columns: [{ table: 'Stores', column, dim: `[Stores.${column}]` }],
});

async function createViewpoint(fixture: ChangeFixture): Promise<string> {
  const { value } = await fixture.client.viewpoints.create({
    name: 'Of stores',
    description: '',
    visibility: { enabled: true, apps: ['chat'], users: [], groups: [groups.sales._id] },
    details: createDetails('Store'),
  });
  return getText((value as JsonObject)['id']);
}

/**
 * Renames a column, adds one, and describes its table; then updates the SQL of another table and a viewpoint to the new
 * name. After that, another user describes another column of the table.
 */
async function openRename(profile: 'guide' | 'contract') {
  const fixture = openShop(profile);
  const viewpointId = await createViewpoint(fixture);
  const columns = getColumns(await fixture.read(stores));
  const { expression = null } = await fixture.readObject(createTableRef(sales));
  const { writer, history } = fixture.open();
  const writes = [
    createTableUpdate('Stores', {
      description: 'Mine',
      columns: [
        ...columns.map((column) =>
          column['name'] === 'Store' ? { ...column, name: 'Shop' } : followRename(column),
        ),
        { id: 'Salary', name: 'Salary', type: 18 },
      ],
    }),
    createTableUpdate(sales, { expression: followRename(expression) }),
    createViewpointUpdateWrite({ viewpointId }, { details: createDetails('Shop') }),
  ];
  await advanceUntilSettled(fixture, runApproved(writer, createOperation(writes, 'apply')));
  await fixture.sandbox.clock.advance(1000);
  const entry = expectDefined((await history.readEntries(connectionId))[0]);
  await fixture.client.tables.update(stores, {
    columns: getColumns(await fixture.read(stores)).map((column) =>
      column['name'] === 'City' ? { ...column, description: 'Theirs' } : column,
    ),
  });
  const review = (overwrittenIds: ReadonlySet<string>) =>
    writer.planUndoForReview(entry, 'restore', { overwrittenIds, names: new Map() });
  return { fixture, review };
}

describe.each(['guide', 'contract'] as const)(
  'an undo that keeps a table with a renamed column (%s)',
  (profile) => {
    test('says which parts of the change stay, and what then uses the former name', async () => {
      const { fixture, review } = await openRename(profile);
      using _ = fixture;
      const { laterChanges, keptEffects, operation } = await review(new Set());
      expect(operation.writes.map(({ body }) => Object.keys(body as JsonObject))).toEqual([
        ['expression'],
        ['description'],
        ['details'],
      ]);
      expect(laterChanges).toMatchObject([{ name: 'Stores', isOverwritten: false }]);
      expect(
        laterChanges[0]?.keptParts?.map(({ subject, action, fields }) => [
          subject.name,
          action,
          fields.map(({ field, after }) => (field === 'name' ? after : field)),
        ]),
      ).toEqual([
        ['Store', 'changed', ['Shop']],
        ['Store Label', 'changed', ['expression']],
        ['Salary', 'created', []],
      ]);
      const names = { table: 'Stores', column: 'Store' };
      expect(
        keptEffects?.breaks.map(({ referrer, ...others }) => ({ ...others, name: referrer.name })),
      ).toEqual([
        { referrerKind: 'tableExpression', name: sales, names, reason: 'missing' },
        { referrerKind: 'viewpoint', name: 'Of stores', names, reason: 'missing' },
      ]);
    });

    test('nothing stays, and nothing breaks, if it overwrites what others have changed', async () => {
      const { fixture, review } = await openRename(profile);
      using _ = fixture;
      const [change] = (await review(new Set())).laterChanges;
      const { laterChanges, keptEffects } = await review(new Set([expectDefined(change).id]));
      expect(laterChanges).toMatchObject([{ name: 'Stores', isOverwritten: true }]);
      expect(laterChanges[0]?.keptParts).toBeUndefined();
      expect(keptEffects).toBeUndefined();
    });
  },
);
