import { describe, expect, test } from 'vitest';
import { AbandonedUndoError, ConflictError } from '../../../../src/changes/run/writeErrors.ts';
import { expectDefined, expectInstance } from '../../../support/expectations.ts';
import { createRename, describeShopRules, hasRules, killRename, newName, openShop } from './renameColumn.ts';
import { runKilled } from './simulateInterruption.ts';
import { advanceUntilSettled, type ChangeFixture, connectionId, getFailure } from './support.ts';

/** Kills an apply that renames a column with rules, and then its rollback, at one of its requests. */
async function killRollBack(
  fixture: ChangeFixture,
  killed: { readonly killedAt: number; readonly loss: 'request-lost' | 'response-lost' },
) {
  const { operation } = await createRename(fixture);
  await killRename(fixture, operation);
  const { writer, history } = fixture.open();
  const entry = expectDefined((await history.readUnfinishedEntries(connectionId))[0]);
  expect(await runKilled(fixture, killed, () => advanceUntilSettled(fixture, writer.rollBack(entry)))).toBe(
    true,
  );
  return { entry, ...fixture.open() };
}

const kills = [1, 2, 3].flatMap((killedAt) =>
  (['request-lost', 'response-lost'] as const).map((loss) => ({ killedAt, loss })),
);

describe.each(kills)('a change whose rollback was killed at request $killedAt ($loss)', (killed) => {
  test('is as before if the user cancels abandoning it, and can be finished', async () => {
    using fixture = openShop();
    const { entry, writer, history } = await killRollBack(fixture, killed);
    const before = await history.readEntries(connectionId);
    const abort = new AbortController();
    const pathPrefix = '/api/elasticubes';
    fixture.sandbox.faults.set([{ kind: 'tooManyRequests', retryAfter: 40, methods: ['GET'], pathPrefix }]);
    const reason = new Error('Canceled');
    const failure = await advanceUntilSettled(
      fixture,
      getFailure(writer.abandon(entry, { signal: abort.signal, onWait: () => abort.abort(reason) })),
    );
    fixture.sandbox.faults.set([]);
    expect(failure).toBe(reason);
    expect(await history.readEntries(connectionId)).toEqual(before);
    const resumed = await advanceUntilSettled(fixture, fixture.open().writer.resume(entry));
    expect(resumed.writeStates.map(({ state }) => state)).toEqual(['done', 'done', 'done']);
    expect(await describeShopRules(fixture)).toEqual([`${newName}: ["a"]`, `${newName}: []`]);
  });

  test('can be abandoned together with its rollback', async () => {
    using fixture = openShop();
    const { entry, writer, history } = await killRollBack(fixture, killed);
    await writer.abandon(entry);
    expect(await history.readEntries(connectionId)).toMatchObject([
      { undoneEntryId: entry.id, isAbandoned: true },
      { id: entry.id, isAbandoned: true },
    ]);
  });
});

test('a change can only be abandoned if its rollback was abandoned after it had undone a part of the change', async () => {
  using fixture = openShop();
  const { entry, writer, history } = await killRollBack(fixture, { killedAt: 3, loss: 'response-lost' });
  const [undo] = await history.readUnfinishedEntries(connectionId);
  expect(undo?.undoneEntryId).toBe(entry.id);
  await writer.abandon(expectDefined(undo));
  const sentBefore = fixture.getWriteRequests().length;
  expect(await getFailure(writer.resume(entry))).toBeInstanceOf(AbandonedUndoError);
  expect(fixture.getWriteRequests()).toHaveLength(sentBefore);
  expect(await hasRules(fixture)).toBe(true);
  const refusal = expectInstance(await getFailure(writer.rollBack(entry)), AbandonedUndoError);
  expect(refusal.message).toMatch(/^The change can't be rolled back .* Abandon it\.$/);
  // Instead of that, the user can review the rollback.
  expectInstance(refusal.cause, ConflictError);
  expect(fixture.getWriteRequests()).toHaveLength(sentBefore);
  await writer.abandon(entry);
  expect(await history.readUnfinishedEntries(connectionId)).toEqual([]);
});
