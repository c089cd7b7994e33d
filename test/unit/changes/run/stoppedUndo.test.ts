import { describe, expect, test } from 'vitest';
import type { HistoryEntry } from '../../../../src/changes/journal/entry.ts';
import { getText } from '../../../../src/changes/model/jsonMembers.ts';
import { runApproved } from '../journal/runApproved.ts';
import {
  ChangeFixture,
  connectionId,
  getFailure,
  getIds,
  createOperation,
  createTableRef,
  createTableUpdate,
} from './support.ts';

const orders = createTableRef('Orders');

const refusePatches = ({ sandbox }: ChangeFixture): void =>
  sandbox.faults.set([{ kind: 'status', status: 403, methods: ['PATCH'] }]);

/** The request does not arrive, and there is no response. */
const losePatches = (fixture: ChangeFixture): void => {
  fixture.getWriteFault = (line) => (line.startsWith('PATCH') ? 'request-lost' : undefined);
};

/**
 * Changes the description of a table and deletes it, then stops the undo after the table was recreated with another ID.
 */
async function stopUndoMidway(
  fixture: ChangeFixture,
  stop: (fixture: ChangeFixture) => void = refusePatches,
) {
  const { writer, history } = fixture.open();
  const readLatest = async (): Promise<HistoryEntry> => {
    const [entry] = await history.readEntries(connectionId);
    if (entry === undefined) {
      throw new Error('Nothing was recorded');
    }
    return entry;
  };
  const { description } = await fixture.readObject(orders);
  await writer.run(createOperation([createTableUpdate('Orders', { description: 'Ours' })]));
  const descriptionEntry = await readLatest();
  await runApproved(
    writer,
    createOperation([{ endpoint: 'tables.delete', params: getIds(orders), target: orders }], 'delete'),
  );
  const deletionEntry = await readLatest();
  const { operation: undo, expectedVersions: expected, restoredIds } = await writer.planUndo(deletionEntry);
  stop(fixture);
  const options = { expectedVersions: expected, undoneEntryId: deletionEntry.id, restoredIds };
  expect(await getFailure(runApproved(writer, undo, options))).toMatchObject({ name: 'StoppedError' });
  fixture.sandbox.faults.set([]);
  fixture.getWriteFault = () => undefined;
  const stoppedUndo = await readLatest();
  expect(stoppedUndo.writeStates.map(({ state }) => state).slice(0, 3)).toEqual([
    'done',
    'failed',
    'waiting',
  ]);
  return { writer, readLatest, description, descriptionEntry, stoppedUndo };
}

describe('an undo that stopped midway', () => {
  test.each([
    ['was refused', refusePatches],
    ['never arrived', losePatches],
  ])(
    'is finished even if an update that %s was for a table that the undo itself had recreated',
    async (_how, stop) => {
      using fixture = new ChangeFixture();
      const { writer, readLatest, stoppedUndo } = await stopUndoMidway(fixture, stop);
      await writer.resume(stoppedUndo);
      expect(await readLatest()).toMatchObject({ id: stoppedUndo.id, end: 'done' });
    },
  );

  test('remembers items restored under another ID, so that older changes can be undone as well', async () => {
    using fixture = new ChangeFixture();
    const { writer, readLatest, description, descriptionEntry, stoppedUndo } = await stopUndoMidway(fixture);
    await writer.resume(stoppedUndo);
    const { changedIds } = await readLatest();
    const [, tableId = ''] = changedIds.find(([old]) => old === orders.tableId) ?? [];
    const nextUndo = await writer.planUndo(descriptionEntry);
    await runApproved(writer, nextUndo.operation, {
      expectedVersions: nextUndo.expectedVersions,
      undoneEntryId: descriptionEntry.id,
    });
    const table = await fixture.readObject({ ...orders, tableId });
    expect([getText(table['name']), table['description']]).toEqual(['Orders', description]);
  });
});
