import { initialRowCount } from '../../src/webviews/access/initialRowCount.ts';
import type { FromAccess, ToAccess } from '../../src/webviews/protocol/access.ts';
import { compare } from './harness/bench.ts';
import { BenchWebviewPage } from './webviewPage.ts';

/** The Effective Access page on a chain of 500 tables with 2,000 rules, each of which reaches all tables. */
const tableCount = 500;
const columnsPerTable = 40;
const rulesPerTable = 4;
const userCount = 11;

const getTableName = (index: number): string => `Table ${index + 1}`;
const data: Extract<ToAccess, { type: 'data' }> = {
  type: 'data',
  title: 'Large',
  kind: 'extract',
  rules: Array.from({ length: tableCount * rulesPerTable }, (_none, index) => ({
    _id: `${index}`,
    table: getTableName(Math.floor(index / rulesPerTable)),
    column: `Column ${2 + (index % 3)}`,
    datatype: 'text',
    members: [`Value ${(index % 28) + 1}`],
    allMembers: null,
    exclusionary: false,
    shares:
      index % 2 === 0 ? [{ type: 'default' }] : [{ type: 'user', partyId: `user ${index % userCount}` }],
  })),
  catalog: {
    complete: true,
    tables: Array.from({ length: tableCount }, (_none, table) => ({
      name: getTableName(table),
      columns: Array.from({ length: columnsPerTable }, (_no, column) => ({ name: `Column ${column + 1}` })),
    })),
    relations: Array.from({ length: tableCount - 1 }, (_none, table) => ({
      columns: [table, table + 1].map((end) => ({ table: getTableName(end), column: 'Column 1' })),
    })),
  },
};

/** The table whose row is the last one that is shown at first. */
const lastInitialTable = getTableName(initialRowCount - 1);
await compare(
  {
    name: 'open',
    what: `Effective Access opens on ${tableCount} linked tables and ${data.rules.length.toLocaleString('en-US')} rules, main thread of the page`,
    baseline: 'two seconds',
    limit: 1,
  },
  {
    subject: async () => {
      await using benchPage = await BenchWebviewPage.open<ToAccess>('access', (message, host) => {
        if ((message as FromAccess).type === 'ready') {
          host.post(data);
        }
      });
      await benchPage.page.getByText(lastInitialTable, { exact: true }).first().waitFor();
      // Without `await`, the page would be closed before the measurement.
      return await benchPage.getTaskDurationMs();
    },
    base: 2000,
  },
);
