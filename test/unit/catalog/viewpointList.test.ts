import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ViewpointList } from '../../../src/catalog/viewpointList.ts';
import type { ViewpointPage } from '../../../src/contract/viewpoint.ts';

/** A server with viewpoints 0 to count - 1 that returns `limit` of them at a time. */
function createServer(count: number, limit: number, reportsTotal: boolean) {
  const offsets: number[] = [];
  const loadPage = async (offset: number, minCount = 0): Promise<ViewpointPage> => {
    offsets.push(offset);
    const viewpoints = Array.from({ length: count }, (_value, index) => ({ id: String(index) }));
    return {
      viewpoints: viewpoints.slice(offset, offset + Math.max(limit, minCount)),
      total: reportsTotal ? count : undefined,
    };
  };
  return { loadPage, offsets };
}

test('property: all pages together are all viewpoints, once each, with or without a total from the server', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.nat(60),
      fc.integer({ min: 1, max: 25 }),
      fc.boolean(),
      async (count, limit, reportsTotal) => {
        const list = new ViewpointList(createServer(count, limit, reportsTotal).loadPage);
        let loaded = await list.loadFirst();
        while (loaded.hasMore) {
          loaded = await list.loadMore();
        }
        expect(loaded.viewpoints.map(({ id }) => Number(id))).toEqual([...Array(count).keys()]);
      },
    ),
  );
});

test('the first page is requested once, and concurrent callers share a page', async () => {
  const { loadPage, offsets } = createServer(30, 10, true);
  const list = new ViewpointList(loadPage);
  await Promise.all([list.loadFirst(), list.loadFirst()]);
  await list.loadFirst();
  await Promise.all([list.loadMore(), list.loadMore()]);
  expect(offsets).toEqual([0, 10]);
});

test('viewpoints deleted between two pages hide no others, and are no longer listed', async () => {
  let serverIds = [...Array(30).keys()];
  const list = new ViewpointList(async (offset) => ({
    viewpoints: serverIds.slice(offset, offset + 10).map((id) => ({ id: String(id) })),
    total: serverIds.length,
  }));
  await list.loadFirst();
  serverIds = serverIds.filter((id) => id !== 0 && id !== 5);
  const { viewpoints, total, hasMore } = await list.loadMore();
  expect(viewpoints.map(({ id }) => Number(id))).toEqual(serverIds.slice(0, 20));
  expect({ total, hasMore }).toEqual({ total: 28, hasMore: true });
  while (list.loaded.hasMore) {
    await list.loadMore();
  }
  expect(list.loaded.viewpoints.map(({ id }) => Number(id))).toEqual(serverIds);
});

test('a failed page loses nothing and can be requested again', async () => {
  const { loadPage } = createServer(30, 10, true);
  let isDown = false;
  const list = new ViewpointList((offset) => (isDown ? Promise.reject(new Error('down')) : loadPage(offset)));
  await list.loadFirst();
  isDown = true;
  await expect(list.loadMore()).rejects.toThrow('down');
  expect((await list.loadFirst()).viewpoints).toHaveLength(10);
  isDown = false;
  expect((await list.loadMore()).viewpoints).toHaveLength(20);
});

test('a refreshed list loads in one request as much as was shown before', async () => {
  const { loadPage, offsets } = createServer(30, 10, true);
  const list = new ViewpointList(loadPage, 20);
  expect((await list.loadFirst()).viewpoints).toHaveLength(20);
  expect((await list.loadMore()).viewpoints).toHaveLength(30);
  expect(offsets).toEqual([0, 20]);
});

test('a search may request larger pages', async () => {
  const { loadPage, offsets } = createServer(100, 10, false);
  const list = new ViewpointList(loadPage);
  await list.loadFirst();
  expect((await list.loadMore(50)).viewpoints).toHaveLength(60);
  expect(offsets).toEqual([0, 10]);
});

test('unreadable viewpoints are counted, so that no page is requested twice', async () => {
  const unreadable = [{ path: [1], faultPath: ['id'], expected: 'string', item: { id: 5 } }];
  const offsets: number[] = [];
  const list = new ViewpointList((offset) => {
    offsets.push(offset);
    const value = { viewpoints: [{ id: `v${offset}` }], total: 4 };
    return Promise.reject(Object.assign(new Error('partly read'), { readable: { value, unreadable } }));
  });
  await list.loadFirst();
  const { viewpoints, unreadable: reported, hasMore } = await list.loadMore();
  expect([offsets, viewpoints.length, reported.length, hasMore]).toEqual([[0, 2], 2, 2, false]);
});
