import { expect, test } from 'vitest';
import { silentLog } from '../../../../src/base/log.ts';
import type { Connection } from '../../../../src/connections/connection.ts';
import { DatamodelIndex } from '../../../../src/features/find/datamodelIndex.ts';
import type { FindDeps } from '../../../../src/features/find/deps.ts';
import { findKnown } from '../../../../src/features/find/found.ts';
import { ServerSearch } from '../../../../src/features/find/serverSearch.ts';
import { FakeClock } from '../../../fakes/fakeClock.ts';

const connection: Connection = { kind: 'sandbox', id: 's', name: 'Sandbox', role: 'development' };

/** One connection whose server finds the viewpoints that are set, or fails. */
function searching() {
  const server: { viewpoints: readonly { id: string; name: string }[] | Error; pause?: Promise<void> } = {
    viewpoints: [],
  };
  const list = async () => {
    await server.pause;
    if (server.viewpoints instanceof Error) {
      throw server.viewpoints;
    }
    return { value: { viewpoints: server.viewpoints, total: undefined } };
  };
  const catalog = { revalidate: () => Promise.reject(new Error('the connection broke')) };
  const deps = {
    connections: { all: [connection] },
    current: { first: [connection] },
    sessions: { get: async () => ({ client: { viewpoints: { list } }, catalog }), peek: () => undefined },
    clock: new FakeClock(),
    log: silentLog,
  } as unknown as FindDeps;
  const search = new ServerSearch(deps, new DatamodelIndex(deps.clock));
  const names = (text: string): readonly string[] =>
    findKnown(deps, text, 10, search.viewpoints, search.viewpointsFor(text)).map(({ name }) => name);
  return { server, search, names };
}

test('what the server finds by its description is found, after what fits by name', async () => {
  const { server, search, names } = searching();
  server.viewpoints = [
    { id: '1', name: 'Turnover' },
    { id: '2', name: 'Sales by month' },
  ];
  await search.searchViewpoints('sales');
  expect(names('sales')).toEqual(['Sales by month', 'Turnover']);
  // While a person types on, nothing stands for another text than was searched for.
  expect(names('sales by')).toEqual(['Sales by month']);
});

test('a failure is told until the search works again', async () => {
  const { server, search } = searching();
  server.viewpoints = new Error('the connection broke');
  await search.searchViewpoints('sales');
  expect(search.failures.map(({ connection: { id } }) => id)).toEqual(['s']);
  server.viewpoints = [];
  await search.searchViewpoints('sale');
  expect(search.failures).toEqual([]);
});

test('a connection that fails in several ways is told of once', async () => {
  const { server, search } = searching();
  server.viewpoints = new Error('the connection broke');
  await search.searchViewpoints('sales');
  await search.loadDatamodels();
  expect(search.failures).toHaveLength(1);
});

test('what was found stays until the server answers the next text, and is not there for it by its words', async () => {
  const { server, search, names } = searching();
  server.viewpoints = [
    { id: '1', name: 'Turnover' },
    { id: '2', name: 'Sales by month' },
  ];
  await search.searchViewpoints('sales');
  const pause = Promise.withResolvers<void>();
  server.pause = pause.promise;
  server.viewpoints = [{ id: '3', name: 'Sales by year' }];
  const searched = search.searchViewpoints('sales by');
  expect(names('sales by')).toEqual(['Sales by month']);
  pause.resolve();
  await searched;
  expect(names('sales by')).toEqual(['Sales by year']);
});
