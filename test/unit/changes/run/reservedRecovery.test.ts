import { describe, expect, test } from 'vitest';
import { ClaimedError } from '../../../../src/changes/journal/claimedError.ts';
import { interruptTableChanges } from './interruptTableChanges.ts';
import { ChangeFixture, connectionId, createOperation, getFailure } from './support.ts';

describe.each(['resume', 'rollBack', 'abandon', 'recordStop'] as const)('%s', (method) => {
  test('is refused while an apply has reserved the connection', async () => {
    using fixture = new ChangeFixture();
    const { writer, history, entry } = await interruptTableChanges(fixture, 'lost');
    const sentBefore = fixture.transport.requestLines.length;
    const reservation = await history.reserve(connectionId);
    expect(await getFailure(writer[method](entry))).toBeInstanceOf(ClaimedError);
    expect(fixture.transport.requestLines).toHaveLength(sentBefore);
    await reservation.release();
    await writer[method](entry);
  });

  test('is not refused because of another change that has not ended', async () => {
    using fixture = new ChangeFixture();
    const { writer, history, entry } = await interruptTableChanges(fixture, 'lost');
    const other = await history.begin({ operation: createOperation([]), before: [] });
    await writer[method](entry);
    const unended = (await history.readEntries(connectionId)).filter(({ end }) => end === undefined);
    expect(unended.map(({ id }) => id)).toEqual([other.id]);
  });

  test('ends the reservation after a failure', async () => {
    using fixture = new ChangeFixture();
    const { writer, history, entry } = await interruptTableChanges(fixture, 'lost');
    fixture.sandbox.faults.set([{ kind: 'status', status: 403, methods: ['GET', 'PATCH'] }]);
    await getFailure(writer[method](entry));
    await (await history.reserve(connectionId)).release();
  });
});
