import type { DiagramEnd, DiagramModel, DiagramRelation, DiagramTable } from './diagramModel.ts';
import { type Point, type Rect, getRight } from './geometry.ts';
import { getRowCenter } from './boxMetrics.ts';

/** A line between two boxes, which represents a relation or a part of it. */
export interface Edge {
  readonly relationId: string;
  readonly ends: readonly [DiagramEnd, DiagramEnd];
  /** The end points: on the left or right sides of the boxes, at the rows of the columns. */
  readonly from: Point;
  readonly to: Point;
  /** The `d` attribute of an SVG path. */
  readonly path: string;
  readonly middle: Point;
}

/** The model of a diagram with the current rectangles of its boxes. */
export interface DiagramGeometry {
  readonly model: DiagramModel;
  readonly boxes: ReadonlyMap<string, Rect>;
  /** The expanded tables, which show all columns. */
  readonly expandedTables: ReadonlySet<string>;
}

/** Creates the lines of all relations: for each relation, lines from its first column to each of the others. */
export function createEdges({ model, boxes, expandedTables }: DiagramGeometry): readonly Edge[] {
  const tables = new Map(model.tables.map((table) => [table.id, table]));
  const getAnchor = (end: DiagramEnd): Anchor | undefined => {
    const [table, box] = [tables.get(end.table), boxes.get(end.table)];
    return table === undefined || box === undefined
      ? undefined
      : createAnchor(table, expandedTables.has(table.id), box, end);
  };
  return model.relations.flatMap((relation) => createRelationEdges(relation, getAnchor));
}

interface Anchor {
  readonly end: DiagramEnd;
  readonly box: Rect;
  readonly y: number;
}

const createAnchor = (table: DiagramTable, isExpanded: boolean, box: Rect, end: DiagramEnd): Anchor => ({
  end,
  box,
  y: getRowCenter(table, isExpanded, box, end.column),
});

function createRelationEdges(
  { id, ends }: DiagramRelation,
  getAnchor: (end: DiagramEnd) => Anchor | undefined,
): Edge[] {
  const [first, ...others] = ends.flatMap((end) => getAnchor(end) ?? []);
  return first === undefined ? [] : others.map((other) => ({ relationId: id, ...createEdge(first, other) }));
}

const straightSegmentLength = 24;

function createEdge(a: Anchor, b: Anchor): Omit<Edge, 'relationId'> {
  const [fromSide, toSide] = chooseSides(a.box, b.box);
  const from = { x: fromSide > 0 ? getRight(a.box) : a.box.x, y: a.y };
  const to = { x: toSide > 0 ? getRight(b.box) : b.box.x, y: b.y };
  // The distance of the curve's control points from its ends, limited so that long lines have no wide curves.
  const handleLength = Math.max(straightSegmentLength, Math.min(Math.abs(to.x - from.x) / 2, 160));
  const [c1, c2] = [from.x + fromSide * handleLength, to.x + toSide * handleLength];
  return {
    ends: [a.end, b.end],
    from,
    to,
    path: `M${from.x} ${from.y}C${c1} ${from.y} ${c2} ${to.y} ${to.x} ${to.y}`,
    // The midpoint of a cubic Bézier curve: (p0 + 3 * p1 + 3 * p2 + p3) / 8.
    middle: { x: (from.x + to.x) / 8 + (3 * (c1 + c2)) / 8, y: (from.y + to.y) / 2 },
  };
}

/** Chooses the sides of two boxes to connect: those that face each other, otherwise the same side of both. */
function chooseSides(a: Rect, b: Rect): readonly [1 | -1, 1 | -1] {
  if (getRight(a) + straightSegmentLength <= b.x) {
    return [1, -1];
  }
  if (getRight(b) + straightSegmentLength <= a.x) {
    return [-1, 1];
  }
  return Math.abs(getRight(a) - getRight(b)) <= Math.abs(a.x - b.x) ? [1, 1] : [-1, -1];
}
