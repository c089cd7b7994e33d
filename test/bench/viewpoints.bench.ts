/**
 * The longest time that paging through 5,000 viewpoints blocks the extension host: reading a page and building the tree
 * nodes of all pages so far. Measured as CPU time, since on a shared machine wall-clock time includes other processes.
 */
import { InstanceCatalog, type CatalogSource } from '../../src/catalog/instanceCatalog.ts';
import { readPage } from '../../src/client/reading.ts';
import { createApiRequestInfo } from '../../src/client/apiError.ts';
import { viewpointSchema } from '../../src/contract/viewpoint.ts';
import { emptyNameFilter } from '../../src/catalog/nameFilter.ts';
import type { ExplorerNodeDeps, ExplorerNode } from '../../src/features/explorer/nodes/node.ts';
import { compare } from './harness/bench.ts';
import { startBenchSandbox } from './support.ts';
import { registerVscodeStub } from './vscodeStub.ts';

/** Above this, a user notices a freeze. */
const freezeMs = 50;

registerVscodeStub();
const { ViewpointsNode } = await import('../../src/features/explorer/nodes/viewpointNodes.ts');

await using sandbox = await startBenchSandbox('large');

async function loadPages(size: number): Promise<readonly string[]> {
  const pages: string[] = [];
  for (let offset = 0; offset < 5000; offset += size) {
    pages.push(
      await sandbox.fetchText(`/api/v1/infusion/viewpoints?with=visibility&offset=${offset}&limit=${size}`),
    );
  }
  return pages;
}

/** Loads all pages of viewpoints; returns the longest time that one blocks the thread, and the final number of nodes. */
async function measureLongestTask(pages: readonly string[]): Promise<{ ms: number; nodes: number }> {
  let page = 0;
  let start = process.threadCpuUsage();
  const catalog = new InstanceCatalog({
    viewpoints: async () => {
      const text = pages[page] ?? '';
      page += 1;
      start = process.threadCpuUsage();
      const { value } = readPage(
        {
          requestInfo: createApiRequestInfo('viewpoints.list', '/'),
          status: 200,
          text,
          isUtf8: true,
          contentType: 'application/json',
        },
        viewpointSchema,
        (viewpoints, total) => ({ viewpoints, total }),
      );
      return value;
    },
  } as unknown as CatalogSource);
  const deps = {
    connections: { find: () => undefined },
    tenants: { getConnectionId: (connectionId: string) => connectionId },
    viewpointServiceStatuses: { setReady: () => undefined, peek: () => undefined },
    sessions: { get: async () => ({ catalog }) },
    filter: { current: emptyNameFilter },
  } as unknown as ExplorerNodeDeps;
  const root: ExplorerNode & { connectionId: string } = {
    id: 'bench',
    connectionId: 'bench',
    parent: undefined,
    getTreeItem: () => ({}),
  };
  const node = new ViewpointsNode(deps, root);
  let ms = 0;
  let nodes = 0;
  while (page < pages.length) {
    if (page > 0) {
      await node.loadMore();
    }
    const children = await node.getChildren();
    for (const child of children) {
      await child.getTreeItem();
    }
    nodes = children.length;
    const { user, system } = process.threadCpuUsage(start);
    ms = Math.max(ms, (user + system) / 1000);
  }
  return { ms, nodes };
}

for (const size of [100, 500]) {
  const pages = await loadPages(size);
  const { nodes } = await measureLongestTask(pages);
  await compare(
    {
      name: `by${size}`,
      what: `One more page of viewpoints, ${size} at once`,
      baseline: `${freezeMs} ms`,
      limit: 1,
      details: { nodes },
    },
    {
      subject: async () => {
        globalThis.gc?.();
        return (await measureLongestTask(pages)).ms;
      },
      base: freezeMs,
    },
  );
}
