import { InstanceCatalog, type CatalogSource } from '../../src/catalog/instanceCatalog.ts';
import { type Datamodel, datamodelSchema } from '../../src/contract/datamodel.ts';
import { createApiRequestInfo } from '../../src/client/apiError.ts';
import { readOne } from '../../src/client/reading.ts';
import type { ExplorerNodeDeps, ExplorerNode } from '../../src/features/explorer/nodes/node.ts';
import { emptyNameFilter } from '../../src/catalog/nameFilter.ts';
import { compare, measureCpuMs } from './harness/bench.ts';
import { startBenchSandbox } from './support.ts';
import { registerVscodeStub } from './vscodeStub.ts';

/**
 * Time from the response body of the 500-table model to tree items, compared with `JSON.parse` of that body: the
 * datamodel, its datasets and all of its tables expanded, and the columns of one of them.
 */
const connectionId = 'bench';

registerVscodeStub();
const { DatamodelNode } = await import('../../src/features/explorer/nodes/datamodelNodes.ts');

await using sandbox = await startBenchSandbox('large');
const [entry] = JSON.parse(await sandbox.fetchText('/api/v2/datamodels')) as Datamodel[];
const body = await sandbox.fetchText(`/api/v2/datamodels/${entry?.oid ?? ''}`);

const readDatamodel = (text: string): Datamodel =>
  readOne(
    {
      requestInfo: createApiRequestInfo('datamodels.get', '/'),
      status: 200,
      text,
      isUtf8: true,
      contentType: 'application/json',
    },
    datamodelSchema,
  ).value;

/** The dependencies of the nodes, with a catalog that parses the body on request. */
function createDeps(text: string): ExplorerNodeDeps {
  const catalog = new InstanceCatalog({
    datamodel: async () => readDatamodel(text),
  } as unknown as CatalogSource);
  return {
    connections: { find: () => undefined },
    sessions: { get: async () => ({ catalog }) },
    builds: { builds: [] },
    pins: { has: () => false },
    filter: { current: emptyNameFilter },
  } as unknown as ExplorerNodeDeps;
}

async function expandTree(text: string): Promise<number> {
  const root: ExplorerNode = { id: connectionId, parent: undefined, getTreeItem: () => ({}) };
  const location = { parent: root, connectionId };
  const datamodel = new DatamodelNode(createDeps(text), location, entry ?? { oid: '', title: '' });
  let items = 0;
  const expandNode = async (node: ExplorerNode): Promise<readonly ExplorerNode[]> => {
    const children = (await node.getChildren?.()) ?? [];
    for (const child of children) {
      await child.getTreeItem();
      items += 1;
    }
    return children;
  };
  const datasets = (await expandNode(datamodel)).filter(({ resource }) => resource?.kind === 'dataset');
  let table: ExplorerNode | undefined;
  for (const dataset of datasets) {
    [table] = await expandNode(dataset);
  }
  if (table !== undefined) {
    await expandNode(table);
  }
  return items;
}

/** Collects garbage before it measures, so that neither side pays for the garbage of the other. */
const measure = (run: () => unknown): Promise<number> => {
  globalThis.gc?.();
  return measureCpuMs(run);
};
await compare(
  {
    name: 'expand',
    what: 'Expand a datamodel of 500 tables',
    baseline: '`JSON.parse` of the body',
    limit: 1.5,
    warmups: 3,
    details: { bytes: body.length, items: await expandTree(body) },
  },
  { subject: () => measure(() => expandTree(body)), base: () => measure(() => JSON.parse(body)) },
);
