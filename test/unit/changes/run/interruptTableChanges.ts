import type { HistoryEntry } from '../../../../src/changes/journal/entry.ts';
import { killWindow } from './simulateInterruption.ts';
import {
  type ChangeFixture,
  createOperation,
  createTableRef,
  createTableUpdate,
  getFailure,
} from './support.ts';

/** The three tables that an interrupted operation changes. */
export const orders = createTableRef('Orders');
export const stores = createTableRef('Stores');
export const products = createTableRef('Products');

const update = (table: string) => createTableUpdate(table, { description: 'Mine' });

/** Changes a table as another user, which the history doesn't record. */
export const changeAsOtherUser = (fixture: ChangeFixture, table: string) =>
  fixture.client.tables.update(createTableRef(table), { description: 'Theirs' });

/**
 * Changes three tables, and kills the window: the first change is done, the second has no recorded result, and the third
 * was not sent.
 * @param second whether the second change has reached the server
 */
export async function interruptTableChanges(fixture: ChangeFixture, second: 'arrived' | 'lost') {
  const failingTable = second === 'lost' ? stores : products;
  fixture.getWriteFault = (line) => (line.includes(failingTable.tableId) ? 'request-lost' : undefined);
  await getFailure(
    fixture.open().writer.run(createOperation([update('Orders'), update('Stores'), update('Products')])),
  );
  fixture.getWriteFault = () => undefined;
  return killWindow(fixture, ({ line, write }) => write === 0 || (line === 'sending' && write === 1));
}

/** Rolls back all of these changes except for that of Orders, whose request doesn't arrive. */
export async function stopUndo(fixture: ChangeFixture, entry: HistoryEntry): Promise<void> {
  fixture.getWriteFault = (line) =>
    line.startsWith('PATCH') && line.includes(orders.tableId) ? 'request-lost' : undefined;
  // Journals are sorted by the time of their start.
  await fixture.sandbox.clock.advance(1);
  await getFailure(fixture.open().writer.rollBack(entry));
  fixture.getWriteFault = () => undefined;
}
