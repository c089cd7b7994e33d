import { Graph, layout } from '@dagrejs/dagre';
import { arrange } from '../../src/webviews/diagramLayout/arrange.ts';
import { edges } from '../../src/webviews/diagramLayout/edges.ts';
import type { Rect } from '../../src/webviews/diagramLayout/geometry.ts';
import { type LayoutInput, layoutInput } from '../../src/webviews/diagramLayout/layoutInput.ts';
import { settle } from '../../src/webviews/diagramLayout/settle.ts';
import { boxSize } from '../../src/webviews/diagramLayout/tableBox.ts';
import { largeModels } from '../unit/webviews/diagramLayout/support.ts';
import { median, report, round } from './report.ts';

/** The picture of 500 tables and 598 relations (issue 10): its layout, and what each drawing computes. */
const tables = 500;
const runs = 5;
const frameMs = 16;

const model = largeModels(tables)['net'];
if (model === undefined) {
  throw new Error('There is no such model');
}
const input = layoutInput(model);

/** Milliseconds of the processor: on a shared machine the clock counts what others do. */
function timed(run: () => unknown): number {
  const start = process.threadCpuUsage();
  run();
  const { user, system } = process.threadCpuUsage(start);
  return (user + system) / 1000;
}

/** The library as it comes: no parts, no sides, no folding. */
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
  ours.push(timed(() => arrange(input)));
  theirs.push(timed(() => bare(input)));
}
report({
  bench: `diagram: layout of ${tables} tables and ${model.relations.length} relations, in a thread of its own`,
  beside: 'the layout library as it comes',
  ratio: round(median(ours) / median(theirs)),
  milliseconds: round(median(ours)),
});

const places = arrange(input);
const half = new Set(model.tables.filter((_table, index) => index % 2 === 0).map(({ id }) => id));
const drawing = Array.from({ length: 20 }, () =>
  timed(() => {
    const rects = settle(
      places,
      model.tables.map((table) => boxSize(table, half.has(table.id))),
    );
    const boxes = new Map(
      model.tables.flatMap(({ id }, index): [string, Rect][] => [[id, rects[index] as Rect]]),
    );
    edges({ model, boxes, open: half });
  }),
);
report({
  bench: `diagram: a table of ${tables} opened, boxes and lines placed anew`,
  beside: 'one frame at 60 Hz (16 ms)',
  ratio: round(median(drawing) / frameMs),
  milliseconds: round(median(drawing), 1),
});
