import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../../src/base/json.ts';
import { getObjects, getText } from '../../../../src/changes/model/jsonMembers.ts';
import type { Operation } from '../../../../src/changes/model/operation.ts';
import { createTableDeletionWrite } from '../../../../src/changes/model/tableWrites.ts';
import {
  createBulkRuleOperation,
  createRuleDeletionOperation,
} from '../../../../src/changes/operations/ruleActions.ts';
import {
  ChangeFixture,
  type WriteFault,
  advanceUntilSettled,
  connectionId,
  createOperation,
  createTableRef,
  getFailure,
} from './support.ts';

const table = createTableRef('Customer Value');
const retail = { kind: 'extract', server: 'LocalHost', elasticube: 'Retail' } as const;
const location = { connectionId, within: [] };

const readRules = async (fixture: ChangeFixture): Promise<readonly JsonObject[]> =>
  getObjects(await fixture.read({ kind: 'rules', subject: retail }));

/** Runs an operation whose deletions fail first. */
async function runWithFaults(
  fixture: ChangeFixture,
  operation: Operation,
  {
    faults,
    onFault = () => Promise.resolve(),
  }: {
    readonly faults: readonly WriteFault[];
    /** What another user does after the first failure. */
    readonly onFault?: () => Promise<unknown>;
  },
): Promise<unknown> {
  const remaining = [...faults];
  const failed = Promise.withResolvers<void>();
  const { writer } = fixture.open();
  const { planHash } = await writer.plan(operation);
  fixture.getWriteFault = (line) => {
    const fault = line.startsWith('DELETE') ? remaining.shift() : undefined;
    if (fault !== undefined) {
      failed.resolve();
    }
    return fault;
  };
  const run = writer.run(operation, { approval: writer.approve(planHash) });
  // A failure is expected only where the test awaits it.
  run.catch(() => undefined);
  await failed.promise;
  await onFault();
  return advanceUntilSettled(fixture, run);
}

const countDeletions = (fixture: ChangeFixture): number =>
  fixture.getWriteRequests().filter((line) => line.startsWith('DELETE')).length;

describe('the deletion of a table whose request fails', () => {
  const deletion = createOperation([createTableDeletionWrite(table)], 'apply');

  test('is sent again, at most twice, if the table is still there', async () => {
    using fixture = new ChangeFixture();
    await runWithFaults(fixture, deletion, { faults: ['request-lost', 'request-lost'] });
    expect(await fixture.read(table)).toBeUndefined();
    expect(countDeletions(fixture)).toBe(3);
    using other = new ChangeFixture();
    const failure = runWithFaults(other, deletion, {
      faults: ['request-lost', 'request-lost', 'request-lost'],
    });
    expect(await getFailure(failure)).toMatchObject({ name: 'StoppedError', mayTakeEffectLater: true });
    expect(countDeletions(other)).toBe(3);
  });

  test('is done, and not sent again, if it took effect', async () => {
    using fixture = new ChangeFixture();
    await runWithFaults(fixture, deletion, { faults: ['response-lost'] });
    expect(await fixture.read(table)).toBeUndefined();
    expect(countDeletions(fixture)).toBe(1);
  });

  test('is not sent again if others have changed the table in the meantime', async () => {
    using fixture = new ChangeFixture();
    const failure = runWithFaults(fixture, deletion, {
      faults: ['request-lost'],
      onFault: () => fixture.client.tables.update(table, { description: 'Theirs' }),
    });
    expect(await getFailure(failure)).toMatchObject({
      name: 'StoppedError',
      cause: { name: 'ConflictError', ref: table },
    });
    expect(await fixture.readObject(table)).toMatchObject({ description: 'Theirs' });
    expect(countDeletions(fixture)).toBe(1);
  });
});

describe.each([
  [
    'one rule',
    (rule: JsonObject) => createRuleDeletionOperation(location, retail, getText(rule['_id']), 'It'),
  ],
  [
    'rules in bulk',
    (rule: JsonObject) =>
      createBulkRuleOperation(location, retail, { adds: [], deletes: [{ rule, index: 0 }] }),
  ],
] as const)('the deletion of %s whose request fails', (_name, createDeletion) => {
  test('is sent again if the rule is still there', async () => {
    using fixture = new ChangeFixture();
    const [rule = {}, ...others] = await readRules(fixture);
    await runWithFaults(fixture, createDeletion(rule), { faults: ['request-lost'] });
    expect(await readRules(fixture)).toEqual(others);
    expect(countDeletions(fixture)).toBe(2);
  });

  test('is not sent again if it took effect', async () => {
    using fixture = new ChangeFixture();
    const [rule = {}, ...others] = await readRules(fixture);
    await runWithFaults(fixture, createDeletion(rule), { faults: ['response-lost'] });
    expect(await readRules(fixture)).toEqual(others);
    expect(countDeletions(fixture)).toBe(1);
  });

  test('is not sent again if the ID belongs to what others have written in the meantime', async () => {
    using fixture = new ChangeFixture();
    const [rule = {}, ...others] = await readRules(fixture);
    const ruleId = getText(rule['_id']);
    const failure = runWithFaults(fixture, createDeletion(rule), {
      faults: ['request-lost'],
      onFault: () =>
        fixture.client.extractRules.update({ ruleId }, { ...rule, members: ['Theirs'], allMembers: null }),
    });
    expect(await getFailure(failure)).toMatchObject({
      name: 'StoppedError',
      cause: { name: 'ConflictError' },
    });
    expect(await readRules(fixture)).toMatchObject([{ _id: ruleId, members: ['Theirs'] }, ...others]);
    expect(countDeletions(fixture)).toBe(1);
  });
});
