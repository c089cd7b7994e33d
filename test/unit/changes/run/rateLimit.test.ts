import { describe, expect, test } from 'vitest';
import type { Operation } from '../../../../src/changes/model/operation.ts';
import { formatPath } from '../../../../src/contract/endpoints.ts';
import type { RunOptions } from '../../../../src/changes/run/runOptions.ts';
import { StoppedError } from '../../../../src/changes/run/writeErrors.ts';
import { expectDefined, expectInstance } from '../../../support/expectations.ts';
import {
  ChangeFixture,
  connectionId,
  createOperation,
  createTableRef,
  createTableUpdate,
  getFailure,
} from './support.ts';

const updates = ['Orders', 'Returns', 'Calendar'].map((table) =>
  createTableUpdate(table, { description: `New ${table}` }),
);

/** Runs an operation of which one write, by default the second one, is answered with 429 a few times. */
async function runLimited(
  fixture: ChangeFixture,
  {
    operation = createOperation(updates, 'apply'),
    table = 'Returns',
    count = 1,
    retryAfterSeconds = 5,
    methods = ['PATCH'],
    isVisible = true,
    onWait,
    signal,
  }: {
    readonly operation?: Operation;
    readonly table?: string;
    readonly count?: number;
    readonly retryAfterSeconds?: number;
    readonly methods?: readonly ('PATCH' | 'DELETE')[];
    /** Whether the user sees that it waits. */
    readonly isVisible?: boolean;
    readonly onWait?: () => Promise<void>;
  } & Pick<RunOptions, 'signal'>,
) {
  const { clock, faults } = fixture.sandbox;
  faults.set([
    {
      kind: 'tooManyRequests',
      retryAfter: retryAfterSeconds,
      methods: [...methods],
      pathPrefix: formatPath('tables.update', createTableUpdate(table, {}).params),
      count,
    },
  ]);
  const waits: number[] = [];
  const { writer, history } = fixture.open();
  const { planHash } = await writer.plan(operation);
  const run = writer.run(operation, {
    approval: writer.approve(planHash),
    signal,
    ...(isVisible
      ? {
          onWait: (ms: number) => {
            waits.push(ms);
            void (onWait?.() ?? Promise.resolve()).then(() => clock.advance(ms));
          },
        }
      : {}),
  });
  return { run, waits, history, writer };
}

describe('a write that is answered with 429', () => {
  test('is sent again after the time that the server asks for', async () => {
    using fixture = new ChangeFixture();
    const { run, waits, history } = await runLimited(fixture, { count: 2, retryAfterSeconds: 7 });
    expect((await run).writeStates.map(({ state }) => state)).toEqual(['done', 'done', 'done']);
    expect(waits).toEqual([7000, 7000]);
    expect(fixture.getWriteRequests()).toHaveLength(5);
    expect(await fixture.readObject(createTableRef('Returns'))).toMatchObject({ description: 'New Returns' });
    expect(await history.readEntries(connectionId)).toMatchObject([{ end: 'done' }]);
  });

  test('stops the operation after ten minutes in all', async () => {
    using fixture = new ChangeFixture();
    const limitedRun = await runLimited(fixture, { count: 999 });
    const { report, cause } = expectInstance(await getFailure(limitedRun.run), StoppedError);
    expect(cause).toMatchObject({ status: 429 });
    expect(report.writeStates.map(({ state }) => state)).toEqual(['done', 'failed', 'waiting']);
    expect(limitedRun.waits).toHaveLength(120);
  });

  test('is not sent again if the wait would be longer than ten minutes', async () => {
    using fixture = new ChangeFixture();
    const limitedRun = await runLimited(fixture, { retryAfterSeconds: 601 });
    expect(expectInstance(await getFailure(limitedRun.run), StoppedError).cause).toMatchObject({
      status: 429,
    });
    expect(limitedRun.waits).toEqual([]);
  });

  test('is not sent again if another user has changed its target in the meantime', async () => {
    using fixture = new ChangeFixture();
    const limitedRun = await runLimited(fixture, {
      onWait: async () => {
        const { client } = fixture;
        await client.tables.update(createTableRef('Returns'), { description: "Another user's" });
      },
    });
    const { cause, report } = expectInstance(await getFailure(limitedRun.run), StoppedError);
    expect(cause).toMatchObject({ name: 'ConflictError', ref: createTableRef('Returns') });
    expect(report.writeStates.map(({ state }) => state)).toEqual(['done', 'failed', 'waiting']);
    expect(await fixture.readObject(createTableRef('Returns'))).toMatchObject({
      description: "Another user's",
    });
  });

  test('is not sent again if it took effect although the server answered 429', async () => {
    using fixture = new ChangeFixture();
    const { run } = await runLimited(fixture, {
      onWait: async () => {
        await fixture.client.tables.update(createTableRef('Returns'), { description: 'New Returns' });
      },
    });
    expect((await run).writeStates.map(({ state }) => state)).toEqual(['done', 'done', 'done']);
    // Three writes of the operation, and the update above, by which the refused write takes effect.
    expect(fixture.getWriteRequests()).toHaveLength(4);
  });

  test('is not sent again after the operation was canceled', async () => {
    using fixture = new ChangeFixture();
    const controller = new AbortController();
    const limitedRun = await runLimited(fixture, {
      signal: controller.signal,
      onWait: async () => controller.abort(),
    });
    const { report } = expectInstance(await getFailure(limitedRun.run), StoppedError);
    expect(report.writeStates.map(({ state }) => state)).toEqual(['done', 'failed', 'waiting']);
    expect(fixture.getWriteRequests()).toHaveLength(2);
  });

  test('is sent again if it is a single one whose wait is visible', async () => {
    using fixture = new ChangeFixture();
    const operation = createOperation([createTableUpdate('Orders', { description: 'New' })]);
    const { run, waits } = await runLimited(fixture, { operation, table: 'Orders', count: 20 });
    expect((await run).writeStates).toMatchObject([{ state: 'done' }]);
    expect(waits).toEqual(Array.from({ length: 20 }, () => 5000));
  });

  test('is sent again if it deletes something, and each wait is visible', async () => {
    using fixture = new ChangeFixture();
    const { params } = createTableUpdate('Orders', {});
    const deletion = { endpoint: 'tables.delete', params, target: createTableRef('Orders') } as const;
    const { run, waits } = await runLimited(fixture, {
      operation: createOperation([deletion], 'apply'),
      table: 'Orders',
      methods: ['DELETE'],
      count: 4,
    });
    expect((await run).writeStates).toMatchObject([{ state: 'done' }]);
    expect(waits).toEqual([5000, 5000, 5000, 5000]);
    expect(await fixture.read(createTableRef('Orders'))).toBeUndefined();
  });

  test('is sent again when the operation is rolled back', async () => {
    using fixture = new ChangeFixture();
    const before = await fixture.readObject(createTableRef('Orders'));
    const limitedRun = await runLimited(fixture, { retryAfterSeconds: 601 });
    expect(await getFailure(limitedRun.run)).toBeInstanceOf(StoppedError);
    const [entry] = await limitedRun.history.readEntries(connectionId);
    const { clock, faults } = fixture.sandbox;
    faults.set([{ kind: 'tooManyRequests', retryAfter: 9, methods: ['PATCH'], count: 3 }]);
    const waits: number[] = [];
    const onWait = (ms: number): void => {
      waits.push(ms);
      void clock.advance(ms);
    };
    await limitedRun.writer.rollBack(expectDefined(entry), { onWait });
    expect(waits).toEqual([9000, 9000, 9000]);
    expect((await fixture.readObject(createTableRef('Orders')))['description']).toBe(before['description']);
  });

  test('is sent again although its target cannot be read at first', async () => {
    using fixture = new ChangeFixture();
    const { faults } = fixture.sandbox;
    const limitedRun = await runLimited(fixture, {
      onWait: async () => {
        if (limitedRun.waits.length === 1) {
          faults.set([{ kind: 'tooManyRequests', retryAfter: 40, methods: ['GET'], count: 2 }]);
        }
      },
    });
    expect((await limitedRun.run).writeStates.map(({ state }) => state)).toEqual(['done', 'done', 'done']);
    expect(limitedRun.waits).toEqual([5000, 40_000, 40_000]);
  });

  test('is reported at once if a user saves a single document and would not see the wait', async () => {
    using fixture = new ChangeFixture();
    const operation = createOperation([createTableUpdate('Orders', { description: 'New' })]);
    const limitedRun = await runLimited(fixture, { operation, table: 'Orders', isVisible: false });
    expect(expectInstance(await getFailure(limitedRun.run), StoppedError).cause).toMatchObject({
      status: 429,
    });
    expect(limitedRun.waits).toEqual([]);
  });
});

describe('a write that was answered with 429 may take effect later', () => {
  /** Checks that an operation has stopped in doubt, and is rolled back if the first request then takes effect. */
  async function expectInDoubt(
    fixture: ChangeFixture,
    { run, history }: Awaited<ReturnType<typeof runLimited>>,
    cause: object,
  ): Promise<void> {
    const error = expectInstance(await getFailure(run), StoppedError);
    expect(error).toMatchObject({ changedNothing: true, mayTakeEffectLater: true, cause });
    expect(error.report.writeStates.map(({ state }) => state)).toEqual(['failed', 'waiting', 'waiting']);
    fixture.getWriteFault = () => undefined;
    const orders = createTableRef('Orders');
    await fixture.client.tables.update(orders, { description: 'New Orders' });
    await fixture
      .open()
      .writer.rollBack(expectDefined((await history.readEntries(connectionId))[0], 'entry'));
    expect((await fixture.readObject(orders))['description']).not.toBe('New Orders');
  }

  test('although the operation is then canceled', async () => {
    using fixture = new ChangeFixture();
    const controller = new AbortController();
    const limitedRun = await runLimited(fixture, {
      table: 'Orders',
      signal: controller.signal,
      onWait: async () => controller.abort(),
    });
    // The reason of the signal, not that the request was canceled: a check has shown that it had no effect.
    await expectInDoubt(fixture, limitedRun, { name: 'AbortError' });
  });

  test('although the next request is refused', async () => {
    using fixture = new ChangeFixture();
    const limitedRun = await runLimited(fixture, {
      table: 'Orders',
      onWait: async () => {
        fixture.getWriteFault = () => 'refusal';
      },
    });
    await expectInDoubt(fixture, limitedRun, { status: 403 });
  });

  test('although others have changed its target in the meantime', async () => {
    using fixture = new ChangeFixture();
    const limitedRun = await runLimited(fixture, {
      table: 'Orders',
      onWait: async () => {
        await fixture.client.tables.update(createTableRef('Orders'), { description: "Another user's" });
      },
    });
    const error = expectInstance(await getFailure(limitedRun.run), StoppedError);
    expect(error).toMatchObject({ mayTakeEffectLater: true, cause: { name: 'ConflictError' } });
  });
});

describe('while an apply is running, a change by another user', () => {
  test('of a target that is not written yet stops the apply, and is not lost', async () => {
    using fixture = new ChangeFixture();
    const limitedRun = await runLimited(fixture, {
      table: 'Orders',
      onWait: async () => {
        await fixture.client.tables.update(createTableRef('Calendar'), { description: "Another user's" });
      },
    });
    const { cause, report } = expectInstance(await getFailure(limitedRun.run), StoppedError);
    expect(cause).toMatchObject({ name: 'ConflictError', ref: createTableRef('Calendar') });
    expect(report.writeStates.map(({ state }) => state)).toEqual(['done', 'done', 'failed']);
    expect(await fixture.readObject(createTableRef('Calendar'))).toMatchObject({
      description: "Another user's",
    });
  });
});
