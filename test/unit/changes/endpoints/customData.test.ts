import { describe, expect, test } from 'vitest';
import type { JsonObject, JsonValue } from '../../../../src/base/json.ts';
import { customDataKinds } from '../../../../src/changes/endpoints/customData.ts';
import { readCustomDataObjects } from '../../../../src/changes/endpoints/readMatching.ts';
import {
  createCustomDataDeletionWrite,
  createCustomDataUpdateWrite,
} from '../../../../src/changes/model/customDataWrites.ts';
import { DocumentReader } from '../../../../src/changes/model/documentReader.ts';
import { getText } from '../../../../src/changes/model/jsonMembers.ts';
import { Documents } from '../../../../src/changes/model/snapshot.ts';
import { ChangeFixture } from '../run/support.ts';

const { 'customData.updateMatching': updateKind, 'customData.deleteMatching': deleteKind } = customDataKinds;

const createRef = (objectId: string) => ({ kind: 'customDataObject', objectId }) as const;
const toDocument = (object: JsonObject) => ({
  ref: createRef(getText(object['_id'])),
  document: object as JsonValue,
});
const objects = ['a', 'b', 'c'].map((_id) => ({ _id, app: 'notes', text: `Text of ${_id}` }));

describe('the plan of a change of matching objects', () => {
  const getChangedFields = (filter: JsonObject, change: JsonObject, documents: Documents) =>
    updateKind
      .getEffects(createCustomDataUpdateWrite(filter, change), {
        documents,
        oldIndex: undefined,
        newIndex: undefined,
      })
      .changed.map(({ name, fields }) => [name, fields.map(({ field }) => field)]);
  const documents = new Documents([
    ...objects.map(toDocument),
    { ref: { kind: 'customData' }, document: [{ app: 'notes' }] },
  ]);

  test.each<readonly [string, JsonObject, JsonObject, readonly (readonly [string, readonly string[]])[]]>([
    [
      'lists each object and its changed members',
      { app: 'notes' },
      { text: 'Text of a', app: 'tasks' },
      [
        ['a', ['app']],
        ['b', ['text', 'app']],
        ['c', ['text', 'app']],
      ],
    ],
    [
      'leaves out the objects that already have the new values',
      {},
      { text: 'Text of b' },
      [
        ['a', ['text']],
        ['c', ['text']],
      ],
    ],
    ['lists one object if the filter is its ID', { _id: 'b' }, { app: 'tasks' }, [['b', ['app']]]],
    [
      'lists all objects that were read if the filter has further conditions',
      { _id: 'b', app: 'notes' },
      { app: 'tasks' },
      [
        ['a', ['app']],
        ['b', ['app']],
        ['c', ['app']],
      ],
    ],
    ['lists no object that does not exist', { _id: 'z' }, { app: 'tasks' }, []],
  ])('%s', (_text, filter, change, expected) => {
    expect(getChangedFields(filter, change, documents)).toEqual(expected);
  });
});

test('the plan of a deletion lists each object, and those without an ID together', () => {
  const objectsWithoutId = { ref: { kind: 'customData' }, document: [{ app: 'notes' }] } as const;
  const viewpointDocument = { ref: { kind: 'viewpoint', viewpointId: 'v' }, document: {} } as const;
  const documents = new Documents([...objects.map(toDocument), objectsWithoutId, viewpointDocument]);
  const effects = deleteKind.getEffects(createCustomDataDeletionWrite({}), {
    documents,
    oldIndex: undefined,
    newIndex: undefined,
  });
  expect(effects).toMatchObject({ created: [], changed: [] });
  expect(effects.deleted).toEqual([
    ...objects.map(({ _id }) => ({
      kind: 'customDataObject',
      name: _id,
      within: [],
      resource: createRef(_id),
    })),
    { kind: 'customDataObject', name: '', within: [], resource: { kind: 'customData' } },
  ]);
});

describe('the objects that a filter matches', () => {
  const readIds = async (fixture: ChangeFixture, filter: JsonValue) =>
    (await readCustomDataObjects(new DocumentReader(fixture.client), filter)).map(({ ref, document }) =>
      ref.kind === 'customDataObject' ? ref.objectId : document,
    );

  test('are read by ID, by conditions, or all of them', async () => {
    using fixture = new ChangeFixture();
    const allIds = await readIds(fixture, {});
    const [first = ''] = allIds;
    expect(allIds.length).toBeGreaterThan(1);
    expect(await readIds(fixture, { _id: first })).toEqual([first]);
    expect(await readIds(fixture, { _id: 'nothing' })).toEqual([]);
    expect(await readIds(fixture, { _id: first, no: 'such' })).toEqual([]);
    expect(await readIds(fixture, { _id: '' })).toEqual([]);
  });

  test('share one request if each is read by its ID', async () => {
    using fixture = new ChangeFixture();
    const [first = '', second = ''] = await readIds(fixture, {});
    const count = fixture.transport.requests.length;
    const reader = new DocumentReader(fixture.client);
    for (const _id of [first, second, first]) {
      expect(await readCustomDataObjects(reader, { _id })).toHaveLength(1);
    }
    expect(fixture.transport.requests).toHaveLength(count + 1);
  });

  test('become one document if they have no ID', async () => {
    const objectWithoutId = { app: 'notes', text: 'Lost' };
    const read = (matches: readonly JsonObject[]) => {
      const reader: Pick<DocumentReader, 'readMatchingObjects'> = {
        readMatchingObjects: async () => matches,
      };
      return readCustomDataObjects(reader as DocumentReader, { app: 'notes' });
    };
    expect(await read([...objects, objectWithoutId])).toEqual([
      ...objects.map(toDocument),
      { ref: { kind: 'customData' }, document: [objectWithoutId] },
    ]);
    expect(await read(objects)).toEqual(objects.map(toDocument));
  });
});

describe('if the response of a change of matching objects is lost', () => {
  /** Verifies a change of the text of all objects, after the texts on the server were changed. */
  async function verify(
    oldTexts: readonly string[],
    currentTexts: readonly (string | undefined)[],
    change: JsonValue = { text: 'New' },
  ) {
    using fixture = new ChangeFixture();
    const before = [];
    for (const text of oldTexts) {
      const { json } = await fixture.client.customData.create({ app: 'test', text });
      before.push(toDocument(json as JsonObject));
    }
    for (const [index, text] of currentTexts.entries()) {
      const filter = { _id: before[index]?.ref.objectId ?? '' };
      await (text === undefined
        ? fixture.client.customData.deleteMatching(filter)
        : fixture.client.customData.updateMatching({ queryForSearch: filter, objectForUpdate: { text } }));
    }
    const write = createCustomDataUpdateWrite({ app: 'test' }, {});
    const body = { queryForSearch: { app: 'test' }, objectForUpdate: change };
    const outcome = await updateKind.verifyOutcome({ ...write, body }, { client: fixture.client, before });
    return 'changedDocument' in outcome && outcome.changedDocument !== undefined ? 'changed' : outcome.state;
  }

  test.each([
    ['all objects have changed', ['1', '2'], ['New', 'New'], 'happened'],
    ['none has changed', ['1', '2'], ['1', '2'], 'not-happened'],
    ['only some have changed', ['1', '2'], ['New', '2'], 'unknown'],
    ['another user has changed one', ['1', '2'], ['New', 'Theirs'], 'changed'],
    ['another user has deleted one', ['1', '2'], ['New', undefined], 'changed'],
    [
      'all but one had the new text before, and that one has changed',
      ['New', '2'],
      ['New', 'New'],
      'happened',
    ],
    [
      'all but one had the new text before, and that one has not changed',
      ['New', '2'],
      ['New', '2'],
      'not-happened',
    ],
    ['all had the new text before', ['New', 'New'], ['New', 'New'], 'happened'],
    ['no object was known', [], [], 'unknown'],
  ] as const)('%s', async (_text, oldTexts, currentTexts, expected) => {
    expect(await verify(oldTexts, currentTexts)).toBe(expected);
  });

  test('a change that is not an object changes nothing', async () => {
    expect(await verify(['1'], ['1'], 'text')).toBe('not-happened');
  });

  test('an absent member does not count as set to null', async () => {
    expect(await verify(['1'], ['1'], { other: null })).toBe('not-happened');
  });
});
