import { expect, it } from 'vitest';
import { deleteMatching, updateMatching } from '../../../../src/changes/model/customDataWrites.ts';
import { previewMatching } from '../../../../src/changes/operations/previewMatching.ts';
import { isJsonObject, type JsonObject } from '../../../../src/base/json.ts';
import type { Operation } from '../../../../src/changes/model/operation.ts';
import { PlanNeededError } from '../../../../src/changes/run/writeErrors.ts';
import { Bench, connectionId } from '../run/support.ts';

const place = { connectionId, within: [] };
const filter = { tag: 'asked' };
const actions: readonly (readonly [string, Operation])[] = [
  ['deleted', deleteMatching(place, filter)],
  ['changed', updateMatching(place, filter, { state: 'done' })],
];

/** An instance with three matching objects, and the user's response to a question about them. */
async function asked(bench: Bench, operation: Operation) {
  const { writer } = bench.open();
  const add = (object: JsonObject) => bench.client.customData.create(object);
  const made: JsonObject[] = [];
  for (let index = 0; index < 3; index += 1) {
    const { json = null } = await add({ ...filter, index });
    made.push(isJsonObject(json) ? json : {});
  }
  const reached = await previewMatching(writer, operation);
  const confirm = ({ planHash } = reached) =>
    writer.run(operation, { approval: writer.approve(planHash), confirmed: planHash });
  const left = async (): Promise<number> =>
    ((await bench.client.customData.query({ ...filter, state: { $exists: false } })).json as unknown[])
      .length;
  return { writer, add, made, reached, confirm, left };
}

it.each(actions)('the confirmed objects are %s', async (_, operation) => {
  using bench = new Bench();
  const { reached, confirm, left } = await asked(bench, operation);
  expect(reached.objects.map(({ index }) => index)).toEqual([0, 1, 2]);
  await confirm();
  expect(await left()).toBe(0);
});

it.each(actions)(
  'nothing is %s when other objects match by the time of the response',
  async (_, operation) => {
    using bench = new Bench();
    const { writer, add, confirm, left } = await asked(bench, operation);
    await add({ ...filter, index: 'of somebody else' });
    await expect(confirm()).rejects.toBeInstanceOf(PlanNeededError);
    expect(await left()).toBe(4);

    // Asked again, with all of them.
    const again = await previewMatching(writer, operation);
    expect(again.objects).toHaveLength(4);
    await confirm(again);
    expect(await left()).toBe(0);
  },
);

it.each(actions)('nothing is %s when one of them is gone or was changed', async (_, operation) => {
  using bench = new Bench();
  const { made, confirm, left } = await asked(bench, operation);
  const [first] = made;
  await bench.client.customData.updateMatching({
    queryForSearch: { _id: first?.['_id'] ?? '' },
    objectForUpdate: { index: 'changed' },
  });
  await expect(confirm()).rejects.toBeInstanceOf(PlanNeededError);
  await bench.client.customData.deleteMatching({ _id: first?.['_id'] ?? '' });
  await expect(confirm()).rejects.toBeInstanceOf(PlanNeededError);
  expect(await left()).toBe(2);
});
