import { describe, expect, test } from 'vitest';
import type { Writer } from '../../../../src/changes/run/writer.ts';
import { expectDefined } from '../../../support/expectations.ts';
import {
  ChangeFixture,
  advanceUntilSettled,
  connectionId,
  createOperation,
  createTableUpdate,
  getFailure,
} from './support.ts';

/** Begins a change that waits for a busy server. */
async function beginWaiting(fixture: ChangeFixture, writer: Writer) {
  fixture.getWriteFault = () => 'busy';
  const waiting = Promise.withResolvers<void>();
  const run = writer.run(createOperation([createTableUpdate('Stores', { description: 'First' })]), {
    onWait: () => waiting.resolve(),
  });
  await waiting.promise;
  fixture.getWriteFault = () => undefined;
  return { end: () => advanceUntilSettled(fixture, run) };
}

/** Returns the options of a run that is canceled as soon as it has to wait for another one. */
function createCancellation() {
  const abort = new AbortController();
  const reason = new Error('Canceled');
  const events: boolean[] = [];
  const onQueued = (isQueued: boolean): void => {
    events.push(isQueued);
    abort.abort(reason);
  };
  return { reason, events, options: { signal: abort.signal, onQueued } };
}

const update = createOperation([createTableUpdate('Orders', { description: 'Second' })]);

describe('while another change of the connection waits for a busy server', () => {
  test('a change says that it waits, and is sent afterwards', async () => {
    using fixture = new ChangeFixture();
    const { writer } = fixture.open();
    const first = await beginWaiting(fixture, writer);
    const events: boolean[] = [];
    const second = writer.run(update, { onQueued: (isQueued) => events.push(isQueued) });
    expect(events).toEqual([true]);
    await first.end();
    await second;
    expect(events).toEqual([true, false]);
  });

  test('a change can be canceled: it ends at once, and nothing is recorded', async () => {
    using fixture = new ChangeFixture();
    const { writer, history } = fixture.open();
    const first = await beginWaiting(fixture, writer);
    const requests = [...fixture.transport.requestLines];
    const { reason, events, options } = createCancellation();
    expect(await getFailure(writer.run(update, options))).toBe(reason);
    expect(events).toEqual([true, false]);
    expect(fixture.transport.requestLines).toEqual(requests);
    await first.end();
    expect(await history.readEntries(connectionId)).toHaveLength(1);
  });

  test('finishing, rolling back, or abandoning an interrupted change can be canceled', async () => {
    using fixture = new ChangeFixture();
    await fixture.open().history.begin({ operation: update, before: [] });
    const { writer, history } = fixture.open();
    const entry = expectDefined((await history.readUnfinishedEntries(connectionId))[0]);
    const first = await beginWaiting(fixture, writer);
    for (const name of ['resume', 'rollBack', 'abandon', 'recordStop'] as const) {
      const { reason, events, options } = createCancellation();
      expect(await getFailure(writer[name](entry, options))).toBe(reason);
      expect(events).toEqual([true, false]);
    }
    await first.end();
    expect(await history.readUnfinishedEntries(connectionId)).toMatchObject([{ id: entry.id }]);
  });

  test('a second request to end the same change can be canceled', async () => {
    using fixture = new ChangeFixture();
    await fixture.open().history.begin({ operation: update, before: [] });
    const { writer, history } = fixture.open();
    const entry = expectDefined((await history.readUnfinishedEntries(connectionId))[0]);
    const first = await beginWaiting(fixture, writer);
    const resumed = writer.resume(entry);
    const { reason, events, options } = createCancellation();
    expect(await getFailure(writer.resume(entry, options))).toBe(reason);
    expect(events).toEqual([true, false]);
    await first.end();
    await resumed;
  });
});
