import { getCenter, type Rect } from './geometry.ts';

export type Direction = 'left' | 'right' | 'up' | 'down';

/** How much nearer a related table counts than another. */
const relatedPreference = 0.3;

const steps: Readonly<Record<Direction, readonly [number, number]>> = {
  left: [-1, 0],
  right: [1, 0],
  up: [0, -1],
  down: [0, 1],
};

/**
 * The box that a person means who presses an arrow: one that lies that way, the nearer the better, the less aside the
 * better, and a related one before a stranger. `undefined` where nothing lies that way.
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

/** The boxes as they are read: row by row, roughly. */
export function sortInReadingOrder(boxes: ReadonlyMap<string, Rect>): readonly string[] {
  return [...boxes].sort(([, a], [, b]) => a.y - b.y || a.x - b.x).map(([id]) => id);
}
