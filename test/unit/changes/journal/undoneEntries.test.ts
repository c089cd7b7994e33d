import { describe, expect, test } from 'vitest';
import type { History } from '../../../../src/changes/journal/history.ts';
import type { HistoryEntry } from '../../../../src/changes/journal/entry.ts';
import { getLastUndoable, getUndoneIds } from '../../../../src/changes/journal/undoneEntries.ts';
import { StoppedError } from '../../../../src/changes/run/writeErrors.ts';
import type { Writer } from '../../../../src/changes/run/writer.ts';
import {
  ChangeFixture,
  connectionId,
  getFailure,
  createOperation,
  createTableUpdate,
} from '../run/support.ts';

const readLastUndoable = async (history: History): Promise<HistoryEntry> => {
  const entry = getLastUndoable(await history.readEntries(connectionId));
  if (entry === undefined) {
    throw new Error('No change is in effect');
  }
  return entry;
};

async function undoWith(writer: Writer, entry: HistoryEntry): Promise<void> {
  const { operation: undoOperation, expectedVersions: expected, restoredIds } = await writer.planUndo(entry);
  await writer.run(undoOperation, { expectedVersions: expected, undoneEntryId: entry.id, restoredIds });
}

const isUndone = async (history: History, { id }: HistoryEntry): Promise<boolean> =>
  getUndoneIds(await history.readEntries(connectionId)).has(id);

/** Two changes, an older and a newer one, of different tables. */
async function makeTwoChanges(fixture: ChangeFixture) {
  const { writer, history } = fixture.open();
  await writer.run(createOperation([createTableUpdate('Stores', { description: 'Older' })], 'save', 'Older'));
  await writer.run(createOperation([createTableUpdate('Orders', { description: 'Newer' })], 'save', 'Newer'));
  return { writer, history, newer: await readLastUndoable(history) };
}

describe('the last change in effect', () => {
  test('is still the newest one if undoing it failed', async () => {
    using fixture = new ChangeFixture();
    const { writer, history, newer } = await makeTwoChanges(fixture);
    fixture.getWriteFault = () => 'request-lost';
    expect(await getFailure(undoWith(writer, newer))).toBeInstanceOf(StoppedError);
    fixture.getWriteFault = () => undefined;
    expect(await readLastUndoable(history)).toMatchObject({ operation: { subject: { name: 'Newer' } } });
    expect(await isUndone(history, newer)).toBe(false);
  });

  test('is the older one once the newest is undone', async () => {
    using fixture = new ChangeFixture();
    const { writer, history, newer } = await makeTwoChanges(fixture);
    await undoWith(writer, newer);
    expect(await readLastUndoable(history)).toMatchObject({ operation: { subject: { name: 'Older' } } });
    expect(await isUndone(history, newer)).toBe(true);
  });

  test('is the newest one again once its undo was undone', async () => {
    using fixture = new ChangeFixture();
    const { writer, history, newer } = await makeTwoChanges(fixture);
    await undoWith(writer, newer);
    const [undo] = await history.readEntries(connectionId);
    await undoWith(writer, undo ?? newer);
    expect(await readLastUndoable(history)).toMatchObject({ id: newer.id });
    expect(await isUndone(history, newer)).toBe(false);
  });
});

test('without any change there is no last change in effect', () => {
  expect(getLastUndoable([])).toBeUndefined();
});
