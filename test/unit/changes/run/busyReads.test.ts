import { describe, expect, test } from 'vitest';
import { formatPath } from '../../../../src/contract/endpoints.ts';
import { StoppedError } from '../../../../src/changes/run/writeErrors.ts';
import { expectDefined, expectInstance } from '../../../support/expectations.ts';
import { runApproved } from '../journal/runApproved.ts';
import { interruptTableChanges } from './interruptTableChanges.ts';
import {
  advanceUntilSettled,
  ChangeFixture,
  connectionId,
  createOperation,
  createTableUpdate,
  getFailure,
} from './support.ts';

/** Makes the server busy for its next read; longer than the client itself waits. */
const makeBusy = (fixture: ChangeFixture): void =>
  fixture.sandbox.faults.set([{ kind: 'tooManyRequests', retryAfter: 40, methods: ['GET'], count: 1 }]);

const createApply = () =>
  createOperation(
    [
      createTableUpdate('Orders', { description: 'Mine' }),
      createTableUpdate('Stores', { description: 'Mine' }),
    ],
    'apply',
  );

describe('an apply waits for a busy server', () => {
  test.each([
    ['when it checks a target before its write', undefined],
    ['when it checks a write whose response was lost', 'response-lost'],
  ] as const)('%s', async (_title, secondLoss) => {
    using fixture = new ChangeFixture();
    const { writer } = fixture.open();
    let count = 0;
    fixture.getWriteFault = () => {
      count += 1;
      const isLost = secondLoss !== undefined && count === 2;
      if (isLost || (secondLoss === undefined && count === 1)) {
        makeBusy(fixture);
      }
      return isLost ? secondLoss : undefined;
    };
    const waits: number[] = [];
    const run = runApproved(writer, createApply(), { onWait: (ms) => waits.push(ms) });
    const { writeStates } = await advanceUntilSettled(fixture, run);
    expect(writeStates.map(({ state }) => state)).toEqual(['done', 'done']);
    expect(waits).toEqual([40_000]);
    expect(fixture.getWriteRequests()).toHaveLength(2);
  });

  test('until the user cancels, and reports this as the reason', async () => {
    using fixture = new ChangeFixture();
    const { writer } = fixture.open();
    fixture.getWriteFault = () => {
      makeBusy(fixture);
      return undefined;
    };
    const abort = new AbortController();
    const reason = new Error('Canceled');
    const run = runApproved(writer, createApply(), {
      signal: abort.signal,
      onWait: () => abort.abort(reason),
    });
    const { cause, report } = expectInstance(
      await advanceUntilSettled(fixture, getFailure(run)),
      StoppedError,
    );
    expect(cause).toBe(reason);
    expect(report.writeStates).toMatchObject([{ state: 'done' }, { state: 'failed', refused: true }]);
    expect(fixture.getWriteRequests()).toHaveLength(1);
  });
});

test('a single save whose response was lost does not wait for a busy server, because nobody would see that it waits', async () => {
  using fixture = new ChangeFixture();
  fixture.getWriteFault = () => {
    makeBusy(fixture);
    return 'response-lost';
  };
  const run = runApproved(
    fixture.open().writer,
    createOperation([createTableUpdate('Orders', { description: 'Mine' })]),
    { signal: new AbortController().signal },
  );
  const { report } = expectInstance(await advanceUntilSettled(fixture, getFailure(run)), StoppedError);
  expect(report.writeStates.map(({ state }) => state)).toEqual(['unknown']);
});

describe('ending an interrupted change waits for a busy server', () => {
  test('when it is resumed, before each read', async () => {
    using fixture = new ChangeFixture();
    const { writer, history } = fixture.open();
    const pathPrefix = formatPath('tables.update', createTableUpdate('Stores', {}).params);
    fixture.sandbox.faults.set([{ kind: 'status', status: 403, methods: ['PATCH'], pathPrefix }]);
    expectInstance(await getFailure(runApproved(writer, createApply())), StoppedError);
    const [entry] = await history.readEntries(connectionId);
    const waits: number[] = [];
    fixture.sandbox.faults.set([{ kind: 'tooManyRequests', retryAfter: 40, methods: ['GET'], count: 2 }]);
    const run = writer.resume(expectDefined(entry), { onWait: (ms) => waits.push(ms) });
    const { writeStates } = await advanceUntilSettled(fixture, run);
    expect(writeStates.map(({ state }) => state)).toEqual(['done', 'done']);
    expect(waits).toEqual([40_000, 40_000]);
  });

  test.each(['rollBack', 'abandon'] as const)('with %s', async (command) => {
    using fixture = new ChangeFixture();
    const { writer, history, entry } = await interruptTableChanges(fixture, 'arrived');
    const waits: number[] = [];
    makeBusy(fixture);
    const options = { onWait: (ms: number) => waits.push(ms) };
    await advanceUntilSettled<unknown>(fixture, writer[command](entry, options));
    expect(waits).toEqual([40_000]);
    expect(await history.readUnfinishedEntries(connectionId)).toEqual([]);
  });

  test('until the user cancels abandoning it, which leaves the change as before', async () => {
    using fixture = new ChangeFixture();
    const { writer, history, entry } = await interruptTableChanges(fixture, 'arrived');
    const stopped = await writer.recordStop(entry);
    expect(stopped.end).toBe('stopped');
    const abort = new AbortController();
    const reason = new Error('Canceled');
    abort.abort(reason);
    expect(await getFailure(writer.abandon(stopped, { signal: abort.signal }))).toBe(reason);
    expect(await history.readEntry(connectionId, entry.id)).toEqual(stopped);
  });
});
