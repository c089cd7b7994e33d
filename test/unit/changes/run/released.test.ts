import { describe, expect, test } from 'vitest';
import { HttpError } from '../../../../src/client/errors.ts';
import { killed } from './interrupted.ts';
import { Bench, connectionId, failure, operation, updateTable } from './support.ts';

const interrupt = async (bench: Bench) => {
  await bench.open().writer.run(operation([updateTable('Orders', { description: 'first' })]));
  return killed(bench, ({ line }) => line === 'sending');
};

describe('an interrupted operation whose recovery fails on the network', () => {
  test('can be abandoned once the server answers again', async () => {
    using bench = new Bench();
    const { writer, history, entry } = await interrupt(bench);
    bench.sandbox.faults.set([{ kind: 'status', status: 500 }]);
    expect(await failure(writer.abandon(entry))).toBeInstanceOf(HttpError);
    expect(await history.readUnfinished(connectionId)).toMatchObject([{ id: entry.id }]);
    bench.sandbox.faults.set([]);
    expect(await writer.abandon(entry)).toMatchObject({ end: 'stopped' });
    expect(await history.readUnfinished(connectionId)).toEqual([]);
  });

  test('can be resumed in another window', async () => {
    using bench = new Bench();
    const { writer, entry } = await interrupt(bench);
    bench.sandbox.faults.set([{ kind: 'status', status: 500 }]);
    expect(await failure(writer.abandon(entry))).toBeInstanceOf(HttpError);
    bench.sandbox.faults.set([]);
    const report = await bench.open().writer.resume(entry);
    expect(report.writes).toMatchObject([{ state: 'done' }]);
  });
});

test('a claim that was released can be taken again', async () => {
  using bench = new Bench();
  const { history, entry } = await interrupt(bench);
  await (await history.claim(entry)).release();
  await expect(history.claim(entry)).resolves.toMatchObject({ id: entry.id });
});
