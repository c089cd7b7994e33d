import { describe, expect, test } from 'vitest';
import type { HistoryEntry } from '../../../../src/changes/journal/entry.ts';
import { translateToCurrentState } from '../../../../src/changes/journal/translateToCurrentState.ts';
import { createLiveRuleReplacementWrites } from '../../../../src/changes/rules/ruleWrites.ts';
import { createTableRef, createTableUpdate } from '../run/support.ts';
import { createDone, createEntry } from './createEntry.ts';

const ref = createTableRef('Orders');
const { tableId } = ref;
const update = createTableUpdate('Orders', {
  name: 'New',
  parts: [{ table: tableId, text: `not ${tableId}` }],
});
const entry = createEntry([[update, createDone({ answer: { oid: tableId } })]], {
  id: 'first',
  startedAt: 5,
  end: 'done',
  before: [{ ref, document: { oid: tableId, hidden: null } }],
  versionsAfter: [
    { ref, hash: 'h1' },
    { ref: createTableRef('Stores'), hash: 'h2' },
  ],
});
const createLaterEntry = (fields: Partial<Omit<HistoryEntry, 'operation'>>): HistoryEntry =>
  createEntry([], { startedAt: 6, end: 'done', ...fields });
const translate = (
  others: readonly HistoryEntry[],
  treatReplacedAs: 'same' | 'gone' = 'gone',
  translatedEntry = entry,
) => translateToCurrentState(translatedEntry, [...others, translatedEntry], { treatReplacedAs });

describe('an entry of the history', () => {
  test('is as recorded while nothing was restored since', () => {
    expect(translate([])).toEqual(entry);
    expect(translate([createLaterEntry({ startedAt: 4, changedIds: [[tableId, 'older']] })])).toEqual(entry);
    expect(translate([createLaterEntry({ startedAt: 5, changedIds: [[tableId, 'itself']] })])).toEqual(entry);
  });

  test('has the new ID of an item that was restored since, wherever the ID is, and no hash of the item', () => {
    const { operation, before, writeStates, versionsAfter, ...others } = translate([
      createLaterEntry({ changedIds: [[tableId, 'new']] }),
    ]);
    const newRef = { ...ref, tableId: 'new' };
    expect(operation.writes).toMatchObject([
      {
        target: newRef,
        params: { tableId: 'new' },
        body: { parts: [{ table: 'new', text: `not ${tableId}` }] },
      },
    ]);
    expect(before).toEqual([{ ref: newRef, document: { oid: 'new', hidden: null } }]);
    expect(writeStates).toMatchObject([{ answer: { oid: 'new' } }]);
    expect(versionsAfter).toEqual(entry.versionsAfter.slice(1));
    expect(others).toMatchObject({ id: 'first', end: 'done' });
  });

  test('has the new ID of a rule in the paths of its requests', () => {
    const request = { writeIndex: 0, method: 'DELETE', addedDenials: [], removedDenials: [] };
    const { requests } = translate([createLaterEntry({ changedIds: [['old', 'new']] })], 'gone', {
      ...entry,
      requests: [
        { ...request, path: '/datasecurity/old' },
        { ...request, path: '/datasecurity/older' },
      ],
    });
    expect(requests?.map(({ path }) => path)).toEqual(['/datasecurity/new', '/datasecurity/older']);
  });

  test('has the latest of several IDs, in the order of time', () => {
    const ids = translate([
      createLaterEntry({ startedAt: 8, changedIds: [['b', 'c']] }),
      createLaterEntry({ startedAt: 7, changedIds: [[tableId, 'b']] }),
    ]).before.map((each) => each.ref);
    expect(ids).toEqual([{ ...ref, tableId: 'c' }]);
    const merged = translate([
      createLaterEntry({
        startedAt: 7,
        changedIds: [
          [tableId, 'b'],
          ['x', 'b'],
        ],
      }),
      createLaterEntry({ startedAt: 9, changedIds: [['b', tableId]] }),
    ]);
    expect(merged.before).toEqual(entry.before);
  });
});

describe('the hash of a document', () => {
  const createUndoEntry = (
    undoes: string,
    startedAt: number,
    hash: string,
    fields: Partial<HistoryEntry> = {},
  ) =>
    createLaterEntry({
      id: `undo at ${startedAt}`,
      startedAt,
      undoneEntryId: undoes,
      versionsAfter: [{ ref, hash }],
      ...fields,
    });
  const getHash = (...others: readonly HistoryEntry[]) => translate(others).versionsAfter[0]?.hash;
  const change = createLaterEntry({ id: 'second', startedAt: 6 });

  test('is that after the last undo of a later change', () => {
    expect(getHash(change)).toBe('h1');
    expect(getHash(change, createUndoEntry('second', 7, 'h7'))).toBe('h7');
    expect(getHash(change, createUndoEntry('second', 9, 'h9'), createUndoEntry('second', 8, 'h8'))).toBe(
      'h9',
    );
  });

  test.each([
    ['an unfinished undo', [change, createUndoEntry('second', 7, 'h7', { end: 'stopped' })]],
    [
      'an undo of an earlier change',
      [createLaterEntry({ id: 'zero', startedAt: 4 }), createUndoEntry('zero', 7, 'h7')],
    ],
    ['an undo of an unknown change', [createUndoEntry('gone', 7, 'h7')]],
    ['an undo of this change', [createUndoEntry('first', 7, 'h7')]],
    [
      'an undo of another document',
      [
        change,
        createUndoEntry('second', 7, 'h7', { versionsAfter: [{ ref: createTableRef('Stores'), hash: 'h' }] }),
      ],
    ],
  ])('is as recorded after %s', (_text, others) => {
    expect(getHash(...others)).toBe('h1');
  });
});

test('a rule that was replaced since counts as the new one for a restore, and as deleted for an undo', () => {
  const subject = { kind: 'live', title: 'Desk' } as const;
  const createReplacementEntry = (state: 'done' | 'failed') => {
    const [creation, deletion] = createLiveRuleReplacementWrites(subject, { _id: 'old' }, {});
    return createEntry(
      [creation, deletion].flatMap((write, index) =>
        write === undefined
          ? []
          : [[write, createDone(index === 0 ? { answer: [{ _id: 'new' }] } : { state })] as const],
      ),
      { startedAt: 6, end: 'done' },
    );
  };
  const ruleEntry = createEntry([], {
    before: [{ ref: { kind: 'rule', subject, ruleId: 'old' }, document: { _id: 'old' } }],
  });
  const getId = (others: readonly HistoryEntry[], treatReplacedAs: 'same' | 'gone') =>
    translate(others, treatReplacedAs, ruleEntry).before[0]?.document;
  expect(getId([createReplacementEntry('done')], 'same')).toEqual({ _id: 'new' });
  expect(getId([createReplacementEntry('done')], 'gone')).toEqual({ _id: 'old' });
  expect(getId([createReplacementEntry('failed')], 'same')).toEqual({ _id: 'old' });
});
