import { Graph, layout as dagreLayout } from '@dagrejs/dagre';
import { type ConnectedComponent, findConnectedComponents, computeLevels } from './connectedComponents.ts';
import { wrapLayout } from './wrapLayout.ts';
import { getBounds, type Point, type Rect } from './geometry.ts';
import type { DiagramLayout, LayoutInput } from './layoutInput.ts';
import { gaps } from './spacing.ts';
import { packBlocks } from './packBlocks.ts';

/** Larger components take too long in a layered layout: their boxes are stacked by level, in the order of the model. */
const maxLayeredBoxes = 1500;
const maxLayeredLinks = 3000;

/**
 * Computes a position for each box, so that no boxes overlap and related ones are close to each other. The layout is
 * deterministic on all machines. It takes about a second for 500 tables, so run it with `computeLayoutInWorker`.
 */
export function computeLayout(input: LayoutInput): DiagramLayout {
  const components = findConnectedComponents(input);
  const connected = components.filter(({ members }) => members.length > 1);
  const unconnected = components
    .filter(({ members }) => members.length === 1)
    .flatMap(({ members }) => members);
  const blocks = connected.map((component) => layoutComponent(component, input));
  if (unconnected.length > 0) {
    blocks.push(layoutGrid(unconnected, input));
  }
  const positions = new Map<number, Point>();
  packBlocks(blocks.map(({ bounds }) => bounds)).forEach((corner, index) => {
    for (const [box, { x, y }] of blocks[index]?.positions ?? []) {
      positions.set(box, { x: Math.round(corner.x + x), y: Math.round(corner.y + y) });
    }
  });
  return input.boxes.map((_box, index) => positions.get(index) ?? { x: 0, y: 0 });
}

/** A group of boxes, with positions relative to the upper left corner of the group. */
interface LayoutBlock {
  readonly positions: ReadonlyMap<number, Point>;
  readonly bounds: Rect;
}

function toBlock(rects: ReadonlyMap<number, Rect>): LayoutBlock {
  const bounds = getBounds(rects.values());
  return {
    positions: new Map([...rects].map(([box, { x, y }]) => [box, { x: x - bounds.x, y: y - bounds.y }])),
    bounds: { ...bounds, x: 0, y: 0 },
  };
}

/** Lays out a connected component by levels, and wraps the layout if it is too wide or too tall. */
function layoutComponent(component: ConnectedComponent, input: LayoutInput): LayoutBlock {
  const levels = computeLevels(component, input.boxes.length);
  const isLarge = component.members.length > maxLayeredBoxes || component.links.length > maxLayeredLinks;
  return toBlock(
    wrapLayout(isLarge ? layoutStacked(component, levels, input) : layoutLayered(component, levels, input)),
  );
}

function layoutLayered(
  { members, links }: ConnectedComponent,
  levels: ReadonlyMap<number, number>,
  { boxes }: LayoutInput,
): ReadonlyMap<number, Rect> {
  const graph = new Graph<object, { width: number; height: number; x: number; y: number }, object>();
  graph.setGraph({
    rankdir: 'LR',
    nodesep: gaps.row,
    ranksep: gaps.column,
    edgesep: 8,
    ranker: 'tight-tree',
  });
  graph.setDefaultEdgeLabel(() => ({}));
  for (const member of members) {
    const { width, height } = boxes[member] ?? { width: 0, height: 0 };
    graph.setNode(String(member), { width, height, x: 0, y: 0 });
  }
  for (const [a, b] of links) {
    const [from, to] = (levels.get(a) ?? 0) <= (levels.get(b) ?? 0) ? [a, b] : [b, a];
    graph.setEdge(String(from), String(to), {});
  }
  dagreLayout(graph);
  return new Map(
    members.map((member) => {
      const { x, y, width, height } = graph.node(String(member));
      return [member, { x: x - width / 2, y: y - height / 2, width, height }];
    }),
  );
}

function layoutStacked(
  { members }: ConnectedComponent,
  levels: ReadonlyMap<number, number>,
  { boxes }: LayoutInput,
): ReadonlyMap<number, Rect> {
  const heights = new Map<number, number>();
  const widest = Math.max(...boxes.map(({ width }) => width));
  return new Map(
    members.map((member) => {
      const boxLevel = levels.get(member) ?? 0;
      const { width, height } = boxes[member] ?? { width: 0, height: 0 };
      const y = heights.get(boxLevel) ?? 0;
      heights.set(boxLevel, y + height + gaps.row);
      return [member, { x: boxLevel * (widest + gaps.column) + (widest - width) / 2, y, width, height }];
    }),
  );
}

/** Lays out tables without relations, in rows. */
function layoutGrid(members: readonly number[], { boxes }: LayoutInput): LayoutBlock {
  const rects = members.map((member) => boxes[member] ?? { width: 0, height: 0 });
  const corners = packBlocks(rects, gaps.row);
  return toBlock(
    new Map(
      members.map((member, index) => [
        member,
        { width: 0, height: 0, ...rects[index], ...(corners[index] ?? { x: 0, y: 0 }) },
      ]),
    ),
  );
}
