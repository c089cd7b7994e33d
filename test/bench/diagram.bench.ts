import { Graph, layout } from '@dagrejs/dagre';
import { computeLayout } from '../../src/webviews/diagramLayout/computeLayout.ts';
import { createEdges } from '../../src/webviews/diagramLayout/edges.ts';
import type { Rect } from '../../src/webviews/diagramLayout/geometry.ts';
import { type LayoutInput, createLayoutInput } from '../../src/webviews/diagramLayout/layoutInput.ts';
import { resolveOverlaps } from '../../src/webviews/diagramLayout/resolveOverlaps.ts';
import { getBoxSize } from '../../src/webviews/diagramLayout/boxMetrics.ts';
import { largeModels } from '../unit/webviews/diagramLayout/support.ts';
import { getMedian, printFigure, roundTo } from './report.ts';

/** The diagram of 500 tables and 598 relations (issue 10): its layout, and the computation for each render. */
const tables = 500;
const runs = 5;
const frameMs = 16;

const model = largeModels(tables)['net'];
if (model === undefined) {
  throw new Error('There is no such model');
}
const input = createLayoutInput(model);

/** CPU milliseconds: on a shared machine, wall-clock time includes other processes. */
function timed(run: () => unknown): number {
  const start = process.threadCpuUsage();
  run();
  const { user, system } = process.threadCpuUsage(start);
  return (user + system) / 1000;
}

/** The library without our additions: no components, no sides, no folding. */
function bare({ boxes, links }: LayoutInput): void {
  const graph = new Graph<object, { width: number; height: number }, object>();
  graph.setGraph({ rankdir: 'LR' });
  graph.setDefaultEdgeLabel(() => ({}));
  boxes.forEach(({ width, height }, index) => graph.setNode(String(index), { width, height }));
  links.forEach(([a, b]) => graph.setEdge(String(a), String(b), {}));
  layout(graph);
}

const ours: number[] = [];
const theirs: number[] = [];
for (let run = 0; run < runs; run += 1) {
  ours.push(timed(() => computeLayout(input)));
  theirs.push(timed(() => bare(input)));
}
printFigure({
  bench: `diagram: layout of ${tables} tables and ${model.relations.length} relations, in a thread of its own`,
  beside: 'the layout library as it comes',
  ratio: roundTo(getMedian(ours) / getMedian(theirs)),
  milliseconds: roundTo(getMedian(ours)),
});

const places = computeLayout(input);
const half = new Set(model.tables.filter((_table, index) => index % 2 === 0).map(({ id }) => id));
const drawing = Array.from({ length: 20 }, () =>
  timed(() => {
    const rects = resolveOverlaps(
      places,
      model.tables.map((table) => getBoxSize(table, half.has(table.id))),
    );
    const boxes = new Map(
      model.tables.flatMap(({ id }, index): [string, Rect][] => [[id, rects[index] as Rect]]),
    );
    createEdges({ model, boxes, expandedTables: half });
  }),
);
printFigure({
  bench: `diagram: a table of ${tables} opened, boxes and lines placed again`,
  beside: 'one frame at 60 Hz (16 ms)',
  ratio: roundTo(getMedian(drawing) / frameMs),
  milliseconds: roundTo(getMedian(drawing), 1),
});
