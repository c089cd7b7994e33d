import { describe, expect, test } from 'vitest';
import type { JsonObject, JsonValue } from '../../../../src/base/json.ts';
import type { ResourceRef } from '../../../../src/catalog/resourceRef.ts';
import { findChangedDocuments } from '../../../../src/changes/journal/changedDocuments.ts';
import type { WriteState } from '../../../../src/changes/journal/entry.ts';
import { createCustomDataUpdateWrite } from '../../../../src/changes/model/customDataWrites.ts';
import { hashDocument } from '../../../../src/changes/model/documentHash.ts';
import type { Write } from '../../../../src/changes/model/operation.ts';
import { createTableRef, createTableUpdate, getIds } from '../run/support.ts';
import { createDone, createEntry } from './createEntry.ts';

const table = createTableRef('Orders');
const createColumn = (name: string, fields: JsonObject = {}): JsonObject => ({
  oid: `id of ${name}`,
  id: name,
  name,
  type: 8,
  ...fields,
});
const before: JsonObject = {
  oid: 't',
  name: 'Orders',
  hidden: false,
  vTag: '1',
  columns: [createColumn('A'), createColumn('B')],
};

/** Finds what was changed since an operation that changed a document from `before` to `after`. */
function findChanges(
  current: JsonValue | undefined,
  {
    ref = table,
    old = before,
    write = createTableUpdate('Orders', { name: 'Sold' }),
    after = { ...before, name: 'Sold' },
    state = createDone(),
  }: {
    readonly ref?: ResourceRef;
    readonly old?: JsonObject;
    readonly write?: Write;
    readonly after?: JsonValue | undefined;
    readonly state?: WriteState;
  } = {},
) {
  const entry = createEntry([[write, state]], {
    end: 'done',
    before: [{ ref, document: old }],
    versionsAfter: [{ ref, hash: hashDocument(ref.kind, after) }],
  });
  return findChangedDocuments(entry, [entry], [{ ref, document: current }]);
}

const describeFields = (changes: ReturnType<typeof findChanges>) =>
  changes.map(({ members, fields }) => [
    members.join(),
    ...fields.map(({ field, before: from, after: to }) => `${field}: ${from ?? ''} -> ${to ?? ''}`),
  ]);
const renamedTable = { ...before, name: 'Sold' };

describe('the later changes of a document are', () => {
  test.each<readonly [string, JsonObject, readonly (readonly string[])[]]>([
    ['nothing', renamedTable, []],
    ['nothing but what the server maintains', { ...renamedTable, vTag: '2' }, []],
    ['a field', { ...renamedTable, hidden: true }, [['hidden', 'hidden: false -> true']]],
    ['the field that was changed', { ...renamedTable, name: 'Theirs' }, [['name', 'name: Sold -> Theirs']]],
    ['the field that was changed, with its old value again', before, [['name', 'name: Sold -> Orders']]],
    ['a new field', { ...renamedTable, description: 'New' }, [['description', 'description:  -> New']]],
    [
      'a field of a column',
      { ...renamedTable, columns: [createColumn('A', { hidden: true }), createColumn('B')] },
      [['columns', 'columns.A.hidden:  -> true']],
    ],
    [
      'a column that is gone',
      { ...renamedTable, columns: [createColumn('B')] },
      [['columns', 'columns.A: {"id":"A","name":"A","type":8} -> ']],
    ],
    [
      'a new column',
      { ...renamedTable, columns: [createColumn('A'), createColumn('B'), createColumn('C')] },
      [['columns', 'columns.C:  -> {"id":"C","name":"C","type":8}']],
    ],
    [
      'all columns',
      { ...renamedTable, columns: null },
      [['columns', 'columns: {"A":{"id":"A","name":"A","type":8},"B":{"id":"B","name":"B","type":8}} -> ']],
    ],
  ])('%s', (_text, current, expected) => {
    expect(describeFields(findChanges(current))).toEqual(expected);
  });

  test('listed under its current name, or under its last known name if it is gone', () => {
    expect(findChanges({ ...renamedTable, name: 'Theirs' })).toMatchObject([
      { ref: table, name: 'Theirs', isGone: false },
    ]);
    expect(findChanges(undefined)).toEqual([
      { ref: table, name: 'Sold', isGone: true, members: [], fields: [] },
    ]);
  });

  test('nothing of the response, even where it differs from the request', () => {
    const answer = { ...renamedTable, hidden: true };
    const options = { after: answer, state: createDone({ answer }) };
    expect(findChanges(answer, options)).toEqual([]);
    expect(describeFields(findChanges({ ...answer, hidden: false }, options))).toEqual([
      ['hidden', 'hidden: true -> false'],
    ]);
    expect(
      describeFields(
        findChanges({ ...answer, name: 'x' }, { ...options, state: createDone({ answer: before }) }),
      ),
    ).toEqual([['name,hidden', 'name: Sold -> x', 'hidden: false -> true']]);
  });

  test.each<readonly [WriteState, string]>([
    [{ state: 'waiting' }, 'Orders'],
    [createDone({ state: 'failed' }), 'Orders'],
    [createDone({ state: 'unknown' }), 'Sold'],
    [{ state: 'sending' }, 'Sold'],
  ])('its name, after a write in the state %j', (state, name) => {
    expect(describeFields(findChanges({ ...before, name: 'Theirs' }, { state }))).toEqual([
      ['name', `name: ${name} -> Theirs`],
    ]);
  });
});

test('a relation is listed with the columns that it joined and joins now', () => {
  const ref = { kind: 'relation', datamodelId: 'm', relationId: 'r' } as const;
  const [firstColumns, secondColumns] = [[{ column: '1' }], [{ column: '2' }]];
  const write: Write = {
    endpoint: 'relations.update',
    params: getIds(ref),
    target: ref,
    body: { columns: firstColumns },
  };
  const [change] = findChanges(
    { oid: 'r', columns: secondColumns },
    { ref, write, old: { oid: 'r', columns: [] }, after: { oid: 'r', columns: firstColumns } },
  );
  expect(change).toMatchObject({
    members: ['columns'],
    joinedColumns: { expected: firstColumns, current: secondColumns },
  });
  expect(findChanges(renamedTable)[0]).toBeUndefined();
  expect(findChanges({ ...renamedTable, hidden: true })[0]).not.toHaveProperty('joinedColumns');
});

test('the members of an object of custom data are compared exactly', () => {
  const ref = { kind: 'customDataObject', objectId: 'a' } as const;
  const old = { _id: 'a', text: '', list: [1] };
  const options = {
    ref,
    old,
    after: { ...old, text: 'New' },
    write: createCustomDataUpdateWrite({ _id: 'a' }, { text: 'New' }),
  };
  expect(findChanges({ ...old, text: 'New' }, options)).toEqual([]);
  expect(describeFields(findChanges({ ...old, text: 'Theirs', more: null }, options))).toEqual([
    ['text,more', 'text: New -> Theirs', 'more:  -> null'],
  ]);
  const otherOptions = {
    ...options,
    write: createCustomDataUpdateWrite({ _id: 'b' }, { text: 'New' }),
    after: old,
  };
  expect(describeFields(findChanges({ ...old, text: 'Theirs' }, otherOptions))).toEqual([
    ['text', 'text: "" -> Theirs'],
  ]);
});

test('documents that were deleted or not read are not compared, nor are rules', () => {
  const rulesRef = { kind: 'rules', subject: { kind: 'live', title: 'Desk' } } as const;
  const entry = createEntry([[createTableUpdate('Orders', { name: 'Sold' }), createDone()]], {
    end: 'done',
    before: [{ ref: table, document: before }],
    versionsAfter: [
      { ref: table, hash: 'absent' },
      { ref: rulesRef, hash: 'other' },
      { ref: createTableRef('Stores'), hash: 'other' },
    ],
  });
  const current = [table, rulesRef].map((ref) => ({ ref, document: renamedTable }));
  expect(findChangedDocuments(entry, [entry], current)).toEqual([]);
});

test('the documents before and after an operation whose end is unknown are no later changes', () => {
  const write = createTableUpdate('Orders', { name: 'Sold' });
  const entry = createEntry([[write, { state: 'sending' }]], {
    before: [
      { ref: table, document: before },
      { ref: createTableRef('Stores'), document: before },
      { ref: createTableRef('Returns') },
    ],
  });
  const findChangesNow = (current: JsonObject) =>
    findChangedDocuments(
      entry,
      [entry],
      [
        { ref: table, document: current },
        { ref: createTableRef('Stores'), document: current },
      ],
    );
  expect(findChangesNow(before)).toEqual([]);
  expect(findChangesNow(renamedTable)).toEqual([]);
  expect(describeFields(findChangesNow({ ...renamedTable, name: 'Theirs' }))).toEqual([
    ['name', 'name: Sold -> Theirs'],
  ]);
});

test('a restore does not report the changes of later operations of the user', () => {
  const createRename = (startedAt: number, name: string, oldName: string) =>
    createEntry([[createTableUpdate('Orders', { name }), createDone()]], {
      startedAt,
      end: 'done',
      before: [{ ref: table, document: { ...before, name: oldName } }],
      versionsAfter: [{ ref: table, hash: hashDocument('table', { ...before, name }) }],
    });
  const [first, second] = [createRename(1, 'Sold', 'Orders'), createRename(2, 'Latest', 'Sold')];
  const findChangesNow = (name: string, ...ownEntries: readonly (typeof first)[]) =>
    describeFields(findChangedDocuments(first, ownEntries, [{ ref: table, document: { ...before, name } }]));
  expect(findChangesNow('Latest', first, second)).toEqual([]);
  expect(findChangesNow('Sold', first, second)).toEqual([]);
  expect(findChangesNow('Latest', first)).toEqual([['name', 'name: Sold -> Latest']]);
  expect(findChangesNow('Theirs', first, second)).toEqual([['name', 'name: Latest -> Theirs']]);
});
