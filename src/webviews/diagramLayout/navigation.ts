import { getCenter, type Rect } from './geometry.ts';

export type Direction = 'left' | 'right' | 'up' | 'down';

/** The factor by which a related table counts as nearer than another. */
const relatedPreference = 0.3;

const steps: Readonly<Record<Direction, readonly [number, number]>> = {
  left: [-1, 0],
  right: [1, 0],
  up: [0, -1],
  down: [0, 1],
};

/**
 * The box that an arrow key moves to: one in that direction, preferring nearer ones, those less off to the side, and
 * related ones. `undefined` if there is none in that direction.
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

/** The boxes in reading order: row by row, roughly. */
export function sortInReadingOrder(boxes: ReadonlyMap<string, Rect>): readonly string[] {
  return [...boxes].sort(([, a], [, b]) => a.y - b.y || a.x - b.x).map(([id]) => id);
}
