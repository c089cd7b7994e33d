import type { LayoutInput } from './layoutInput.ts';

/** A connected component of the diagram. Boxes are identified by their indexes in the input. */
export interface ConnectedComponent {
  readonly members: readonly number[];
  readonly links: readonly (readonly [number, number])[];
}

/** Finds the connected components of a diagram, sorted by size (the largest first), then by the order of the input. */
export function findConnectedComponents({ boxes, links }: LayoutInput): readonly ConnectedComponent[] {
  const neighbors = getNeighbors(boxes.length, links);
  const componentIndexes = boxes.map(() => -1);
  const members: number[][] = [];
  for (const start of boxes.keys()) {
    if (componentIndexes[start] !== -1) {
      continue;
    }
    const reachedBoxes = [start];
    componentIndexes[start] = members.length;
    for (const box of reachedBoxes) {
      for (const neighbor of neighbors[box] ?? []) {
        if (componentIndexes[neighbor] === -1) {
          componentIndexes[neighbor] = members.length;
          reachedBoxes.push(neighbor);
        }
      }
    }
    members.push(reachedBoxes.sort((a, b) => a - b));
  }
  const linksByComponent: (readonly [number, number])[][] = members.map(() => []);
  for (const link of links) {
    linksByComponent[componentIndexes[link[0]] ?? -1]?.push(link);
  }
  return members
    .map((boxIndexes, index) => ({ members: boxIndexes, links: linksByComponent[index] ?? [] }))
    .sort((a, b) => b.members.length - a.members.length);
}

/** Returns, for each box, the boxes that it is linked with, in the order of the links. */
export function getNeighbors(
  count: number,
  links: readonly (readonly [number, number])[],
): readonly (readonly number[])[] {
  const neighbors = Array.from({ length: count }, (): number[] => []);
  for (const [a, b] of links) {
    neighbors[a]?.push(b);
    neighbors[b]?.push(a);
  }
  return neighbors;
}

/**
 * Computes the level of each box: its distance from the hub (the box with the most links), negative to the left of it.
 * The neighbors of the hub alternate between both sides, so that the diagram does not become one long list beside it.
 */
export function computeLevels(
  { members, links }: ConnectedComponent,
  count: number,
): ReadonlyMap<number, number> {
  const neighbors = getNeighbors(count, links);
  const getDegree = (box: number): number => neighbors[box]?.length ?? 0;
  const hub = members.reduce(
    (best, member) => (getDegree(member) > getDegree(best) ? member : best),
    members[0] ?? 0,
  );
  const levels = new Map([[hub, 0]]);
  const reachedBoxes = [hub];
  let direction = 1;
  for (const box of reachedBoxes) {
    const boxLevel = levels.get(box) ?? 0;
    for (const neighbor of neighbors[box] ?? []) {
      if (!levels.has(neighbor)) {
        levels.set(neighbor, box === hub ? direction : boxLevel + Math.sign(boxLevel));
        direction = box === hub ? -direction : direction;
        reachedBoxes.push(neighbor);
      }
    }
  }
  return levels;
}
