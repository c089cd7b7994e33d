import { Catalog, type CatalogSource } from '../../src/catalog/catalog.ts';
import { type Datamodel, datamodelSchema } from '../../src/contract/datamodel.ts';
import { operationOf } from '../../src/client/apiError.ts';
import { readOne } from '../../src/client/reading.ts';
import type { ExplorerModel, ExplorerNode } from '../../src/features/explorer/nodes/node.ts';
import { noFilter } from '../../src/catalog/nameFilter.ts';
import { median, report, round } from './report.ts';
import { benchSandbox } from './support.ts';
import { stubVscode } from './vscodeStub.ts';

/**
 * Time from the body of the 500-table model to tree items, beside `JSON.parse` of that body: the datamodel, its
 * datasets and all of its tables expanded, and the columns of one of them.
 */
const rounds = 15;
const connectionId = 'bench';

stubVscode();
const { DatamodelNode } = await import('../../src/features/explorer/nodes/datamodelNodes.ts');

await using sandbox = await benchSandbox('large');
const [entry] = JSON.parse(await sandbox.text('/api/v2/datamodels')) as Datamodel[];
const body = await sandbox.text(`/api/v2/datamodels/${entry?.oid ?? ''}`);

const read = (text: string): Datamodel =>
  readOne(
    {
      operation: operationOf('datamodels.get', '/'),
      status: 200,
      text,
      isUtf8: true,
      contentType: 'application/json',
    },
    datamodelSchema,
  ).value;

/** What the nodes are drawn from, with a catalogue that reads the body when it is asked. */
function modelOf(text: string): ExplorerModel {
  const catalog = new Catalog({ datamodel: async () => read(text) } as unknown as CatalogSource);
  return {
    sessions: { get: async () => ({ catalog }) },
    builds: { builds: [] },
    pins: { has: () => false },
    filter: { current: noFilter },
  } as unknown as ExplorerModel;
}

async function draw(text: string): Promise<number> {
  const root: ExplorerNode = { id: connectionId, parent: undefined, item: () => ({}) };
  const place = { parent: root, connectionId };
  const datamodel = new DatamodelNode(modelOf(text), place, entry ?? { oid: '', title: '' });
  let items = 0;
  const show = async (node: ExplorerNode): Promise<readonly ExplorerNode[]> => {
    const children = (await node.children?.()) ?? [];
    for (const child of children) {
      child.item();
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
report({
  bench: 'explorer.expand',
  beside: 'JSON.parse of the body',
  ratio: round(median(ratios)),
  ms: round(median(times), 1),
  bytes: body.length,
  items,
  limit: 3,
});
