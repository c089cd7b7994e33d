import { getBounds, getBottom, getCenter, type Rect } from './geometry.ts';
import { targetAspectRatio, gaps } from './spacing.ts';

/** How far the shape of a layout may differ from that of a window before it is wrapped. */
const maxAspectDeviation = 2;
/** A layout that is still readable when all of it is on a screen is left as it is, whatever its shape. */
const readableSize = { width: 2400, height: 1400 } as const;

type LayoutColumn = readonly (readonly [number, Rect])[];

/**
 * Wraps a layout of columns: one that is much too tall gets several columns instead of one; one that is much too wide
 * continues below, from right to left and back, so that neighbors stay neighbors.
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

/** The boxes by column, from left to right and each from the top down; a layered layout centers those of a column. */
function groupIntoColumns(rects: ReadonlyMap<number, Rect>): readonly LayoutColumn[] {
  const columns = new Map<number, [number, Rect][]>();
  for (const [id, rect] of rects) {
    const middle = Math.round(getCenter(rect).x);
    columns.set(middle, [...(columns.get(middle) ?? []), [id, rect]]);
  }
  return [...columns].sort(([a], [b]) => a - b).map(([, column]) => column.sort(([, a], [, b]) => a.y - b.y));
}

/** Splits a column into several that are not higher than the limit and have about the same height. */
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

/** Arranges columns one after the other, in rows that turn at their ends; each column is centered in its row. */
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
