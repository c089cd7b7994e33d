import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../../src/base/json.ts';
import { getObjects, getText } from '../../../../src/changes/model/jsonMembers.ts';
import { ConflictError, StoppedError } from '../../../../src/changes/run/writeErrors.ts';
import { createRuleWrites } from '../../../../src/changes/rules/ruleWrites.ts';
import { formatPath } from '../../../../src/contract/endpoints.ts';
import { groups } from '../../../../src/sandbox/seeds/people.ts';
import { expectDefined, expectInstance } from '../../../support/expectations.ts';
import { ChangeFixture, connectionId, createOperation, createTableUpdate, getFailure } from './support.ts';

const path = { server: 'LocalHost', elasticube: 'Shop' } as const;
const shop = { kind: 'extract', ...path } as const;

const createRule = (
  group: { readonly _id: string },
  column: string,
  members: readonly string[],
): JsonObject => ({
  table: 'Orders',
  column,
  datatype: 'text',
  members,
  allMembers: null,
  exclusionary: false,
  shares: [{ type: 'group', party: group._id }],
});

const readRules = async (fixture: ChangeFixture): Promise<readonly JsonObject[]> =>
  getObjects(await fixture.read({ kind: 'rules', subject: shop }));
const describeRules = (rules: readonly JsonObject[]): readonly string[] =>
  rules.map(({ column, members }) => `${getText(column)}: ${JSON.stringify(members)}`).toSorted();

/**
 * Stops an apply at the second of its writes: it updates a rule, then a table, and then updates and deletes other rules.
 */
async function stopAtTable(fixture: ChangeFixture) {
  const { writer, history } = fixture.open();
  await fixture.client.extractRules.create(path, [
    createRule(groups.sales, 'Status', ['Open']),
    createRule(groups.sales, 'Channel', ['Web']),
    createRule(groups.finance, 'Channel', ['Shop']),
  ]);
  const [status, web, store] = await readRules(fixture);
  const [first, second, deleted] = [expectDefined(status), expectDefined(web), expectDefined(store)];
  const createUpdate = (before: JsonObject, members: readonly string[]) => ({
    before,
    after: { ...before, members },
  });
  const operation = createOperation(
    [
      ...createRuleWrites(shop, { adds: [], deletes: [], updates: [createUpdate(first, ['Shipped'])] }),
      createTableUpdate('Returns', { description: 'New' }),
      ...createRuleWrites(shop, {
        adds: [],
        deletes: [{ rule: deleted, index: 0 }],
        updates: [createUpdate(second, ['Phone'])],
      }),
    ],
    'apply',
  );
  expect(operation.writes.map(({ endpoint }) => endpoint)).toEqual([
    'extractRules.update',
    'tables.update',
    'extractRules.update',
    'extractRules.delete',
  ]);
  const pathPrefix = formatPath('tables.update', createTableUpdate('Returns', {}).params);
  fixture.sandbox.faults.set([{ kind: 'status', status: 403, methods: ['PATCH'], pathPrefix }]);
  const { planHash } = await writer.plan(operation);
  const failure = await getFailure(writer.run(operation, { approval: writer.approve(planHash) }));
  const { report } = expectInstance(failure, StoppedError);
  expect(report.writeStates.map(({ state }) => state)).toEqual(['done', 'failed', 'waiting', 'waiting']);
  fixture.sandbox.faults.set([]);
  const [entry] = await history.readEntries(connectionId);
  return { deleted, resume: () => writer.resume(expectDefined(entry, 'entry')) };
}

describe('an apply that has changed a rule and stopped before other rules of the same datamodel', () => {
  test('can be resumed', async () => {
    using fixture = new ChangeFixture({ built: [{ title: 'Shop', type: 'extract' }] });
    const { resume } = await stopAtTable(fixture);
    const { writeStates } = await resume();
    expect(writeStates.map(({ state }) => state)).toEqual(['done', 'done', 'done', 'done']);
    expect(describeRules(await readRules(fixture))).toEqual(['Channel: ["Phone"]', 'Status: ["Shipped"]']);
  });

  test('does not overwrite a rule that others have changed since', async () => {
    using fixture = new ChangeFixture({ built: [{ title: 'Shop', type: 'extract' }] });
    const { deleted, resume } = await stopAtTable(fixture);
    const ruleId = getText(deleted['_id']);
    await fixture.client.extractRules.update({ ruleId }, { ...deleted, members: ['Theirs'] });
    const error = await getFailure(resume());
    const { cause } = expectInstance(error, StoppedError);
    expect(expectInstance(cause, ConflictError).ref).toEqual({ kind: 'rule', subject: shop, ruleId });
    expect(describeRules(await readRules(fixture))).toContain('Channel: ["Theirs"]');
  });
});
