import { Graph, layout as dagreLayout } from '@dagrejs/dagre';
import { type Component, components, levels } from './components.ts';
import { fold } from './fold.ts';
import { around, type Point, type Rect } from './geometry.ts';
import type { Layout, LayoutInput } from './layoutInput.ts';
import { gaps } from './gaps.ts';
import { pack } from './pack.ts';

/** Beyond this a layered layout takes too long; then boxes keep the order of the model within their level. */
const mostBoxes = 1500;
const mostLinks = 3000;

/**
 * Where each box goes, so that none overlaps another and what is related is near. The same input has the same layout, on
 * every machine. It takes a second for 500 tables, so it runs beside the thread that must answer (`layoutThread.ts`).
 */
export function arrange(input: LayoutInput): Layout {
  const parts = components(input);
  const joined = parts.filter(({ members }) => members.length > 1);
  const single = parts.filter(({ members }) => members.length === 1).flatMap(({ members }) => members);
  const blocks = joined.map((part) => place(part, input));
  if (single.length > 0) {
    blocks.push(grid(single, input));
  }
  const places = new Map<number, Point>();
  pack(blocks.map(({ bounds }) => bounds)).forEach((corner, index) => {
    for (const [box, { x, y }] of blocks[index]?.places ?? []) {
      places.set(box, { x: Math.round(corner.x + x), y: Math.round(corner.y + y) });
    }
  });
  return input.boxes.map((_box, index) => places.get(index) ?? { x: 0, y: 0 });
}

/** Some boxes with places of their own, from the origin on. */
interface Block {
  readonly places: ReadonlyMap<number, Point>;
  readonly bounds: Rect;
}

function block(rects: ReadonlyMap<number, Rect>): Block {
  const bounds = around(rects.values());
  return {
    places: new Map([...rects].map(([box, { x, y }]) => [box, { x: x - bounds.x, y: y - bounds.y }])),
    bounds: { ...bounds, x: 0, y: 0 },
  };
}

/** A part that hangs together: by its levels, and folded where that would be a thread or a tower. */
function place(part: Component, input: LayoutInput): Block {
  const level = levels(part, input.boxes.length);
  const isLarge = part.members.length > mostBoxes || part.links.length > mostLinks;
  return block(fold(isLarge ? stacked(part, level, input) : layered(part, level, input)));
}

function layered(
  { members, links }: Component,
  level: ReadonlyMap<number, number>,
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
    const [from, to] = (level.get(a) ?? 0) <= (level.get(b) ?? 0) ? [a, b] : [b, a];
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

function stacked(
  { members }: Component,
  level: ReadonlyMap<number, number>,
  { boxes }: LayoutInput,
): ReadonlyMap<number, Rect> {
  const heights = new Map<number, number>();
  const widest = Math.max(...boxes.map(({ width }) => width));
  return new Map(
    members.map((member) => {
      const at = level.get(member) ?? 0;
      const { width, height } = boxes[member] ?? { width: 0, height: 0 };
      const y = heights.get(at) ?? 0;
      heights.set(at, y + height + gaps.row);
      return [member, { x: at * (widest + gaps.column) + (widest - width) / 2, y, width, height }];
    }),
  );
}

/** Tables without relations: side by side, in rows. */
function grid(members: readonly number[], { boxes }: LayoutInput): Block {
  const rects = members.map((member) => boxes[member] ?? { width: 0, height: 0 });
  const corners = pack(rects, gaps.row);
  return block(
    new Map(
      members.map((member, index) => [
        member,
        { width: 0, height: 0, ...rects[index], ...(corners[index] ?? { x: 0, y: 0 }) },
      ]),
    ),
  );
}
