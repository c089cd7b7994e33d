import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../../src/base/json.ts';
import type { WriteState } from '../../../../src/changes/journal/entry.ts';
import { undoCustomData } from '../../../../src/changes/journal/undoCustomData.ts';
import {
  createCustomDataDeletionWrite,
  createCustomDataUpdateWrite,
  createObjectCreationWrite,
} from '../../../../src/changes/model/customDataWrites.ts';
import { UndoWrites } from '../../../../src/changes/model/undoWrites.ts';
import type { Write } from '../../../../src/changes/model/operation.ts';
import { getText } from '../../../../src/changes/model/jsonMembers.ts';
import { createTableUpdate } from '../run/support.ts';
import { createDone, createEntry } from './createEntry.ts';

const toDocument = (object: JsonObject) => ({
  ref: { kind: 'customDataObject', objectId: getText(object['_id']) } as const,
  document: object,
});
const [a, b] = [
  { _id: 'a', app: 'x', text: 'A' },
  { _id: 'b', app: 'x', text: 'B' },
];
const withoutId = { app: 'x', text: 'Lost' };

/** Undoes writes of custom data, and lists the requests and what is lost. */
function undo(
  writes: readonly (readonly [Write, WriteState])[],
  before: readonly JsonObject[],
  current: readonly JsonObject[],
) {
  const entry = createEntry(writes, {
    before: [...before.map(toDocument), { ref: { kind: 'customData' }, document: [withoutId] }],
  });
  const undoWrites = new UndoWrites(current.map(toDocument));
  undoCustomData(entry, undoWrites);
  return {
    requests: undoWrites.writes.map(({ endpoint, body }) => [endpoint.split('.')[1], body]),
    losses: undoWrites.losses.map(({ code }) => code),
    restored: undoWrites.restoredIds.map(({ old }) => old),
  };
}
const done = createDone();
const update = (filter: JsonObject, change: JsonObject) =>
  [createCustomDataUpdateWrite(filter, change), done] as const;
const remove = (filter: JsonObject) => [createCustomDataDeletionWrite(filter), done] as const;
const setText = (_id: string, text: string) => [
  'updateMatching',
  { queryForSearch: { _id }, objectForUpdate: { text } },
];

describe('the undo of a change of custom data', () => {
  test('restores the written members of each object', () => {
    const { requests } = undo(
      [update({ app: 'x' }, { text: 'N' })],
      [a, b],
      [
        { ...a, text: 'N' },
        { ...b, text: 'N', more: 1 },
      ],
    );
    expect(requests).toEqual([setText('a', 'A'), setText('b', 'B')]);
  });

  test('restores only the object that a filter names', () => {
    const { requests } = undo(
      [update({ _id: 'a' }, { text: 'N' })],
      [a, b],
      [
        { ...a, text: 'N' },
        { ...b, text: 'T' },
      ],
    );
    expect(requests).toEqual([setText('a', 'A')]);
  });

  test('sends nothing for an object that already has its old values', () => {
    expect(undo([update({ app: 'x' }, { text: 'N' })], [a, b], [a, b]).requests).toEqual([]);
  });

  test('restores each object once, whatever the number of writes', () => {
    const writes = [
      update({ _id: 'a' }, { text: 'M' }),
      update({ app: 'x' }, { text: 'N' }),
      update({ _id: 'a' }, { text: 'O' }),
    ];
    expect(undo(writes, [a], [{ ...a, text: 'O' }]).requests).toEqual([setText('a', 'A')]);
  });

  test('deletes an object with an added member, and creates it again', () => {
    const { requests, restored } = undo([update({ _id: 'a' }, { more: 1 })], [a], [{ ...a, more: 1 }]);
    expect(requests).toEqual([
      ['deleteMatching', { _id: 'a' }],
      ['create', a],
    ]);
    expect(restored).toEqual(['a']);
  });

  test('creates deleted objects again, those without an ID only once', () => {
    const deletions = [remove({ app: 'x' }), remove({ text: 'Lost' })];
    expect(undo(deletions, [a], []).requests).toEqual([
      ['create', a],
      ['create', withoutId],
    ]);
    expect(undo([remove({ _id: 'a' })], [a, b], [b]).requests).toEqual([['create', a]]);
    expect(undo([update({ app: 'x' }, { text: 'N' })], [a], [a]).requests).toEqual([]);
  });

  test('deletes what was created, unless it is a restored object', () => {
    const create = (answer: JsonObject) => [createObjectCreationWrite({}), createDone({ answer })] as const;
    expect(undo([create({ _id: 'n' })], [], []).requests).toEqual([['deleteMatching', { _id: 'n' }]]);
    expect(undo([remove({ _id: 'a' }), create({ _id: 'a' })], [a], [a]).requests).toEqual([]);
    expect(undo([create({})], [], [])).toEqual({ requests: [], losses: ['not-identified'], restored: [] });
  });

  test.each([
    [{ state: 'waiting' }, []],
    [createDone({ state: 'failed' }), []],
    [createDone({ state: 'unknown' }), ['unknown']],
    [{ state: 'sending' }, ['unknown']],
  ] as const)('restores nothing after a write in the state %j', (state, losses) => {
    const changed = [{ ...a, text: 'N' }];
    const write = createCustomDataUpdateWrite({ _id: 'a' }, { text: 'N' });
    expect(undo([[write, state]], [a], changed)).toEqual({ requests: [], losses, restored: [] });
    expect(undo([[createTableUpdate('Orders', {}), state]], [a], changed).losses).toEqual([]);
  });
});
