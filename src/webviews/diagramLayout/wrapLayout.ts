import { getBounds, getBottom, getCenter, type Rect } from './geometry.ts';
import { targetAspectRatio, gaps } from './spacing.ts';

/** The factor by which the aspect ratio of a layout may differ from the target before the layout is wrapped. */
const maxAspectDeviation = 2;
/** A layout up to this size is not wrapped, because it is readable even if all of it is fitted to the window. */
const readableSize = { width: 2400, height: 1400 } as const;

type LayoutColumn = readonly (readonly [number, Rect])[];

/**
 * Wraps a layout that consists of columns. If it is much too tall, columns are split into several. If it is much too
 * wide, it continues in further rows, alternately from right to left and from left to right, so that neighboring
 * columns stay neighbors.
 */
export function wrapLayout(rects: ReadonlyMap<number, Rect>): ReadonlyMap<number, Rect> {
  const { width, height } = getBounds(rects.values());
  const shape = width / Math.max(height, 1) / targetAspectRatio;
  const isReadable = width <= readableSize.width && height <= readableSize.height;
  if (isReadable || (shape < maxAspectDeviation && shape > 1 / maxAspectDeviation)) {
    return rects;
  }
  const all = [...rects.values()];
  const tallest = Math.max(...all.map((rect) => rect.height));
  const area = all.reduce((sum, rect) => sum + (rect.width + gaps.column) * (rect.height + gaps.row), 0);
  const columns = groupIntoColumns(rects).flatMap((column) =>
    splitColumn(column, Math.max(Math.sqrt(area / targetAspectRatio), tallest)),
  );
  return new Map(wrapColumns(columns).flatMap((strip) => strip));
}

/**
 * Groups the boxes into columns, sorted from left to right, and each from top to bottom. Boxes of a column have the
 * same horizontal center.
 */
function groupIntoColumns(rects: ReadonlyMap<number, Rect>): readonly LayoutColumn[] {
  const columns = new Map<number, [number, Rect][]>();
  for (const [id, rect] of rects) {
    const middle = Math.round(getCenter(rect).x);
    columns.set(middle, [...(columns.get(middle) ?? []), [id, rect]]);
  }
  return [...columns].sort(([a], [b]) => a - b).map(([, column]) => column.sort(([, a], [, b]) => a.y - b.y));
}

/** Splits a column into as few as possible of about the same height, none much higher than `maxHeight`. */
function splitColumn(column: LayoutColumn, limit: number): readonly LayoutColumn[] {
  const total = column.reduce((sum, [, rect]) => sum + rect.height + gaps.row, 0);
  const target = total / Math.ceil(total / limit);
  const pieces: [number, Rect][][] = [[]];
  let height = 0;
  for (const [id, rect] of column) {
    if (height > 0 && height + rect.height / 2 > target) {
      pieces.push([]);
      height = 0;
    }
    pieces.at(-1)?.push([id, { ...rect, y: height }]);
    height += rect.height + gaps.row;
  }
  return pieces;
}

interface PlacedColumn {
  readonly column: LayoutColumn;
  readonly x: number;
  readonly width: number;
  readonly height: number;
}

/** Arranges columns in rows of alternating direction; each column is centered vertically in its row. */
function wrapColumns(columns: readonly LayoutColumn[]): readonly LayoutColumn[] {
  const sizes = columns.map((column) => ({
    width: Math.max(...column.map(([, rect]) => rect.width)),
    height: Math.max(...column.map(([, rect]) => getBottom(rect))),
  }));
  const tallest = Math.max(...sizes.map(({ height }) => height));
  const total = sizes.reduce((sum, { width }) => sum + width + gaps.column, 0);
  const limit = Math.max(
    Math.sqrt(total * (tallest + gaps.part) * targetAspectRatio),
    ...sizes.map(({ width }) => width),
  );
  const rows: PlacedColumn[][] = [[]];
  let x = 0;
  columns.forEach((column, index) => {
    const { width, height } = sizes[index] ?? { width: 0, height: 0 };
    if (x > 0 && x + width > limit) {
      rows.push([]);
      x = 0;
    }
    rows.at(-1)?.push({ column, x, width, height });
    x += width + gaps.column;
  });
  let top = 0;
  return rows.map((row, index) => {
    const height = Math.max(...row.map((placed) => placed.height));
    const boxes = row.flatMap(({ column, ...placed }) => {
      const left = index % 2 === 0 ? placed.x : limit - placed.x - placed.width;
      const above = top + (height - placed.height) / 2;
      return column.map(([id, rect]): readonly [number, Rect] => [
        id,
        { ...rect, x: left + (placed.width - rect.width) / 2, y: above + rect.y },
      ]);
    });
    top += height + gaps.part;
    return boxes;
  });
}
