import { getBounds, getBottom, getCenter, type Rect } from './geometry.ts';
import { targetAspectRatio, gaps } from './spacing.ts';

/** The factor by which the aspect ratio of a layout may differ from the target before the layout is wrapped. */
const maxAspectDeviation = 2;
/** A layout up to this size is not wrapped, because it is readable even if all of it is fitted to the window. */
const readableSize = { width: 2400, height: 1400 } as const;

type PlacedBox = readonly [id: number, rect: Rect];
type LayoutColumn = readonly PlacedBox[];

/**
 * Wraps a layout that consists of columns. If it is much too tall, columns are split into several. If it is much too
 * wide, it continues in further rows, alternately from right to left and from left to right, so that neighboring
 * columns stay neighbors.
 */
export function wrapLayout(rects: ReadonlyMap<number, Rect>): ReadonlyMap<number, Rect> {
  const { width, height } = getBounds(rects.values());
  const relativeAspectRatio = width / Math.max(height, 1) / targetAspectRatio;
  const isReadable = width <= readableSize.width && height <= readableSize.height;
  if (
    isReadable ||
    (relativeAspectRatio < maxAspectDeviation && relativeAspectRatio > 1 / maxAspectDeviation)
  ) {
    return rects;
  }
  const boxes = [...rects.values()];
  const tallest = Math.max(...boxes.map((rect) => rect.height));
  const area = boxes.reduce((sum, rect) => sum + (rect.width + gaps.column) * (rect.height + gaps.row), 0);
  const columns = groupIntoColumns(rects).flatMap((column) =>
    splitColumn(column, Math.max(Math.sqrt(area / targetAspectRatio), tallest)),
  );
  return new Map(wrapColumns(columns));
}

/**
 * Groups the boxes into columns, sorted from left to right, and each from top to bottom. Boxes of a column have the
 * same horizontal center.
 */
function groupIntoColumns(rects: ReadonlyMap<number, Rect>): readonly LayoutColumn[] {
  const columns = new Map<number, [number, Rect][]>();
  for (const [id, rect] of rects) {
    const centerX = Math.round(getCenter(rect).x);
    columns.set(centerX, [...(columns.get(centerX) ?? []), [id, rect]]);
  }
  return [...columns].sort(([a], [b]) => a - b).map(([, column]) => column.sort(([, a], [, b]) => a.y - b.y));
}

/**
 * Splits a column into as few columns of about the same height as possible, none of them much taller than `maxHeight`.
 */
function splitColumn(column: LayoutColumn, maxHeight: number): readonly LayoutColumn[] {
  const totalHeight = column.reduce((sum, [, rect]) => sum + rect.height + gaps.row, 0);
  const targetHeight = totalHeight / Math.ceil(totalHeight / maxHeight);
  const parts: [number, Rect][][] = [[]];
  let height = 0;
  for (const [id, rect] of column) {
    if (height > 0 && height + rect.height / 2 > targetHeight) {
      parts.push([]);
      height = 0;
    }
    parts.at(-1)?.push([id, { ...rect, y: height }]);
    height += rect.height + gaps.row;
  }
  return parts;
}

interface PlacedColumn {
  readonly column: LayoutColumn;
  readonly x: number;
  readonly width: number;
  readonly height: number;
}

/**
 * Arranges columns in rows of alternating direction; each column is centered vertically in its row. Returns the boxes
 * of all rows.
 */
function wrapColumns(columns: readonly LayoutColumn[]): readonly PlacedBox[] {
  const sizes = columns.map((column) => ({
    width: Math.max(...column.map(([, rect]) => rect.width)),
    height: Math.max(...column.map(([, rect]) => getBottom(rect))),
  }));
  const maxColumnHeight = Math.max(...sizes.map(({ height }) => height));
  const totalWidth = sizes.reduce((sum, { width }) => sum + width + gaps.column, 0);
  const rowWidth = Math.max(
    Math.sqrt(totalWidth * (maxColumnHeight + gaps.component) * targetAspectRatio),
    ...sizes.map(({ width }) => width),
  );
  const rows: PlacedColumn[][] = [[]];
  let x = 0;
  columns.forEach((column, index) => {
    const { width, height } = sizes[index] ?? { width: 0, height: 0 };
    if (x > 0 && x + width > rowWidth) {
      rows.push([]);
      x = 0;
    }
    rows.at(-1)?.push({ column, x, width, height });
    x += width + gaps.column;
  });
  let rowTop = 0;
  return rows.flatMap((row, index) => {
    const rowHeight = Math.max(...row.map((placedColumn) => placedColumn.height));
    const boxes = row.flatMap(({ column, ...placedColumn }) => {
      const left = index % 2 === 0 ? placedColumn.x : rowWidth - placedColumn.x - placedColumn.width;
      const columnTop = rowTop + (rowHeight - placedColumn.height) / 2;
      return column.map(
        ([id, rect]): PlacedBox => [
          id,
          { ...rect, x: left + (placedColumn.width - rect.width) / 2, y: columnTop + rect.y },
        ],
      );
    });
    rowTop += rowHeight + gaps.component;
    return boxes;
  });
}
