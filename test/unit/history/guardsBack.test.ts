import { expect, test } from 'vitest';
import type { JsonObject } from '../../../src/base/json.ts';
import { handlerOf } from '../../../src/documents/kinds/kinds.ts';
import type { HistoryEntry } from '../../../src/history/entry.ts';
import type { History } from '../../../src/history/history.ts';
import { textOf } from '../../../src/history/read.ts';
import type { Write } from '../../../src/writes/operation.ts';
import { Bench, connectionId, failure, operation } from '../writes/support.ts';
import { apply } from './apply.ts';
import { worldOf } from './world.ts';

const extract = { kind: 'extract', server: 'LocalHost', elasticube: 'Retail' } as const;
const live = { kind: 'live', title: 'Support Desk' } as const;

/** A save of a column's rules that needs a guard: its first rule changes, and its parties get another one. */
async function guardedSave(bench: Bench, subject: typeof extract | typeof live): Promise<readonly Write[]> {
  const all = (await bench.read({ kind: 'rules', subject })) as readonly JsonObject[];
  const first = all.find(({ members }) => Array.isArray(members) && members.length > 0) ?? {};
  const { _id, ...copy } = first;
  const own = all.filter(({ table, column }) => table === first['table'] && column === first['column']);
  const handler = handlerOf({
    kind: 'columnRules',
    subject,
    table: textOf(first['table']),
    column: textOf(first['column']),
  });
  const writes = handler.writes({
    source: all,
    before: own,
    next: [
      ...own.map((rule) => (rule === first ? { ...rule, members: ['X'] } : rule)),
      { ...copy, members: ['Y'] },
    ],
    secret: () => undefined,
  });
  expect(writes.filter(({ step }) => step === 'guard')).toHaveLength(2);
  return writes;
}

/** What was written down last. */
async function lastEntry(history: History): Promise<HistoryEntry> {
  const [entry] = await history.entries(connectionId);
  if (entry === undefined) {
    throw new Error('Nothing was written down');
  }
  return entry;
}

test.each([extract, live])('a guarded save of $kind rules goes back behind a guard', async (subject) => {
  using bench = new Bench();
  const { writer, history } = bench.open();
  const before = await worldOf(bench);
  await apply(writer, operation(await guardedSave(bench, subject)));
  expect(await worldOf(bench)).not.toEqual(before);
  const entry = await lastEntry(history);
  const back = await writer.undoOf(entry);
  const steps = back.operation.writes.map(({ step }) => step);
  expect([steps.at(0), steps.at(-1)]).toEqual(['guard', 'guard']);
  await apply(writer, back.operation, { expect: back.expect, undoes: entry.id, moved: back.moved });
  expect(await worldOf(bench)).toEqual(before);
});

test.each([
  [extract, 4],
  [live, 5],
])('a guarded save that stopped after any step is taken back, guard and all: %o', async (subject, count) => {
  for (let step = 1; step < count; step += 1) {
    using bench = new Bench();
    const { writer, history } = bench.open();
    const before = await worldOf(bench);
    const writes = await guardedSave(bench, subject);
    expect(writes).toHaveLength(count);
    let sent = 0;
    bench.lose = () => {
      sent += 1;
      return sent > step ? 'request' : undefined;
    };
    const stopped = failure(apply(writer, operation(writes)));
    expect(await inTime(bench, stopped)).toMatchObject({ name: 'StoppedError' });
    bench.lose = () => undefined;
    const entry = await lastEntry(history);
    const back = await writer.undoOf(entry);
    await apply(writer, back.operation, { expect: back.expect, undoes: entry.id, moved: back.moved });
    expect(await worldOf(bench), `after ${step} of ${count}`).toEqual(before);
  }
});

/** What a promise that waits for the clock comes to: a deletion is tried again after a while. */
async function inTime<T>({ sandbox }: Bench, promise: Promise<T>): Promise<T> {
  const state = { isOver: false };
  void promise.finally(() => {
    state.isOver = true;
  });
  while (!state.isOver) {
    await sandbox.clock.advance(10_000);
    await new Promise((resolve) => setImmediate(resolve));
  }
  return promise;
}
