import { expect, test } from 'vitest';
import { createRuleDeletionOperation } from '../../../../src/changes/operations/ruleActions.ts';
import { getObjects, getText } from '../../../../src/changes/model/jsonMembers.ts';
import { EndedError } from '../../../../src/changes/run/writeErrors.ts';
import { runApproved } from '../journal/runApproved.ts';
import { ChangeFixture, connectionId, getFailure } from './support.ts';

const retail = { kind: 'extract', server: 'LocalHost', elasticube: 'Retail' } as const;

/** Deletes a rule, and returns a function that undoes the deletion. */
async function deleteRule(fixture: ChangeFixture) {
  const { writer, history } = fixture.open();
  const readRules = async () => getObjects(await fixture.read({ kind: 'rules', subject: retail }));
  const [rule = {}, ...others] = await readRules();
  await runApproved(
    writer,
    createRuleDeletionOperation({ connectionId, within: [] }, retail, getText(rule['_id']), 'It'),
  );
  const [deleted] = await history.readEntries(connectionId);
  if (deleted === undefined) {
    throw new Error('Nothing was recorded');
  }
  const plannedUndo = await writer.planUndo(deleted);
  const undo = async (plan = writer.planUndo(deleted)) => {
    const { operation, expectedVersions: expected, restoredIds, undoCountBefore } = await plan;
    return runApproved(writer, operation, {
      expectedVersions: expected,
      undoneEntryId: deleted.id,
      restoredIds,
      undoCountBefore,
    });
  };
  return {
    undo,
    plannedUndo: Promise.resolve(plannedUndo),
    readRules,
    ruleCount: others.length + 1,
  };
}

test('two simultaneous undos restore a rule once', async () => {
  using fixture = new ChangeFixture();
  const { undo, readRules, ruleCount } = await deleteRule(fixture);
  const results = await Promise.allSettled([undo(), undo()]);
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  expect(results.map((end) => (end.status === 'rejected' ? end.reason : undefined))).toContainEqual(
    expect.any(EndedError),
  );
  expect(await readRules()).toHaveLength(ruleCount);
});

test('an undo that was rejected before it changed anything can be retried as planned', async () => {
  using fixture = new ChangeFixture();
  const { undo, plannedUndo, readRules, ruleCount } = await deleteRule(fixture);
  fixture.sandbox.faults.set([{ kind: 'status', status: 403, methods: ['POST'] }]);
  expect(await getFailure(undo(plannedUndo))).toMatchObject({ changedNothing: true });
  fixture.sandbox.faults.set([]);
  await undo(plannedUndo);
  expect(await readRules()).toHaveLength(ruleCount);
  expect(await getFailure(undo(plannedUndo))).toBeInstanceOf(EndedError);
});
