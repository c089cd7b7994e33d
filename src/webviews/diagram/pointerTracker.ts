import type { Point } from '../diagramLayout/geometry.ts';

/** The combined movement of two fingers since the last move of either. */
export interface PinchDelta {
  /** Above 1 if they have moved apart. */
  readonly factor: number;
  /** The midpoint between them. */
  readonly at: Point;
}

/** The pressed mice, pens and fingers, by their `pointerId`; a hovering one is not included. */
export class PointerTracker {
  readonly #positions = new Map<number, Point>();

  add(id: number, at: Point): void {
    this.#positions.set(id, at);
  }

  remove(id: number): void {
    this.#positions.delete(id);
  }

  /** Moves a pointer; returns the pinch of two pointers, `undefined` unless exactly two are pressed. */
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

/** At least one pixel, so that fingers at the same point do not cause a division by zero. */
const getDistance = (a: Point, b: Point): number => Math.max(1, Math.hypot(a.x - b.x, a.y - b.y));
