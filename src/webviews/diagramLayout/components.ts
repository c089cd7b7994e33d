import type { LayoutInput } from './layoutInput.ts';

/** A connected component of the diagram. Boxes are identified by their indexes in the input. */
export interface ConnectedComponent {
  readonly members: readonly number[];
  readonly links: readonly (readonly [number, number])[];
}

/** Finds the connected components of a diagram, sorted by size (the largest first), then by the order of the input. */
export function findConnectedComponents({ boxes, links }: LayoutInput): readonly ConnectedComponent[] {
  const neighbours = getNeighbors(boxes.length, links);
  const part = boxes.map(() => -1);
  const members: number[][] = [];
  for (const start of boxes.keys()) {
    if (part[start] !== -1) {
      continue;
    }
    const reached = [start];
    part[start] = members.length;
    for (const at of reached) {
      for (const next of neighbours[at] ?? []) {
        if (part[next] === -1) {
          part[next] = members.length;
          reached.push(next);
        }
      }
    }
    members.push(reached.sort((a, b) => a - b));
  }
  const linksByComponent: (readonly [number, number])[][] = members.map(() => []);
  for (const link of links) {
    linksByComponent[part[link[0]] ?? -1]?.push(link);
  }
  return members
    .map((each, index) => ({ members: each, links: linksByComponent[index] ?? [] }))
    .sort((a, b) => b.members.length - a.members.length);
}

/** Returns, for each box, the boxes that it is linked with, in the order of the links. */
export function getNeighbors(
  count: number,
  links: readonly (readonly [number, number])[],
): readonly (readonly number[])[] {
  const neighbours = Array.from({ length: count }, (): number[] => []);
  for (const [a, b] of links) {
    neighbours[a]?.push(b);
    neighbours[b]?.push(a);
  }
  return neighbours;
}

/**
 * Computes the level of each box: its distance from the hub (the box with the most links), negative to the left of it.
 * The neighbors of the hub alternate between both sides, so that the diagram does not become one long list beside it.
 */
export function computeLevels(
  { members, links }: ConnectedComponent,
  count: number,
): ReadonlyMap<number, number> {
  const neighbours = getNeighbors(count, links);
  const getDegree = (box: number): number => neighbours[box]?.length ?? 0;
  const hub = members.reduce(
    (best, each) => (getDegree(each) > getDegree(best) ? each : best),
    members[0] ?? 0,
  );
  const level = new Map([[hub, 0]]);
  const reached = [hub];
  let side = 1;
  for (const at of reached) {
    const here = level.get(at) ?? 0;
    for (const next of neighbours[at] ?? []) {
      if (!level.has(next)) {
        level.set(next, at === hub ? side : here + Math.sign(here));
        side = at === hub ? -side : side;
        reached.push(next);
      }
    }
  }
  return level;
}
