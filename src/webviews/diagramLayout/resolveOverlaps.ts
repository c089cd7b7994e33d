import { getBottom, type Point, type Rect, getRight, type Size } from './geometry.ts';
import { gaps } from './spacing.ts';

/**
 * Computes the rectangles of boxes in their current sizes, from a layout of collapsed boxes: an expanded box pushes
 * down the boxes below it, and all others stay in place. No two boxes overlap.
 */
export function resolveOverlaps(layout: readonly Point[], sizes: readonly Size[]): readonly Rect[] {
  const rects = layout.map(
    (corner, index): Rect => ({ ...corner, ...(sizes[index] ?? { width: 0, height: 0 }) }),
  );
  const order = [...rects.keys()].sort((a, b) => (rects[a]?.y ?? 0) - (rects[b]?.y ?? 0) || a - b);
  const placedRects: Rect[] = [];
  const placedByIndex = new Map<number, Rect>();
  for (const index of order) {
    const rect = rects[index];
    if (rect !== undefined) {
      const placed = { ...rect, y: findFreeY(rect, placedRects) };
      placedRects.push(placed);
      placedByIndex.set(index, placed);
    }
  }
  return rects.map((rect, index) => placedByIndex.get(index) ?? rect);
}

/**
 * Finds the first vertical position, from the current one of the box downwards, where the box overlaps no placed box.
 */
function findFreeY(rect: Rect, placedRects: readonly Rect[]): number {
  const horizontalOverlaps = placedRects.filter(
    (other) => other.x < getRight(rect) && rect.x < getRight(other),
  );
  let y = rect.y;
  for (;;) {
    const top = y;
    const blocking = horizontalOverlaps.filter(
      (other) => other.y < top + rect.height && top < getBottom(other),
    );
    if (blocking.length === 0) {
      return y;
    }
    y = Math.max(...blocking.map(getBottom)) + gaps.row;
  }
}
