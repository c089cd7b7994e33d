import { Graph, layout } from '@dagrejs/dagre';
import { computeLayout } from '../../src/webviews/diagramLayout/computeLayout.ts';
import { createEdges } from '../../src/webviews/diagramLayout/edges.ts';
import type { Rect } from '../../src/webviews/diagramLayout/geometry.ts';
import { type LayoutInput, createLayoutInput } from '../../src/webviews/diagramLayout/layoutInput.ts';
import { resolveOverlaps } from '../../src/webviews/diagramLayout/resolveOverlaps.ts';
import { getBoxSize } from '../../src/webviews/diagramLayout/boxMetrics.ts';
import { largeModels } from '../unit/webviews/diagramLayout/support.ts';
import { getMedian, printFigure, roundTo } from './report.ts';

/** The diagram of 500 tables and 599 relations: its layout, and the computation for each render. */
const tableCount = 500;
const runs = 5;
const frameMs = 16;

const model = largeModels(tableCount)['net'];
if (model === undefined) {
  throw new Error('The large models include no net');
}
const input = createLayoutInput(model);

/** CPU milliseconds: on a shared machine, wall-clock time includes other processes. */
function measureCpuMs(run: () => unknown): number {
  const start = process.threadCpuUsage();
  run();
  const { user, system } = process.threadCpuUsage(start);
  return (user + system) / 1000;
}

/** Runs only the layout library, without the steps that we add: components, levels on both sides of a hub, wrapping. */
function layOutWithLibraryOnly({ boxes, links }: LayoutInput): void {
  const graph = new Graph<object, { width: number; height: number }, object>();
  graph.setGraph({ rankdir: 'LR' });
  graph.setDefaultEdgeLabel(() => ({}));
  boxes.forEach(({ width, height }, index) => graph.setNode(String(index), { width, height }));
  links.forEach(([a, b]) => graph.setEdge(String(a), String(b), {}));
  layout(graph);
}

const layoutTimes: number[] = [];
const libraryTimes: number[] = [];
for (let run = 0; run < runs; run += 1) {
  layoutTimes.push(measureCpuMs(() => computeLayout(input)));
  libraryTimes.push(measureCpuMs(() => layOutWithLibraryOnly(input)));
}
printFigure({
  bench: `diagram: layout of ${tableCount} tables and ${model.relations.length} relations, in a thread of its own`,
  baseline: 'the layout library with its default options',
  ratio: roundTo(getMedian(layoutTimes) / getMedian(libraryTimes)),
  milliseconds: roundTo(getMedian(layoutTimes)),
});

const corners = computeLayout(input);
const expandedTables = new Set(model.tables.filter((_table, index) => index % 2 === 0).map(({ id }) => id));
const renderTimes = Array.from({ length: 20 }, () =>
  measureCpuMs(() => {
    const rects = resolveOverlaps(
      corners,
      model.tables.map((table) => getBoxSize(table, expandedTables.has(table.id))),
    );
    const boxes = new Map(
      model.tables.flatMap(({ id }, index): [string, Rect][] => [[id, rects[index] as Rect]]),
    );
    createEdges({ model, boxes, expandedTables });
  }),
);
printFigure({
  bench: `diagram: a table of ${tableCount} expanded, boxes and lines computed again`,
  baseline: 'one frame at 60 Hz (16 ms)',
  ratio: roundTo(getMedian(renderTimes) / frameMs),
  milliseconds: roundTo(getMedian(renderTimes), 1),
});
