import type { Point } from '../diagramLayout/geometry.ts';

/** How two fingers have moved together since the last move of either. */
export interface PinchDelta {
  /** Above 1 where they have moved apart. */
  readonly factor: number;
  /** The middle between them. */
  readonly at: Point;
}

/** The mice, pens and fingers that are pressed, by their `pointerId`; one that only hovers is none of them. */
export class PointerTracker {
  readonly #positions = new Map<number, Point>();

  add(id: number, at: Point): void {
    this.#positions.set(id, at);
  }

  remove(id: number): void {
    this.#positions.delete(id);
  }

  /** Moves a pointer; returns what two of them do together, `undefined` where not exactly two are pressed. */
  move(id: number, at: Point): PinchDelta | undefined {
    const before = this.#positions.get(id);
    if (before === undefined) {
      return undefined;
    }
    this.#positions.set(id, at);
    const other = [...this.#positions].find(([each]) => each !== id)?.[1];
    if (other === undefined || this.#positions.size !== 2) {
      return undefined;
    }
    return {
      factor: getDistance(at, other) / getDistance(before, other),
      at: { x: (at.x + other.x) / 2, y: (at.y + other.y) / 2 },
    };
  }
}

/** At least one pixel, so that fingers that meet do not divide by nothing. */
const getDistance = (a: Point, b: Point): number => Math.max(1, Math.hypot(a.x - b.x, a.y - b.y));
