import { expect, test } from 'vitest';
import { silentLog } from '../../../../src/base/log.ts';
import type { Connection } from '../../../../src/connections/connection.ts';
import { DatamodelPreloader } from '../../../../src/features/find/datamodelPreloader.ts';
import type { FindDeps } from '../../../../src/features/find/deps.ts';
import { searchCatalogs } from '../../../../src/features/find/findResult.ts';
import { type SearchRemainder, ServerSearch } from '../../../../src/features/find/serverSearch.ts';
import { FakeClock } from '../../../fakes/fakeClock.ts';

const connection: Connection = { kind: 'sandbox', id: 's', name: 'Sandbox', role: 'development' };

/** Creates a search on one connection, whose server finds the configured viewpoints or fails. */
function createSearch() {
  const server: {
    viewpoints: readonly { id: string; name: string }[] | Error;
    pause?: Promise<void>;
    reportsTotal: boolean;
    /** Whether the server finds only what contains the text, in the same letter case. */
    filters: boolean;
    /** Whether the search for a text fails. */
    fails: (text: string) => boolean;
  } = { viewpoints: [], reportsTotal: false, filters: false, fails: () => false };
  const list = async ({
    search: { text },
    offset,
    limit,
  }: {
    readonly search: { readonly text: string };
    readonly offset: number;
    readonly limit: number;
  }) => {
    await server.pause;
    const { reportsTotal, filters } = server;
    if (server.fails(text)) {
      throw new Error('the request was refused');
    }
    if (server.viewpoints instanceof Error) {
      throw server.viewpoints;
    }
    const viewpoints = server.viewpoints.filter(({ name }) => !filters || name.includes(text));
    const total = reportsTotal ? viewpoints.length : undefined;
    return { value: { viewpoints: viewpoints.slice(offset, offset + limit), total } };
  };
  const catalog = { revalidate: () => Promise.reject(new Error('the connection was lost')) };
  const deps = {
    connections: { all: [connection] },
    currentConnection: { allCurrentFirst: [connection] },
    sessions: { get: async () => ({ client: { viewpoints: { list } }, catalog }), peek: () => undefined },
    clock: new FakeClock(),
    log: silentLog,
  } as unknown as FindDeps;
  const search = new ServerSearch(deps, new DatamodelPreloader(deps.clock));
  const findNames = (text: string): readonly string[] =>
    searchCatalogs(deps, text, 10, search.viewpoints, search.getViewpoints(text)).map(({ name }) => name);
  return { server, search, findNames };
}

test('matches by description from the server come after matches by name', async () => {
  const { server, search, findNames } = createSearch();
  server.viewpoints = [
    { id: '1', name: 'Turnover' },
    { id: '2', name: 'Sales by month' },
  ];
  await search.searchViewpoints('sales');
  expect(findNames('sales')).toEqual(['Sales by month', 'Turnover']);
  // While the user is typing, no result of another query is shown.
  expect(findNames('sales by')).toEqual(['Sales by month']);
});

test.each(['sales', 'SALES', 'Sales', 'sales by month', 'by month', 'MONTH'])(
  'viewpoints are found in any letter case: %s',
  async (text) => {
    const { server, search, findNames } = createSearch();
    server.filters = true;
    server.viewpoints = [
      { id: '1', name: 'Turnover' },
      { id: '2', name: 'Sales by Month' },
      { id: '3', name: 'KPI' },
    ];
    await search.searchViewpoints(text);
    expect(findNames(text)).toEqual(['Sales by Month']);
    // Only what contains the text as it is can be loaded page by page.
    expect(search.getRemainder(text)).toEqual([]);
    await search.searchViewpoints('');
    expect(findNames(text)).toEqual([]);
  },
);

test('an acronym is found in lower case', async () => {
  const { server, search, findNames } = createSearch();
  server.filters = true;
  server.viewpoints = [{ id: '3', name: 'KPI overview' }];
  await search.searchViewpoints('kpi');
  expect(findNames('kpi')).toEqual(['KPI overview']);
});

test('more viewpoints in another letter case are offered, and loaded together with those in the typed one', async () => {
  const { server, search } = createSearch();
  server.filters = true;
  server.reportsTotal = true;
  server.viewpoints = Array.from({ length: 120 }, (_, index) => ({ id: `${index}`, name: `Sales ${index}` }));
  await search.searchViewpoints('sales');
  const pages: [loaded: number, remaining: number | undefined][] = [];
  for (let [remainder] = search.getRemainder('sales'); remainder !== undefined; ) {
    pages.push([search.viewpoints.length, remainder.count]);
    await search.continueSearch(remainder);
    [remainder] = search.getRemainder('sales');
  }
  expect(pages).toEqual([
    [50, undefined],
    [100, undefined],
  ]);
  expect(search.viewpoints).toHaveLength(120);
  expect(search.getRemainder('sale')).toEqual([]);
});

test('if the search for another spelling fails, what was found is shown, and the connection has not failed', async () => {
  const { server, search, findNames } = createSearch();
  server.filters = true;
  server.viewpoints = [{ id: '1', name: 'sales' }];
  server.fails = (text) => text !== 'sales';
  await search.searchViewpoints('sales');
  expect(findNames('sales')).toEqual(['sales']);
  expect(search.failures).toEqual([]);
});

test('a failure is shown until the search works again', async () => {
  const { server, search } = createSearch();
  server.viewpoints = new Error('the connection was lost');
  await search.searchViewpoints('sales');
  expect(search.failures.map(({ connection: { id } }) => id)).toEqual(['s']);
  server.viewpoints = [];
  await search.searchViewpoints('sale');
  expect(search.failures).toEqual([]);
});

test('a connection that fails in several ways is shown once', async () => {
  const { server, search } = createSearch();
  server.viewpoints = new Error('the connection was lost');
  await search.searchViewpoints('sales');
  await search.loadDatamodels();
  expect(search.failures).toHaveLength(1);
});

test('until the server answers the next query, the previous results are filtered by name', async () => {
  const { server, search, findNames } = createSearch();
  server.viewpoints = [
    { id: '1', name: 'Turnover' },
    { id: '2', name: 'Sales by month' },
  ];
  await search.searchViewpoints('sales');
  const pause = Promise.withResolvers<void>();
  server.pause = pause.promise;
  server.viewpoints = [{ id: '3', name: 'Sales by year' }];
  const pendingSearch = search.searchViewpoints('sales by');
  expect(findNames('sales by')).toEqual(['Sales by month']);
  pause.resolve();
  await pendingSearch;
  expect(findNames('sales by')).toEqual(['Sales by year']);
});

test.each([true, false])(
  'the remaining viewpoints can be loaded page by page; the server reports a total: %s',
  async (reportsTotal) => {
    const { server, search } = createSearch();
    server.viewpoints = Array.from({ length: 120 }, (_, index) => ({
      id: `${index}`,
      name: `Sales ${index}`,
    }));
    server.reportsTotal = reportsTotal;
    await search.searchViewpoints('sales');
    const remainingCounts: (number | undefined)[] = [];
    for (
      let [remainder] = search.getRemainder('sales');
      remainder !== undefined;
      [remainder] = search.getRemainder('sales')
    ) {
      remainingCounts.push(remainder.count);
      await search.continueSearch(remainder);
    }
    expect(remainingCounts).toEqual(reportsTotal ? [70, 20] : [undefined, undefined]);
    expect(search.getViewpoints('sales')).toHaveLength(120);
    // No result is known yet for a text that was typed meanwhile.
    expect(search.getRemainder('sales by')).toEqual([]);
  },
);

test('a page that cannot be loaded is reported, and earlier results stay', async () => {
  const { server, search } = createSearch();
  const all = Array.from({ length: 60 }, (_, index) => ({ id: `${index}`, name: `Sales ${index}` }));
  server.viewpoints = all;
  await search.searchViewpoints('sales');
  server.viewpoints = new Error('the connection was lost');
  const remainder: SearchRemainder = { kind: 'viewpoints', connection, count: undefined };
  expect(search.getRemainder('sales')).toEqual([remainder]);
  await search.continueSearch(remainder);
  expect(search.failures.map(({ connection: { id } }) => id)).toEqual(['s']);
  expect(search.getViewpoints('sales')).toHaveLength(50);
  server.viewpoints = all;
  await search.continueSearch(remainder);
  expect([search.failures, search.getViewpoints('sales').length]).toEqual([[], 60]);
});
