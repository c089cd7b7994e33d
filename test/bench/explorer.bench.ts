import { InstanceCatalog, type CatalogSource } from '../../src/catalog/instanceCatalog.ts';
import { type Datamodel, datamodelSchema } from '../../src/contract/datamodel.ts';
import { createApiOperation } from '../../src/client/apiError.ts';
import { readOne } from '../../src/client/reading.ts';
import type { ExplorerNodeDeps, ExplorerNode } from '../../src/features/explorer/nodes/node.ts';
import { emptyNameFilter } from '../../src/catalog/nameFilter.ts';
import { getMedian, printFigure, roundTo } from './report.ts';
import { startBenchSandbox } from './support.ts';
import { registerVscodeStub } from './vscodeStub.ts';

/**
 * Time from the response body of the 500-table model to tree items, compared with `JSON.parse` of that body: the
 * datamodel, its datasets and all of its tables expanded, and the columns of one of them.
 */
const rounds = 15;
const connectionId = 'bench';

registerVscodeStub();
const { DatamodelNode } = await import('../../src/features/explorer/nodes/datamodelNodes.ts');

await using sandbox = await startBenchSandbox('large');
const [entry] = JSON.parse(await sandbox.text('/api/v2/datamodels')) as Datamodel[];
const body = await sandbox.text(`/api/v2/datamodels/${entry?.oid ?? ''}`);

const read = (text: string): Datamodel =>
  readOne(
    {
      operation: createApiOperation('datamodels.get', '/'),
      status: 200,
      text,
      isUtf8: true,
      contentType: 'application/json',
    },
    datamodelSchema,
  ).value;

/** The dependencies of the nodes, with a catalog that parses the body on request. */
function createModel(text: string): ExplorerNodeDeps {
  const catalog = new InstanceCatalog({ datamodel: async () => read(text) } as unknown as CatalogSource);
  return {
    sessions: { get: async () => ({ catalog }) },
    builds: { builds: [] },
    pins: { has: () => false },
    filter: { current: emptyNameFilter },
  } as unknown as ExplorerNodeDeps;
}

async function draw(text: string): Promise<number> {
  const root: ExplorerNode = { id: connectionId, parent: undefined, getTreeItem: () => ({}) };
  const place = { parent: root, connectionId };
  const datamodel = new DatamodelNode(createModel(text), place, entry ?? { oid: '', title: '' });
  let items = 0;
  const show = async (node: ExplorerNode): Promise<readonly ExplorerNode[]> => {
    const children = (await node.getChildren?.()) ?? [];
    for (const child of children) {
      child.getTreeItem();
      items += 1;
    }
    return children;
  };
  const datasets = (await show(datamodel)).filter(({ resource }) => resource?.kind === 'dataset');
  let table: ExplorerNode | undefined;
  for (const dataset of datasets) {
    [table] = await show(dataset);
  }
  if (table !== undefined) {
    await show(table);
  }
  return items;
}

const ratios: number[] = [];
const times: number[] = [];
let items = 0;
await draw(body);
for (let round_ = 0; round_ < rounds; round_ += 1) {
  globalThis.gc?.();
  const start = performance.now();
  JSON.parse(body);
  const parsed = performance.now();
  globalThis.gc?.();
  const before = performance.now();
  items = await draw(body);
  const ours = performance.now() - before;
  times.push(ours);
  ratios.push(ours / (parsed - start));
}
printFigure({
  bench: 'explorer.expand',
  beside: 'JSON.parse of the body',
  ratio: roundTo(getMedian(ratios)),
  ms: roundTo(getMedian(times), 1),
  bytes: body.length,
  items,
  limit: 3,
});
