import { Graph, layout } from '@dagrejs/dagre';
import { computeLayout } from '../../src/webviews/diagramLayout/computeLayout.ts';
import { createEdges } from '../../src/webviews/diagramLayout/edges.ts';
import type { Rect } from '../../src/webviews/diagramLayout/geometry.ts';
import { type LayoutInput, createLayoutInput } from '../../src/webviews/diagramLayout/layoutInput.ts';
import { resolveOverlaps } from '../../src/webviews/diagramLayout/resolveOverlaps.ts';
import { getBoxSize } from '../../src/webviews/diagramLayout/boxMetrics.ts';
import { createLargeModels } from '../unit/webviews/diagramLayout/support.ts';
import { compare, measureCpuMs } from './harness/bench.ts';

/** The diagram of 500 tables and 599 relations: its layout, and the computation for each render. */
const tableCount = 500;
const frameMs = 16;

const model = createLargeModels(tableCount)['net'];
if (model === undefined) {
  throw new Error('The large models include no net');
}
const input = createLayoutInput(model);

/**
 * Runs only the layout library, without the steps that the product adds: components, levels on both sides of a hub,
 * wrapping.
 */
function layOutWithLibraryOnly({ boxes, links }: LayoutInput): void {
  const graph = new Graph<object, { width: number; height: number }, object>();
  graph.setGraph({ rankdir: 'LR' });
  graph.setDefaultEdgeLabel(() => ({}));
  boxes.forEach(({ width, height }, index) => graph.setNode(String(index), { width, height }));
  links.forEach(([a, b]) => graph.setEdge(String(a), String(b), {}));
  layout(graph);
}

await compare(
  {
    name: 'layout',
    what: `Lay out ${tableCount} tables and ${model.relations.length} relations`,
    baseline: 'the layout library alone',
  },
  {
    subject: () => measureCpuMs(() => computeLayout(input)),
    base: () => measureCpuMs(() => layOutWithLibraryOnly(input)),
  },
);

const corners = computeLayout(input);
const expandedTables = new Set(model.tables.filter((_table, index) => index % 2 === 0).map(({ id }) => id));
const placeTables = (): void => {
  const rects = resolveOverlaps(
    corners,
    model.tables.map((table) => getBoxSize(table, expandedTables.has(table.id))),
  );
  const boxes = new Map(
    model.tables.flatMap(({ id }, index): [string, Rect][] => [[id, rects[index] as Rect]]),
  );
  createEdges({ model, boxes, expandedTables });
};
await compare(
  {
    name: 'render',
    what: `Place ${tableCount} tables again when one is expanded`,
    baseline: 'a frame of 16 ms',
    limit: 1,
    warmups: 5,
  },
  { subject: () => measureCpuMs(placeTables), base: frameMs },
);
