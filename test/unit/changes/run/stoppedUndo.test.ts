import { describe, expect, test } from 'vitest';
import type { HistoryEntry } from '../../../../src/changes/journal/entry.ts';
import { getText } from '../../../../src/changes/model/readJson.ts';
import { apply } from '../journal/apply.ts';
import {
  ChangeFixture,
  connectionId,
  getFailure,
  getIds,
  operation,
  tableRef,
  updateTable,
} from './support.ts';

const orders = tableRef('Orders');

const refusePatches = ({ sandbox }: ChangeFixture): void =>
  sandbox.faults.set([{ kind: 'status', status: 403, methods: ['PATCH'] }]);

/** The request does not arrive, and there is no response. */
const losePatches = (fixture: ChangeFixture): void => {
  fixture.getLoss = (line) => (line.startsWith('PATCH') ? 'request' : undefined);
};

/** A table was described and then deleted; the undo stopped after the table was recreated, under another id. */
async function stopUndoMidway(
  fixture: ChangeFixture,
  stop: (fixture: ChangeFixture) => void = refusePatches,
) {
  const { writer, history } = fixture.open();
  const latest = async (): Promise<HistoryEntry> => {
    const [entry] = await history.readEntries(connectionId);
    if (entry === undefined) {
      throw new Error('Nothing was written down');
    }
    return entry;
  };
  const { description } = await fixture.readObject(orders);
  await writer.run(operation([updateTable('Orders', { description: 'Ours' })]));
  const described = await latest();
  await apply(
    writer,
    operation([{ endpoint: 'tables.delete', params: getIds(orders), target: orders }], 'delete'),
  );
  const deleted = await latest();
  const { operation: undo, expectedVersions: expected, restoredIds } = await writer.planUndo(deleted);
  stop(fixture);
  const options = { expectedVersions: expected, undoes: deleted.id, restoredIds };
  expect(await getFailure(apply(writer, undo, options))).toMatchObject({ name: 'StoppedError' });
  fixture.sandbox.faults.set([]);
  fixture.getLoss = () => undefined;
  const stoppedUndo = await latest();
  expect(stoppedUndo.writes.map(({ state }) => state).slice(0, 3)).toEqual(['done', 'failed', 'waiting']);
  return { writer, latest, description, described, begun: stoppedUndo };
}

describe('an undo that stopped midway', () => {
  test.each([
    ['was refused', refusePatches],
    ['never arrived', losePatches],
  ])('is finished, with an update that %s for a table that it had recreated itself', async (_how, stop) => {
    using fixture = new ChangeFixture();
    const { writer, latest, begun } = await stopUndoMidway(fixture, stop);
    await writer.resume(begun);
    expect(await latest()).toMatchObject({ id: begun.id, end: 'done' });
  });

  test('remembers items restored under another id, so that older changes can be undone as well', async () => {
    using fixture = new ChangeFixture();
    const { writer, latest, description, described, begun } = await stopUndoMidway(fixture);
    await writer.resume(begun);
    const { changedIds } = await latest();
    const [, tableId = ''] = changedIds.find(([old]) => old === orders.tableId) ?? [];
    const nextUndo = await writer.planUndo(described);
    await apply(writer, nextUndo.operation, {
      expectedVersions: nextUndo.expectedVersions,
      undoes: described.id,
    });
    const table = await fixture.readObject({ ...orders, tableId });
    expect([getText(table['name']), table['description']]).toEqual(['Orders', description]);
  });
});
