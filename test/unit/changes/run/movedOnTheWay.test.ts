import { describe, expect, test } from 'vitest';
import type { HistoryEntry } from '../../../../src/changes/journal/entry.ts';
import { getText } from '../../../../src/changes/model/readJson.ts';
import { apply } from '../journal/apply.ts';
import { Bench, connectionId, failure, getIds, operation, tableRef, updateTable } from './support.ts';

const orders = tableRef('Orders');

const refused = ({ sandbox }: Bench): void =>
  sandbox.faults.set([{ kind: 'status', status: 403, methods: ['PATCH'] }]);

/** The request does not arrive, and no response says so. */
const lost = (bench: Bench): void => {
  bench.lose = (line) => (line.startsWith('PATCH') ? 'request' : undefined);
};

/** A table was described and then deleted; the undo stopped after the table was recreated, under another id. */
async function halfWayBack(bench: Bench, stop: (bench: Bench) => void = refused) {
  const { writer, history } = bench.open();
  const latest = async (): Promise<HistoryEntry> => {
    const [entry] = await history.readEntries(connectionId);
    if (entry === undefined) {
      throw new Error('Nothing was written down');
    }
    return entry;
  };
  const { description } = await bench.object(orders);
  await writer.run(operation([updateTable('Orders', { description: 'Ours' })]));
  const described = await latest();
  await apply(
    writer,
    operation([{ endpoint: 'tables.delete', params: getIds(orders), target: orders }], 'delete'),
  );
  const deleted = await latest();
  const { operation: back, expect: expected, moved } = await writer.planUndo(deleted);
  stop(bench);
  const options = { expect: expected, undoes: deleted.id, moved };
  expect(await failure(apply(writer, back, options))).toMatchObject({ name: 'StoppedError' });
  bench.sandbox.faults.set([]);
  bench.lose = () => undefined;
  const begun = await latest();
  expect(begun.writes.map(({ state }) => state).slice(0, 3)).toEqual(['done', 'failed', 'waiting']);
  return { writer, latest, description, described, begun };
}

describe('an undo that stopped midway', () => {
  test.each([
    ['was refused', refused],
    ['never arrived', lost],
  ])('is finished, with an update that %s for a table that it had recreated itself', async (_how, stop) => {
    using bench = new Bench();
    const { writer, latest, begun } = await halfWayBack(bench, stop);
    await writer.resume(begun);
    expect(await latest()).toMatchObject({ id: begun.id, end: 'done' });
  });

  test('remembers items restored under another id, so that older changes can be undone as well', async () => {
    using bench = new Bench();
    const { writer, latest, description, described, begun } = await halfWayBack(bench);
    await writer.resume(begun);
    const { moved } = await latest();
    const [, tableId = ''] = moved.find(([old]) => old === orders.tableId) ?? [];
    const again = await writer.planUndo(described);
    await apply(writer, again.operation, { expect: again.expect, undoes: described.id });
    const table = await bench.object({ ...orders, tableId });
    expect([getText(table['name']), table['description']]).toEqual(['Orders', description]);
  });
});
