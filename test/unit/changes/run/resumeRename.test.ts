import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../../src/base/json.ts';
import { asObject, getText } from '../../../../src/changes/model/jsonMembers.ts';
import { ConflictError } from '../../../../src/changes/run/writeErrors.ts';
import { createRuleWrites } from '../../../../src/changes/rules/ruleWrites.ts';
import { expectDefined, expectInstance } from '../../../support/expectations.ts';
import {
  createRename,
  createShopRule,
  describeShopRules,
  killRename,
  newName,
  openShop,
  readColumnName,
  readShopRules,
  shop,
} from './renameColumn.ts';
import {
  advanceUntilSettled,
  type ChangeFixture,
  connectionId,
  createOperation,
  createTableRef,
  createTableUpdate,
  getFailure,
} from './support.ts';
import { stopOperation } from './stopOperation.ts';

/** Stops an apply that renames a column right before the rename: its rules on the new name are there. */
async function stopAtRename(fixture: ChangeFixture) {
  const { operation, oldName } = await createRename(fixture);
  const { writer, entry } = await stopOperation(fixture, operation, (line) =>
    line.startsWith('PATCH') && line.includes(createTableRef('Stores').tableId) ? 'refusal' : undefined,
  );
  const newRules = (await readShopRules(fixture)).filter(({ column }) => column === newName);
  expect(newRules).toHaveLength(2);
  return { oldName, newRules, resume: () => writer.resume(entry) };
}

describe('resuming an apply that stopped before it renamed a column', () => {
  test('renames the column if the rules on its new name are still there', async () => {
    using fixture = openShop();
    const { resume } = await stopAtRename(fixture);
    await resume();
    expect(await readColumnName(fixture)).toBe(newName);
    expect(await describeShopRules(fixture)).toEqual([`${newName}: ["a"]`, `${newName}: []`]);
  });

  test.each([
    ['deleted all of', 2],
    ['deleted one of', 1],
  ])('writes nothing if others have %s these rules', async (_title, count) => {
    using fixture = openShop();
    const { oldName, newRules, resume } = await stopAtRename(fixture);
    for (const rule of newRules.slice(0, count)) {
      await fixture.client.extractRules.delete({ ruleId: getText(rule['_id']) });
    }
    const requests = fixture.getWriteRequests().length;
    const { ref } = expectInstance(await getFailure(resume()), ConflictError);
    expect(ref).toEqual({ kind: 'columnRules', subject: shop, table: 'Stores', column: newName });
    expect(fixture.getWriteRequests()).toHaveLength(requests);
    expect(await readColumnName(fixture)).toBe(oldName);
    expect(await describeShopRules(fixture)).toEqual(
      expect.arrayContaining([`${oldName}: ["a"]`, `${oldName}: []`]),
    );
  });

  test('writes nothing if others have widened one of these rules', async () => {
    using fixture = openShop();
    const { newRules, resume } = await stopAtRename(fixture);
    const rule = expectDefined(
      newRules.find(({ members }) => Array.isArray(members) && members.length === 1),
    );
    await fixture.client.extractRules.update(
      { ruleId: getText(rule['_id']) },
      { ...rule, members: ['a', 'b'] },
    );
    expect(await getFailure(resume())).toBeInstanceOf(ConflictError);
  });
});

test('an apply that was killed before it deleted the rules on the old name keeps these if others have deleted the new ones', async () => {
  using fixture = openShop();
  const { operation, oldName } = await createRename(fixture);
  await killRename(fixture, operation);
  for (const rule of await readShopRules(fixture)) {
    if (rule['column'] === newName) {
      await fixture.client.extractRules.delete({ ruleId: getText(rule['_id']) });
    }
  }
  const { writer, history } = fixture.open();
  const entry = expectDefined((await history.readUnfinishedEntries(connectionId))[0]);
  expect(await advanceUntilSettled(fixture, getFailure(writer.resume(entry)))).toBeInstanceOf(ConflictError);
  expect(await describeShopRules(fixture)).toEqual([`${oldName}: ["a"]`, `${oldName}: []`]);
});

describe('resuming an apply that has added rules, which others have deleted since', () => {
  /** Stops an apply that adds a rule on Stores before its last write, and deletes the rule. */
  async function stopBeforeUpdate(fixture: ChangeFixture, table: string, changes: JsonObject) {
    const adds = [createShopRule(undefined, newName, ['a'])];
    const operation = createOperation(
      [...createRuleWrites(shop, { adds, deletes: [] }), createTableUpdate(table, changes)],
      'apply',
    );
    const { writer, entry } = await stopOperation(fixture, operation, (line) =>
      line.startsWith('PATCH') ? 'refusal' : undefined,
    );
    const [rule] = (await readShopRules(fixture)).filter(({ column }) => column === newName);
    await fixture.client.extractRules.delete({ ruleId: getText(expectDefined(rule)['_id']) });
    return { resume: () => writer.resume(entry) };
  }

  test('finishes the apply if no remaining write depends on these rules', async () => {
    using fixture = openShop();
    const { resume } = await stopBeforeUpdate(fixture, 'Stores', { description: 'Mine' });
    await resume();
    expect(await fixture.read(createTableRef('Stores'))).toMatchObject({ description: 'Mine' });
  });

  test('writes nothing if the remaining SQL might add the column of these rules', async () => {
    using fixture = openShop();
    const expression = { expression: { expression: 'SELECT 1 AS [Renamed]' } };
    const { resume } = await stopBeforeUpdate(fixture, 'Stores', { expression });
    const requests = fixture.getWriteRequests().length;
    expect(await getFailure(resume())).toBeInstanceOf(ConflictError);
    expect(fixture.getWriteRequests()).toHaveLength(requests);
  });

  test('finishes the apply if the remaining SQL is that of another table', async () => {
    using fixture = openShop();
    const table = createTableRef('Customer Value');
    const { expression } = asObject(asObject(await fixture.read(table))['expression']);
    const changes = { expression: { expression: `${getText(expression)} -- Mine` } };
    const { resume } = await stopBeforeUpdate(fixture, 'Customer Value', changes);
    await resume();
    expect(await fixture.read(table)).toMatchObject(changes);
  });
});
