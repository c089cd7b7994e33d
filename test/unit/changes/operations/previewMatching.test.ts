import { expect, it } from 'vitest';
import {
  createCustomDataDeletionOperation,
  createCustomDataUpdateOperation,
} from '../../../../src/changes/model/customDataWrites.ts';
import { previewCustomDataChange } from '../../../../src/changes/operations/previewMatching.ts';
import { isJsonObject, type JsonObject } from '../../../../src/base/json.ts';
import type { Operation } from '../../../../src/changes/model/operation.ts';
import { PlanNeededError } from '../../../../src/changes/run/writeErrors.ts';
import { ChangeFixture, connectionId } from '../run/support.ts';

const location = { connectionId, within: [] };
const filter = { tag: 'asked' };
const actions: readonly (readonly [string, Operation])[] = [
  ['deleted', createCustomDataDeletionOperation(location, filter)],
  ['changed', createCustomDataUpdateOperation(location, filter, { state: 'done' })],
];

/** An instance with three matching objects, a preview of a change of them, and a function that confirms it. */
async function createPreviewedChange(fixture: ChangeFixture, operation: Operation) {
  const { writer } = fixture.open();
  const add = (object: JsonObject) => fixture.client.customData.create(object);
  const createdObjects: JsonObject[] = [];
  for (let index = 0; index < 3; index += 1) {
    const { json = null } = await add({ ...filter, index });
    createdObjects.push(isJsonObject(json) ? json : {});
  }
  const preview = await previewCustomDataChange(writer, operation);
  const confirm = ({ planHash } = preview) =>
    writer.run(operation, { approval: writer.approve(planHash), confirmedPlanHash: planHash });
  const countUnchanged = async (): Promise<number> =>
    ((await fixture.client.customData.query({ ...filter, state: { $exists: false } })).json as unknown[])
      .length;
  return { writer, add, createdObjects, preview, confirm, countUnchanged };
}

it.each(actions)('the confirmed objects are %s', async (_, operation) => {
  using fixture = new ChangeFixture();
  const { preview, confirm, countUnchanged } = await createPreviewedChange(fixture, operation);
  expect(preview.objects.map(({ index }) => index)).toEqual([0, 1, 2]);
  await confirm();
  expect(await countUnchanged()).toBe(0);
});

it.each(actions)(
  'nothing is %s if another object matches by the time the user confirms',
  async (_, operation) => {
    using fixture = new ChangeFixture();
    const { writer, add, confirm, countUnchanged } = await createPreviewedChange(fixture, operation);
    await add({ ...filter, index: 'created by another user' });
    await expect(confirm()).rejects.toBeInstanceOf(PlanNeededError);
    expect(await countUnchanged()).toBe(4);

    // The user is asked again, about all of them.
    const newPreview = await previewCustomDataChange(writer, operation);
    expect(newPreview.objects).toHaveLength(4);
    await confirm(newPreview);
    expect(await countUnchanged()).toBe(0);
  },
);

it.each(actions)(
  'nothing is %s if one of the matching objects was changed or deleted',
  async (_, operation) => {
    using fixture = new ChangeFixture();
    const { createdObjects, confirm, countUnchanged } = await createPreviewedChange(fixture, operation);
    const [first] = createdObjects;
    await fixture.client.customData.updateMatching({
      queryForSearch: { _id: first?.['_id'] ?? '' },
      objectForUpdate: { index: 'changed' },
    });
    await expect(confirm()).rejects.toBeInstanceOf(PlanNeededError);
    await fixture.client.customData.deleteMatching({ _id: first?.['_id'] ?? '' });
    await expect(confirm()).rejects.toBeInstanceOf(PlanNeededError);
    expect(await countUnchanged()).toBe(2);
  },
);
