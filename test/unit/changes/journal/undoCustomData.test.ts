import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { updateMatching, deleteMatching } from '../../../../src/changes/model/customDataWrites.ts';
import { type JsonObject, parseLossless } from '../../../../src/base/json.ts';
import { getPropertyRuns } from '../../../support/soak.ts';
import { Bench, connectionId } from '../run/support.ts';
import { apply } from './apply.ts';

const place = { connectionId, within: [] };
const filter = { app: 'tests' };

/** The content of the objects, without the ids that the server assigns. */
const contents = async (bench: Bench): Promise<readonly string[]> =>
  ((await bench.client.customData.query(filter)).json as readonly JsonObject[])
    .map(({ _id, createdAt: _created, updatedAt: _updated, ...rest }) => JSON.stringify(rest))
    .sort();

/** Undoes the latest change, which may be an undo itself. */
async function undoLatest({ writer, history }: ReturnType<Bench['open']>) {
  const [entry] = await history.readEntries(connectionId);
  if (entry === undefined) {
    throw new Error('Nothing was written down');
  }
  const { operation, expect: expected, moved } = await writer.planUndo(entry);
  await apply(writer, operation, { expect: expected, undoes: entry.id, moved });
  return operation;
}

async function benchWith(count: number): Promise<Bench> {
  const bench = new Bench();
  for (let index = 0; index < count; index += 1) {
    await bench.client.customData.create({ ...filter, index, state: 'old' });
  }
  return bench;
}

test('property: a change of custom data can be undone and redone any number of times', async () => {
  const change = fc.constantFrom(
    updateMatching(place, filter, { fresh: 1 }),
    updateMatching(place, filter, { state: 'new' }),
    updateMatching(place, { ...filter, index: { $gt: 0 } }, { state: 'new', fresh: true }),
    deleteMatching(place, filter),
    deleteMatching(place, { ...filter, index: 1 }),
  );
  await fc.assert(
    fc.asyncProperty(
      change,
      fc.integer({ min: 2, max: 4 }),
      fc.integer({ min: 1, max: 4 }),
      async (wanted, count, times) => {
        using bench = await benchWith(count);
        const window = bench.open();
        const states = [await contents(bench)];
        await apply(window.writer, wanted);
        states.push(await contents(bench));
        for (let time = 0; time < times; time += 1) {
          await undoLatest(window);
          expect(await contents(bench)).toEqual(states[time % 2]);
        }
      },
    ),
    { numRuns: getPropertyRuns(8) },
  );
});

test('undoing the undo of many objects takes as many writes, not their square', async () => {
  const many = 30;
  using bench = await benchWith(many);
  const window = bench.open();
  await apply(window.writer, updateMatching(place, filter, { fresh: 1 }));
  for (let time = 0; time < 3; time += 1) {
    expect((await undoLatest(window)).writes.length).toBeLessThanOrEqual(2 * many);
  }
  expect(await contents(bench)).toHaveLength(many);
});

test('objects restored by an undo are not restored again by a restore', async () => {
  using bench = await benchWith(3);
  const window = bench.open();
  const before = await contents(bench);
  await apply(window.writer, deleteMatching(place, filter));
  const [entry] = await window.history.readEntries(connectionId);
  await undoLatest(window);
  const restored = entry && (await window.writer.planRestore(entry));
  expect(restored?.operation.writes).toEqual([]);
  expect(await contents(bench)).toEqual(before);
});

test('a change of members that every object inherits is undone', async () => {
  using bench = await benchWith(1);
  const window = bench.open();
  const before = await contents(bench);
  const change = parseLossless('{"constructor":"c","__proto__":{"a":1}}') as JsonObject;
  await apply(window.writer, updateMatching(place, filter, change));
  expect(await contents(bench)).not.toEqual(before);
  await undoLatest(window);
  expect(await contents(bench)).toEqual(before);
});
