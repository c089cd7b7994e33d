import type { Point } from '../diagramLayout/geometry.ts';

/** The movement of two fingers since the last move of either. */
export interface PinchDelta {
  /** The ratio of the new distance to the previous one: above 1 if the fingers have moved apart. */
  readonly factor: number;
  /** The midpoint between the fingers. */
  readonly center: Point;
}

/** Tracks the positions of pressed pointers (mouse, pen, fingers), by `pointerId`. */
export class PointerTracker {
  readonly #positions = new Map<number, Point>();

  add(id: number, position: Point): void {
    this.#positions.set(id, position);
  }

  remove(id: number): void {
    this.#positions.delete(id);
  }

  /** Moves a pressed pointer; returns the pinch if exactly two pointers are pressed, otherwise `undefined`. */
  move(id: number, position: Point): PinchDelta | undefined {
    const previousPosition = this.#positions.get(id);
    if (previousPosition === undefined) {
      return undefined;
    }
    this.#positions.set(id, position);
    const otherPosition = [...this.#positions].find(([otherId]) => otherId !== id)?.[1];
    if (otherPosition === undefined || this.#positions.size !== 2) {
      return undefined;
    }
    return {
      factor: getDistance(position, otherPosition) / getDistance(previousPosition, otherPosition),
      center: { x: (position.x + otherPosition.x) / 2, y: (position.y + otherPosition.y) / 2 },
    };
  }
}

/** The distance in pixels; at least 1, so that fingers at the same point do not cause a division by zero. */
const getDistance = (a: Point, b: Point): number => Math.max(1, Math.hypot(a.x - b.x, a.y - b.y));
