import { describe, expect, test } from 'vitest';
import {
  createCustomDataDeletionWrite,
  createCustomDataUpdateWrite,
  createObjectCreationWrite,
  createObjectUpdateWrite,
} from '../../../../src/changes/model/customDataWrites.ts';
import type { Write } from '../../../../src/changes/model/operation.ts';
import { asObject, getText } from '../../../../src/changes/model/jsonMembers.ts';
import { ConflictError } from '../../../../src/changes/run/writeErrors.ts';
import { expectDefined } from '../../../support/expectations.ts';
import { ChangeFixture, connectionId, createOperation, getFailure } from './support.ts';

const createUpdate = (objectId: string): Write => createObjectUpdateWrite(objectId, { text: 'New' });

/** Stops an operation on two objects, because the server refuses its second write. */
async function stopAtSecondObject(
  fixture: ChangeFixture,
  createFirstWrite: (objectId: string) => Write = createUpdate,
  createSecondWrite: (objectId: string) => Write = createUpdate,
) {
  const create = async (text: string) =>
    getText(asObject((await fixture.client.customData.create({ app: 'test', text })).json)['_id']);
  const ids = [await create('1'), await create('2')];
  const [first = '', second = ''] = ids;
  const { writer, history } = fixture.open();
  let count = 0;
  fixture.getWriteFault = () => (++count === 2 ? 'refusal' : undefined);
  const operation = createOperation([createFirstWrite(first), createSecondWrite(second)]);
  const { planHash, plan } = await writer.plan(operation);
  await getFailure(writer.run(operation, { approval: writer.approve(planHash) }));
  const [entry] = await history.readEntries(connectionId);
  const readTexts = async () => {
    const { value } = await fixture.client.customData.query({ app: 'test' });
    return value.map((object) => object['text']);
  };
  return { writer, entry: expectDefined(entry), second, deleted: plan.deleted, readTexts };
}

describe('a refused write of custom data', () => {
  test.each([
    ['changed', createUpdate, ['New', 'New']],
    ['deleted', (_id: string) => createCustomDataDeletionWrite({ _id }), ['New']],
  ])('is sent again if an earlier write has %s another object', async (_text, createFirstWrite, expected) => {
    using fixture = new ChangeFixture();
    const { writer, entry, deleted, readTexts } = await stopAtSecondObject(fixture, createFirstWrite);
    expect(deleted).toHaveLength(2 - expected.length);
    expect(entry.writeStates).toMatchObject([{ state: 'done' }, { state: 'failed' }]);
    await writer.resume(entry);
    expect(await readTexts()).toEqual(expected);
  });

  test('is rolled back with what an earlier write has changed', async () => {
    using fixture = new ChangeFixture();
    const { writer, entry, readTexts } = await stopAtSecondObject(fixture);
    await writer.rollBack(entry);
    expect(await readTexts()).toEqual(['1', '2']);
  });

  test('is not sent again if another user has changed its object', async () => {
    using fixture = new ChangeFixture();
    const { writer, entry, second, readTexts } = await stopAtSecondObject(fixture);
    await fixture.client.customData.updateMatching({
      queryForSearch: { _id: second },
      objectForUpdate: { text: 'Theirs' },
    });
    await getFailure(writer.resume(entry));
    expect(await readTexts()).toEqual(['New', 'Theirs']);
  });

  test('is sent again if it creates an object', async () => {
    using fixture = new ChangeFixture();
    const { writer, entry, readTexts } = await stopAtSecondObject(fixture, createUpdate, () =>
      createObjectCreationWrite({ app: 'test', text: '3' }),
    );
    await writer.resume(entry);
    expect(await readTexts()).toEqual(['New', '2', '3']);
  });

  describe('is rolled back with what an earlier write has changed by a filter', () => {
    const createFilterUpdate = () => createCustomDataUpdateWrite({ app: 'test' }, { text: 'New' });
    const createObject = () => createObjectCreationWrite({ app: 'test', text: '3' });

    test('in each object', async () => {
      using fixture = new ChangeFixture();
      const { writer, entry, readTexts } = await stopAtSecondObject(
        fixture,
        createFilterUpdate,
        createObject,
      );
      expect(await readTexts()).toEqual(['New', 'New']);
      await writer.rollBack(entry);
      expect(await readTexts()).toEqual(['1', '2']);
    });

    test('unless another user has changed one of them since', async () => {
      using fixture = new ChangeFixture();
      const { writer, entry, second, readTexts } = await stopAtSecondObject(
        fixture,
        createFilterUpdate,
        createObject,
      );
      await fixture.client.customData.updateMatching({
        queryForSearch: { _id: second },
        objectForUpdate: { text: 'Theirs' },
      });
      expect(await getFailure(writer.rollBack(entry))).toBeInstanceOf(ConflictError);
      expect(await readTexts()).toEqual(['New', 'Theirs']);
    });
  });

  const createDeletion = () => createCustomDataDeletionWrite({ text: '2' });

  test('is sent again if it deletes by a filter, and the matching objects are unchanged', async () => {
    using fixture = new ChangeFixture();
    const { writer, entry, readTexts } = await stopAtSecondObject(fixture, createUpdate, createDeletion);
    await writer.resume(entry);
    expect(await readTexts()).toEqual(['New']);
  });

  test('is not sent again if its filter matches an object of another user by now', async () => {
    using fixture = new ChangeFixture();
    const { writer, entry, readTexts } = await stopAtSecondObject(fixture, createUpdate, createDeletion);
    await fixture.client.customData.create({ app: 'test', text: '2' });
    await getFailure(writer.resume(entry));
    expect(await readTexts()).toEqual(['New', '2', '2']);
  });
});
