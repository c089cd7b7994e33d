import { describe, expect, test } from 'vitest';
import { english } from '../../../../src/base/localize.ts';
import type { JsonObject } from '../../../../src/base/json.ts';
import type { WriteState } from '../../../../src/changes/journal/entry.ts';
import {
  describeHiddenAfterAbandoning,
  describeHiddenAfterStop,
} from '../../../../src/changes/messages/describeHidden.ts';
import type { Operation } from '../../../../src/changes/model/operation.ts';
import {
  createTableDeletionWrite,
  createTableUpdateWrite,
} from '../../../../src/changes/model/tableWrites.ts';

const ids = { datamodelId: 'd', datasetId: 's', tableId: 't' };
const ref = { kind: 'table', ...ids } as const;
const [shownColumn, hiddenColumn] = [
  { oid: '1', name: 'Status', hidden: false },
  { oid: '2', name: 'Secret', hidden: true },
];
const table = { oid: 't', name: 'Orders', columns: [shownColumn, hiddenColumn] };
const hide = (column: JsonObject): JsonObject => ({ ...column, hidden: true });
const update = (body: JsonObject) => createTableUpdateWrite(ids, body);

const createReport = (
  writes: Operation['writes'],
  states: readonly ('done' | 'failed' | 'waiting')[],
  document: JsonObject = table,
) => ({
  operation: { connectionId: 'c', cause: 'apply', subject: { name: '', within: [] }, writes } as const,
  writeStates: states.map((state): WriteState => ({ state, path: '', ms: 0 })),
  documents: [{ ref, document }],
  before: [{ ref, document }],
});

describe('what a stopped change keeps hidden', () => {
  test('are columns that it would show or delete, also new ones, until it is done', () => {
    const added = { name: 'Amount' };
    const writes = [
      update({ columns: [hide(shownColumn), hiddenColumn, hide(added)] }),
      update({ columns: [shownColumn, hiddenColumn, { ...added, hidden: false }] }),
    ];
    const text = 'Hidden until the change is finished or rolled back: Orders.Status and Orders.Amount.';
    expect(describeHiddenAfterStop(english, createReport(writes, ['done', 'waiting']))).toEqual([text]);
    expect(describeHiddenAfterStop(english, createReport(writes, ['done', 'failed']))).toEqual([text]);
    expect(describeHiddenAfterStop(english, createReport(writes, ['done', 'done']))).toEqual([]);
    expect(describeHiddenAfterStop(english, createReport(writes, ['failed', 'waiting']))).toEqual([]);
  });

  test('is named without its table if that could not be read', () => {
    const writes = [update({ columns: [hide(shownColumn)] }), update({ columns: [shownColumn] })];
    const report = { ...createReport(writes, ['done', 'waiting']), documents: [] };
    expect(describeHiddenAfterStop(english, report)).toEqual([
      'Hidden until the change is finished or rolled back: Status.',
    ]);
  });

  test('is a table that it would delete', () => {
    const writes = [update({ hidden: true }), createTableDeletionWrite(ids)];
    expect(describeHiddenAfterStop(english, createReport(writes, ['done', 'waiting']))).toEqual([
      'Hidden until the change is finished or rolled back: Orders.',
    ]);
    expect(describeHiddenAfterStop(english, createReport(writes, ['done', 'done']))).toEqual([]);
  });

  test('is not what the change is meant to hide', () => {
    const writes = [update({ columns: [hide(shownColumn), hiddenColumn] }), update({ description: 'New' })];
    expect(describeHiddenAfterStop(english, createReport(writes, ['done', 'waiting']))).toEqual([]);
  });

  test('does not include, once it is abandoned, what was hidden before', () => {
    const shown = { ...hiddenColumn, hidden: false };
    const writes = [
      update({ columns: [hide(shownColumn), hiddenColumn] }),
      update({ columns: [shownColumn, shown] }),
    ];
    const report = createReport(writes, ['done', 'waiting']);
    expect(describeHiddenAfterStop(english, report)).toEqual([
      'Hidden until the change is finished or rolled back: Orders.Status and Orders.Secret.',
    ]);
    expect(describeHiddenAfterAbandoning(english, report).join()).toContain('hidden: Orders.Status. To');
    const hiddenBefore = createReport(
      [update({ hidden: true }), update({ hidden: false })],
      ['done', 'waiting'],
      { ...table, hidden: true },
    );
    expect(describeHiddenAfterAbandoning(english, hiddenBefore)).toEqual([]);
  });
});
