import { expect, test } from 'vitest';
import { deleteRule } from '../../../../src/changes/operations/ruleActions.ts';
import { getObjects, getText } from '../../../../src/changes/model/readJson.ts';
import { EndedError } from '../../../../src/changes/run/writeErrors.ts';
import { apply } from '../journal/apply.ts';
import { Bench, connectionId, failure } from './support.ts';

const retail = { kind: 'extract', server: 'LocalHost', elasticube: 'Retail' } as const;

/** A rule was deleted, and the user undoes that. */
async function deletedRule(bench: Bench) {
  const { writer, history } = bench.open();
  const rules = async () => getObjects(await bench.read({ kind: 'rules', subject: retail }));
  const [rule = {}, ...others] = await rules();
  await apply(writer, deleteRule({ connectionId, within: [] }, retail, getText(rule['_id']), 'It'));
  const [deleted] = await history.readEntries(connectionId);
  if (deleted === undefined) {
    throw new Error('Nothing was written down');
  }
  const worked = await writer.planUndo(deleted);
  const back = async (how = writer.planUndo(deleted)) => {
    const { operation, expect: expected, moved, timesBefore } = await how;
    return apply(writer, operation, { expect: expected, undoes: deleted.id, moved, timesBefore });
  };
  return { back, worked: Promise.resolve(worked), rules, count: others.length + 1 };
}

test('two simultaneous undos restore a rule once', async () => {
  using bench = new Bench();
  const { back, rules, count } = await deletedRule(bench);
  const ends = await Promise.allSettled([back(), back()]);
  expect(ends.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  expect(ends.map((end) => (end.status === 'rejected' ? end.reason : undefined))).toContainEqual(
    expect.any(EndedError),
  );
  expect(await rules()).toHaveLength(count);
});

test('an undo that was rejected before it changed anything can be retried as planned', async () => {
  using bench = new Bench();
  const { back, worked, rules, count } = await deletedRule(bench);
  bench.sandbox.faults.set([{ kind: 'status', status: 403, methods: ['POST'] }]);
  expect(await failure(back(worked))).toMatchObject({ changedNothing: true });
  bench.sandbox.faults.set([]);
  await back(worked);
  expect(await rules()).toHaveLength(count);
  expect(await failure(back(worked))).toBeInstanceOf(EndedError);
});
