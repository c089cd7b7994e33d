import { getCenter, type Rect } from './geometry.ts';

export type Direction = 'left' | 'right' | 'up' | 'down';

/** The factor applied to the distance of related tables, so that they are preferred. */
const relatedPreference = 0.3;

const directionVectors: Readonly<Record<Direction, readonly [number, number]>> = {
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
  relatedIds: ReadonlySet<string>,
  fromId: string,
  direction: Direction,
): string | undefined {
  const startBox = boxes.get(fromId);
  if (startBox === undefined) {
    return undefined;
  }
  const [dx, dy] = directionVectors[direction];
  const origin = getCenter(startBox);
  let best: { readonly id: string; readonly cost: number } | undefined;
  for (const [id, box] of boxes) {
    const center = getCenter(box);
    const forwardDistance = (center.x - origin.x) * dx + (center.y - origin.y) * dy;
    const sidewaysDistance = Math.abs((center.x - origin.x) * dy) + Math.abs((center.y - origin.y) * dx);
    if (id === fromId || forwardDistance <= 1) {
      continue;
    }
    const cost = (forwardDistance + 2 * sidewaysDistance) * (relatedIds.has(id) ? relatedPreference : 1);
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
