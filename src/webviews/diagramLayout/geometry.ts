export interface Point {
  readonly x: number;
  readonly y: number;
}

export interface Size {
  readonly width: number;
  readonly height: number;
}

export interface Rect extends Point, Size {}

export const getRight = ({ x, width }: Rect): number => x + width;
export const getBottom = ({ y, height }: Rect): number => y + height;
export const getCenter = ({ x, y, width, height }: Rect): Point => ({ x: x + width / 2, y: y + height / 2 });

/** True if two rectangles have more than an edge in common. */
export const overlaps = (a: Rect, b: Rect): boolean =>
  a.x < getRight(b) && b.x < getRight(a) && a.y < getBottom(b) && b.y < getBottom(a);

/** The smallest rectangle that contains all rectangles; an empty one at the origin if there are none. */
export function getBounds(rects: Iterable<Rect>): Rect {
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const rect of rects) {
    left = Math.min(left, rect.x);
    top = Math.min(top, rect.y);
    right = Math.max(right, getRight(rect));
    bottom = Math.max(bottom, getBottom(rect));
  }
  return left > right
    ? { x: 0, y: 0, width: 0, height: 0 }
    : { x: left, y: top, width: right - left, height: bottom - top };
}
