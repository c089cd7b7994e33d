import { describe, expect, test } from 'vitest';
import { listConflictingItems } from '../../../../src/changes/run/conflictingItems.ts';
import { ConflictError } from '../../../../src/changes/run/writeErrors.ts';
import { getObjects, getText } from '../../../../src/changes/model/jsonMembers.ts';
import { groups } from '../../../../src/sandbox/seeds/people.ts';
import { createRuleWrites } from '../../../../src/changes/rules/ruleWrites.ts';
import { expectDefined, expectInstance } from '../../../support/expectations.ts';
import { createRename, createShopRule, newName, openShop, readShopRules, shop } from './renameColumn.ts';
import { stopOperation } from './stopOperation.ts';
import {
  type ChangeFixture,
  createOperation,
  createTableRef,
  createTableUpdate,
  getFailure,
  getIds,
} from './support.ts';

const createNames = () => new Map([[createTableRef('Stores').datamodelId, 'Shop']]);

/** Stops a change of two tables at the second one. */
const stop = (fixture: ChangeFixture) =>
  stopOperation(
    fixture,
    createOperation(
      [
        createTableUpdate('Customer Value', { description: 'Mine' }),
        createTableUpdate('Stores', { description: 'Mine' }),
      ],
      'apply',
    ),
    (line) => (line.includes(getText(createTableRef('Stores').tableId)) ? 'refusal' : undefined),
  );

describe('the items that prevent a change from being finished', () => {
  test('are a changed table, which can be opened', async () => {
    using fixture = openShop();
    const { writer, entry } = await stop(fixture);
    await fixture.client.tables.update(createTableRef('Stores'), { description: 'Theirs' });
    const error = expectInstance(await getFailure(writer.planRecovery(entry, 'resume')), ConflictError);
    expect(listConflictingItems(entry, error, createNames())).toEqual([
      {
        subject: { kind: 'table', name: 'Stores', within: ['Shop'], resource: createTableRef('Stores') },
        state: 'changed',
      },
    ]);
  });

  test('are a deleted table, with its name', async () => {
    using fixture = openShop();
    const { writer, entry } = await stop(fixture);
    const ref = createTableRef('Stores');
    for (const relation of getObjects(
      fixture.sandbox.store.datamodels.getDocument(ref.datamodelId)?.['relations'],
    )) {
      await fixture.client.relations.delete({
        datamodelId: ref.datamodelId,
        relationId: getText(relation['oid']),
      });
    }
    await fixture.client.tables.delete(ref);
    const error = expectInstance(await getFailure(writer.planRecovery(entry, 'resume')), ConflictError);
    expect(error.ref).toMatchObject(getIds(ref));
    expect(listConflictingItems(entry, error, createNames())).toEqual([
      { subject: { kind: 'table', name: 'Stores', within: ['Shop'] }, state: 'deleted' },
    ]);
  });

  test('are the missing rules, without those that still exist', async () => {
    using fixture = openShop();
    const { operation } = await createRename(fixture);
    const { writer, entry } = await stopOperation(fixture, operation, (line) =>
      line.startsWith('PATCH') ? 'refusal' : undefined,
    );
    const rule = expectDefined(
      (await readShopRules(fixture)).find(
        ({ column, members }) => column === newName && JSON.stringify(members) === '["a"]',
      ),
    );
    await fixture.client.extractRules.delete({ ruleId: getText(rule['_id']) });
    const error = expectInstance(await getFailure(writer.planRecovery(entry, 'resume')), ConflictError);
    expect(listConflictingItems(entry, error, createNames())).toEqual([
      {
        subject: {
          kind: 'rule',
          name: `Stores.${newName}`,
          within: ['Shop'],
          resource: { kind: 'columnRules', subject: shop, table: 'Stores', column: newName },
          column: { table: 'Stores', column: newName },
          rule: {
            grant: { kind: 'only', values: new Set(['a']) },
            parties: [{ type: 'group', name: 'Sales' }],
          },
        },
        state: 'missing',
      },
    ]);
  });

  test('are the columns whose rules others have changed', async () => {
    using fixture = openShop();
    const path = { server: shop.server, elasticube: shop.elasticube };
    await fixture.client.extractRules.create(path, [createShopRule(groups.sales, 'City', ['a'])]);
    const [before] = await readShopRules(fixture);
    const current = expectDefined(before);
    const { writer, entry } = await stopOperation(
      fixture,
      createOperation(
        [
          createTableUpdate('Stores', { description: 'Mine' }),
          ...createRuleWrites(shop, {
            adds: [],
            deletes: [],
            updates: [{ before: current, after: { ...current, members: ['mine'] } }],
          }),
        ],
        'apply',
      ),
      (line) => (line.startsWith('PUT') ? 'refusal' : undefined),
    );
    await fixture.client.extractRules.delete({ ruleId: getText(current['_id']) });
    const error = expectInstance(await getFailure(writer.planRecovery(entry, 'resume')), ConflictError);
    expect(listConflictingItems(entry, error, createNames())).toEqual([
      {
        subject: {
          kind: 'columnRules',
          name: 'Stores.City',
          within: ['Shop'],
          resource: { kind: 'columnRules', subject: shop, table: 'Stores', column: 'City' },
        },
        state: 'changed',
      },
    ]);
  });
});
