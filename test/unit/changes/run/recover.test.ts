import { describe, expect, test } from 'vitest';
import { ApiError } from '../../../../src/client/errors.ts';
import { getText } from '../../../../src/changes/model/jsonMembers.ts';
import { createBulkRuleOperation } from '../../../../src/changes/operations/ruleActions.ts';
import type { ReviewOptions } from '../../../../src/changes/run/accessGains.ts';
import { PlanNeededError } from '../../../../src/changes/run/writeErrors.ts';
import { expectInstance } from '../../../support/expectations.ts';
import { interruptTableChanges, stopUndo } from './interruptTableChanges.ts';
import {
  ChangeFixture,
  connectionId,
  createOperation,
  createTableRef,
  createTableUpdate,
  getFailure,
} from './support.ts';
import { stopOperation } from './stopOperation.ts';

const cube = { kind: 'extract', server: 'LocalHost', elasticube: 'Cube' } as const;
const createRule = (value: string, user: string) => ({
  table: 'Stores',
  column: 'Region',
  datatype: 'text',
  members: [value],
  allMembers: null,
  shares: [{ type: 'user', party: user }],
});

/** Stops an operation on two tables before its second write. */
async function stopTables(fixture: ChangeFixture) {
  const operation = createOperation(
    ['Orders', 'Stores'].map((table) => createTableUpdate(table, { description: 'Mine' })),
  );
  const { writer, entry } = await stopOperation(fixture, operation, (line) =>
    line.includes(createTableRef('Stores').tableId) ? 'refusal' : undefined,
  );
  return { writer, entryId: entry.id };
}

const readDescriptions = async (fixture: ChangeFixture) =>
  Promise.all(
    ['Orders', 'Stores'].map(async (table) =>
      getText((await fixture.readObject(createTableRef(table)))['description']),
    ),
  );

describe('an operation that was stopped is ended automatically', () => {
  test('by finishing it if it changes documents', async () => {
    using fixture = new ChangeFixture();
    const { writer, entryId } = await stopTables(fixture);
    const result = await writer.recover({ connectionId, entryId }, {});
    expect(result).toMatchObject({ ending: 'finished', report: { entryId } });
    expect(await readDescriptions(fixture)).toEqual(['Mine', 'Mine']);
  });

  test('by rolling it back if it changes rules', async () => {
    using fixture = new ChangeFixture();
    await fixture.client.extractRules.create(cube, [createRule('North', 'anna')]);
    const [rule] = (await fixture.client.extractRules.list(cube)).value;
    const operation = createBulkRuleOperation({ connectionId, within: [] }, cube, {
      adds: [createRule('South', 'ben')],
      deletes: [{ index: 0, rule: { ...rule } }],
    });
    const { writer, entry } = await stopOperation(fixture, operation, (line) =>
      line.startsWith('DELETE') ? 'refusal' : undefined,
    );
    expect(await writer.recover({ connectionId, entryId: entry.id }, {})).toMatchObject({
      ending: 'rolled-back',
    });
    const rules = (await fixture.client.extractRules.list(cube)).value;
    expect(rules.map(({ members }) => members)).toEqual([['North']]);
  });

  test('but not if what remains needs a review', async () => {
    using fixture = new ChangeFixture();
    const { writer, entryId } = await stopTables(fixture);
    const sent = fixture.getWriteRequests().length;
    const recover = (review: ReviewOptions) => writer.recover({ connectionId, entryId }, { review });
    expectInstance(await getFailure(recover({ alwaysReview: true })), PlanNeededError);
    expect(fixture.getWriteRequests()).toHaveLength(sent);
    expect(await recover({ reviewsGains: true })).toMatchObject({ ending: 'finished' });
    expect(await readDescriptions(fixture)).toEqual(['Mine', 'Mine']);
  });

  test('but not if its undo, which has to be rolled back first, was interrupted', async () => {
    using fixture = new ChangeFixture();
    const { writer, history, entry } = await interruptTableChanges(fixture, 'arrived');
    await stopUndo(fixture, entry);
    const recovery = writer.recover({ connectionId, entryId: entry.id }, { review: {} });
    expectInstance(await getFailure(recovery), PlanNeededError);
    expect((await history.readEntry(connectionId, entry.id))?.end).toBe('stopped');
  });

  test('but not if the history does not have it, or it has ended before', async () => {
    using fixture = new ChangeFixture();
    const { writer, entryId } = await stopTables(fixture);
    expect(await writer.recover({ connectionId, entryId: 'other' }, {})).toBeUndefined();
    await writer.recover({ connectionId, entryId }, {});
    expect(await writer.recover({ connectionId, entryId }, {})).toBeUndefined();
  });

  test('but not if that fails, and the reason is reported', async () => {
    using fixture = new ChangeFixture();
    const { writer, entryId } = await stopTables(fixture);
    fixture.failsAllRequests = true;
    expect(await getFailure(writer.recover({ connectionId, entryId }, {}))).toBeInstanceOf(ApiError);
  });
});
