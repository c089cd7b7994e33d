import { expect, test } from 'vitest';
import { checkRightBefore } from '../../../../src/changes/run/checkRightBefore.ts';
import { StoppedError } from '../../../../src/changes/run/writeErrors.ts';
import { createRuleWrites } from '../../../../src/changes/rules/ruleWrites.ts';
import { FakeClock } from '../../../fakes/fakeClock.ts';
import { expectDefined } from '../../../support/expectations.ts';
import { runApproved } from '../journal/runApproved.ts';
import { createShopRule, openShop, shop } from './renameColumn.ts';
import {
  advanceUntilSettled,
  type ChangeFixture,
  createOperation,
  createTableRef,
  createTableUpdate,
  getColumns,
  getFailure,
} from './support.ts';

const stores = createTableRef('Stores');

/** Hides the first column, as another user. */
function hideColumn({ sandbox }: ChangeFixture): void {
  const { tables } = sandbox.store;
  const table = expectDefined(tables.getDocumentInModel(stores.datamodelId, stores.tableId));
  const columns = getColumns(table).map((column, index) =>
    index === 0 ? { ...column, hidden: true } : column,
  );
  tables.update({ ...table, columns });
}

async function expectConflict(fixture: ChangeFixture, failure: unknown): Promise<void> {
  expect(failure).toBeInstanceOf(StoppedError);
  expect(failure).toMatchObject({ cause: { name: 'ConflictError', ref: stores } });
  expect(getColumns(await fixture.read(stores))[0]).toMatchObject({ hidden: true });
}

test.each([
  ['guide', 'first'],
  ['guide', 'second'],
  ['contract', 'first'],
  ['contract', 'second'],
] as const)(
  'a write stops if others change its table while the check of rules waits for a busy server (%s, %s attempt)',
  async (profile, attempt) => {
    using fixture = openShop(profile);
    const columns = getColumns(await fixture.read(stores));
    let state: 'before' | 'sent' | 'table read' | 'changed' = 'before';
    fixture.getWriteFault = (line) => {
      if (!line.startsWith('PATCH') && attempt === 'first') {
        state = 'sent';
      }
      if (line.startsWith('PATCH') && attempt === 'second' && state === 'before') {
        state = 'sent';
        return 'busy';
      }
      return undefined;
    };
    fixture.getReadRefusal = (line) => {
      if (state === 'sent' && line.includes(stores.tableId)) {
        state = 'table read';
      }
      return state === 'table read' && line.includes('datasecurity') ? 429 : undefined;
    };
    const onWait = (): void => {
      if (state === 'table read') {
        state = 'changed';
        hideColumn(fixture);
      }
    };
    const salary = { id: 'Salary', name: 'Salary', type: 18 };
    const operation = createOperation(
      [
        ...createRuleWrites(shop, { adds: [createShopRule(undefined, 'Salary', [])], deletes: [] }),
        createTableUpdate('Stores', { columns: [...columns, salary] }),
      ],
      'apply',
    );
    const run = advanceUntilSettled(fixture, runApproved(fixture.open().writer, operation, { onWait }));
    await expectConflict(fixture, await getFailure(run));
  },
);

test.each(['guide', 'contract'] as const)(
  'the first write stops if others change its table long after the table was read (%s)',
  async (profile) => {
    using fixture = openShop(profile);
    const columns = getColumns(await fixture.read(stores));
    const operation = createOperation([createTableUpdate('Stores', { columns })]);
    const onBegin = (): void => {
      hideColumn(fixture);
      fixture.sandbox.clock.skip(6000);
    };
    await expectConflict(
      fixture,
      await getFailure(runApproved(fixture.open().writer, operation, { onBegin })),
    );
  },
);

test.each([
  [0, 0],
  [6000, 1],
])('rules that were read %i ms ago are read again %i times before they are changed', async (ms, count) => {
  using fixture = openShop();
  const adds = [createShopRule(undefined, 'Salary', [])];
  const operation = createOperation([...createRuleWrites(shop, { adds, deletes: [] })]);
  let begunAt = 0;
  const onBegin = (): void => {
    begunAt = fixture.transport.requestLines.length;
    fixture.sandbox.clock.skip(ms);
  };
  await runApproved(fixture.open().writer, operation, { onBegin });
  const lines = fixture.transport.requestLines.slice(begunAt);
  expect(lines.findIndex((line) => !line.startsWith('GET'))).toBe(count);
});

/** Runs the checks; each step says how long one takes, whether it waits, and what it returns. */
async function runChecks(
  steps: readonly { readonly ms?: number; readonly waits?: boolean; readonly result?: 'changed' }[],
) {
  const clock = new FakeClock();
  const waits = { count: 0 };
  const order: string[] = [];
  const run = async (name: string): Promise<'changed' | undefined> => {
    const { ms = 0, waits: isWaiting = false, result } = steps[order.length] ?? {};
    order.push(name);
    waits.count += isWaiting ? 1 : 0;
    await clock.advance(ms);
    return result;
  };
  const result = await checkRightBefore(
    {
      checkTarget: (isRepeated) => run(isRepeated ? 'target again' : 'target'),
      checkRules: async () => {
        await run('rules');
      },
    },
    { waits, clock },
  );
  return { order, result };
}

test('each check usually runs once', async () => {
  expect(await runChecks([{}, {}])).toEqual({ order: ['target', 'rules'], result: undefined });
  // The rules were read after this wait.
  expect((await runChecks([{ waits: true }])).order).toEqual(['target', 'rules']);
});

test('checks are repeated until one of them has not waited', async () => {
  const { order } = await runChecks([{}, { waits: true }, { ms: 6000 }, { waits: true }, { ms: 100 }]);
  expect(order).toEqual(['target', 'rules', 'target again', 'rules', 'target again']);
});

test('a detected change ends the checks', async () => {
  expect(await runChecks([{ result: 'changed' }])).toEqual({ order: ['target'], result: 'changed' });
  expect(await runChecks([{}, { waits: true }, { waits: true, result: 'changed' }])).toEqual({
    order: ['target', 'rules', 'target again'],
    result: 'changed',
  });
});

test('checks are not repeated forever if the server is always slow', async () => {
  const { order } = await runChecks(Array.from({ length: 20 }, () => ({ ms: 6000 })));
  expect(order).toHaveLength(6);
});
