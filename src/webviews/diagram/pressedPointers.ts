import type { Point } from '../diagramLayout/geometry.ts';

/** How two fingers have moved together since the last move of either. */
export interface Pinch {
  /** Above 1 where they have moved apart. */
  readonly factor: number;
  /** The middle between them. */
  readonly at: Point;
}

/** The mice, pens and fingers that are pressed, by their `pointerId`; one that only hovers is none of them. */
export class PressedPointers {
  readonly #places = new Map<number, Point>();

  press(id: number, at: Point): void {
    this.#places.set(id, at);
  }

  release(id: number): void {
    this.#places.delete(id);
  }

  /** Moves a pointer; returns what two of them do together, `undefined` where not exactly two are pressed. */
  move(id: number, at: Point): Pinch | undefined {
    const before = this.#places.get(id);
    if (before === undefined) {
      return undefined;
    }
    this.#places.set(id, at);
    const other = [...this.#places].find(([each]) => each !== id)?.[1];
    if (other === undefined || this.#places.size !== 2) {
      return undefined;
    }
    return {
      factor: distance(at, other) / distance(before, other),
      at: { x: (at.x + other.x) / 2, y: (at.y + other.y) / 2 },
    };
  }
}

/** At least one pixel, so that fingers that meet do not divide by nothing. */
const distance = (a: Point, b: Point): number => Math.max(1, Math.hypot(a.x - b.x, a.y - b.y));
