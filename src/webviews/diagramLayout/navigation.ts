import { getCenter, type Rect } from './geometry.ts';

export type Direction = 'left' | 'right' | 'up' | 'down';

/** The factor applied to the distance of related tables, so that they are preferred. */
const relatedPreference = 0.3;

const steps: Readonly<Record<Direction, readonly [number, number]>> = {
  left: [-1, 0],
  right: [1, 0],
  up: [0, -1],
  down: [0, 1],
};

/**
 * Finds the box that an arrow key moves to. Boxes that are near, straight ahead, or related are preferred.
 * @returns `undefined` if there is no box in that direction
 */
export function findNeighborBox(
  boxes: ReadonlyMap<string, Rect>,
  related: ReadonlySet<string>,
  from: string,
  direction: Direction,
): string | undefined {
  const start = boxes.get(from);
  if (start === undefined) {
    return undefined;
  }
  const [dx, dy] = steps[direction];
  const origin = getCenter(start);
  let best: { readonly id: string; readonly cost: number } | undefined;
  for (const [id, box] of boxes) {
    const to = getCenter(box);
    const along = (to.x - origin.x) * dx + (to.y - origin.y) * dy;
    const aside = Math.abs((to.x - origin.x) * dy) + Math.abs((to.y - origin.y) * dx);
    if (id === from || along <= 1) {
      continue;
    }
    const cost = (along + 2 * aside) * (related.has(id) ? relatedPreference : 1);
    if (best === undefined || cost < best.cost) {
      best = { id, cost };
    }
  }
  return best?.id;
}

/** Returns the IDs of the boxes, sorted from top to bottom, then from left to right. */
export function sortInReadingOrder(boxes: ReadonlyMap<string, Rect>): readonly string[] {
  return [...boxes].sort(([, a], [, b]) => a.y - b.y || a.x - b.x).map(([id]) => id);
}
