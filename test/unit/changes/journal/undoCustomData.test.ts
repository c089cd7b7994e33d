import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  createCustomDataUpdateOperation,
  createCustomDataDeletionOperation,
  createCustomDataDeletionWrite,
  createObjectCreationWrite,
  createObjectUpdateWrite,
} from '../../../../src/changes/model/customDataWrites.ts';
import { type JsonObject, parseLossless } from '../../../../src/base/json.ts';
import { getPropertyRuns } from '../../../support/soak.ts';
import { asObject, getText } from '../../../../src/changes/model/jsonMembers.ts';
import { ChangeFixture, connectionId, createOperation } from '../run/support.ts';
import { runApproved } from './runApproved.ts';
import { planRestore } from '../../../support/planRestore.ts';

const location = { connectionId, within: [] };
const filter = { app: 'tests' };

/** The content of the objects, without the IDs that the server assigns. */
const readContents = async (fixture: ChangeFixture): Promise<readonly string[]> =>
  ((await fixture.client.customData.query(filter)).json as readonly JsonObject[])
    .map(({ _id, createdAt: _created, updatedAt: _updated, ...rest }) => JSON.stringify(rest))
    .sort();

/** Undoes the latest change, which may be an undo itself. */
async function undoLatest({ writer, history }: ReturnType<ChangeFixture['open']>) {
  const [entry] = await history.readEntries(connectionId);
  if (entry === undefined) {
    throw new Error('Nothing was recorded');
  }
  const { operation, expectedVersions: expected, restoredIds } = await writer.planUndo(entry);
  await runApproved(writer, operation, { expectedVersions: expected, undoneEntryId: entry.id, restoredIds });
  return operation;
}

async function createFixtureWith(count: number): Promise<ChangeFixture> {
  const fixture = new ChangeFixture();
  for (let index = 0; index < count; index += 1) {
    await fixture.client.customData.create({ ...filter, index, state: 'old' });
  }
  return fixture;
}

test('the undo of an apply names custom data as the project does', async () => {
  using fixture = new ChangeFixture();
  const create = async (): Promise<string> =>
    getText(asObject((await fixture.client.customData.create({ ...filter, state: 'old' })).json)['_id']);
  const window = fixture.open();
  const changed = await create();
  const operation = createOperation(
    [
      { ...createObjectUpdateWrite(changed, { state: 'new' }), name: 'Changed' },
      { ...createObjectUpdateWrite(await create(), { added: true }), name: 'Extended' },
      { ...createCustomDataDeletionWrite({ _id: await create() }), name: 'Deleted' },
      { ...createObjectCreationWrite({ ...filter }), name: 'Created' },
    ],
    'apply',
  );
  await runApproved(window.writer, operation);
  const { writes } = await undoLatest(window);
  expect(writes.map(({ endpoint, name }) => `${endpoint} ${name}`)).toEqual([
    'customData.deleteMatching Created',
    'customData.create Deleted',
    'customData.deleteMatching Extended',
    'customData.create Extended',
    'customData.updateMatching Changed',
  ]);
});

test('property: a change of custom data can be undone and redone any number of times', async () => {
  const changes = fc.constantFrom(
    createCustomDataUpdateOperation(location, filter, { fresh: 1 }),
    createCustomDataUpdateOperation(location, filter, { state: 'new' }),
    createCustomDataUpdateOperation(
      location,
      { ...filter, index: { $gt: 0 } },
      { state: 'new', fresh: true },
    ),
    createCustomDataDeletionOperation(location, filter),
    createCustomDataDeletionOperation(location, { ...filter, index: 1 }),
  );
  await fc.assert(
    fc.asyncProperty(
      changes,
      fc.integer({ min: 2, max: 4 }),
      fc.integer({ min: 1, max: 4 }),
      async (change, count, times) => {
        using fixture = await createFixtureWith(count);
        const window = fixture.open();
        const states = [await readContents(fixture)];
        await runApproved(window.writer, change);
        states.push(await readContents(fixture));
        for (let time = 0; time < times; time += 1) {
          await undoLatest(window);
          expect(await readContents(fixture)).toEqual(states[time % 2]);
        }
      },
    ),
    { numRuns: getPropertyRuns(8) },
  );
});

test('repeated undos of a change of many objects take at most two writes per object', async () => {
  const objectCount = 30;
  using fixture = await createFixtureWith(objectCount);
  const window = fixture.open();
  await runApproved(window.writer, createCustomDataUpdateOperation(location, filter, { fresh: 1 }));
  for (let time = 0; time < 3; time += 1) {
    expect((await undoLatest(window)).writes.length).toBeLessThanOrEqual(2 * objectCount);
  }
  expect(await readContents(fixture)).toHaveLength(objectCount);
});

test('objects restored by an undo are not restored again by a restore', async () => {
  using fixture = await createFixtureWith(3);
  const window = fixture.open();
  const before = await readContents(fixture);
  await runApproved(window.writer, createCustomDataDeletionOperation(location, filter));
  const [entry] = await window.history.readEntries(connectionId);
  await undoLatest(window);
  const restore = entry && (await planRestore(window.writer, entry));
  expect(restore?.operation.writes).toEqual([]);
  expect(await readContents(fixture)).toEqual(before);
});

test('a change of members is undone even if they have the names of inherited members of JavaScript objects', async () => {
  using fixture = await createFixtureWith(1);
  const window = fixture.open();
  const before = await readContents(fixture);
  const change = parseLossless('{"constructor":"c","__proto__":{"a":1}}') as JsonObject;
  await runApproved(window.writer, createCustomDataUpdateOperation(location, filter, change));
  expect(await readContents(fixture)).not.toEqual(before);
  await undoLatest(window);
  expect(await readContents(fixture)).toEqual(before);
});
