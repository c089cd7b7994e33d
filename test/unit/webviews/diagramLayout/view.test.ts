import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { findNeighborBox, sortInReadingOrder } from '../../../../src/webviews/diagramLayout/navigation.ts';
import {
  getRenderedRect,
  fitToWindow,
  toDiagramPoint,
  panBy,
  scrollIntoView,
  type Viewport,
  getVisibleRect,
  zoomAt,
  scaleLimits,
} from '../../../../src/webviews/diagramLayout/viewport.ts';
import { getPropertyRuns } from '../../../support/soak.ts';

const numRuns = getPropertyRuns(100);
const window = { width: 1000, height: 600 };
const number = fc.double({ min: -5000, max: 5000, noNaN: true });
const view: fc.Arbitrary<Viewport> = fc.record({
  x: number,
  y: number,
  scale: fc.double({ min: scaleLimits.min, max: scaleLimits.max, noNaN: true }),
});

describe('the visible part of the diagram', () => {
  test('zooming keeps the point under the pointer, within limits', () => {
    const point = fc.record({ x: fc.nat(1000), y: fc.nat(600) });
    fc.assert(
      fc.property(view, fc.double({ min: 0.01, max: 100, noNaN: true }), point, (before, factor, at) => {
        const after = zoomAt(before, factor, at);
        expect(toDiagramPoint(after, at).x).toBeCloseTo(toDiagramPoint(before, at).x, 5);
        expect(toDiagramPoint(after, at).y).toBeCloseTo(toDiagramPoint(before, at).y, 5);
        expect(after.scale).toBeGreaterThanOrEqual(scaleLimits.min);
        expect(after.scale).toBeLessThanOrEqual(scaleLimits.max);
      }),
      { numRuns },
    );
  });

  test('the drawn part contains the visible one, and seldom changes', () => {
    fc.assert(
      fc.property(view, (at) => {
        const [shown, drawn] = [getVisibleRect(at, window), getRenderedRect(at, window)];
        const tolerance = 1e-6 * (Math.abs(shown.x) + Math.abs(shown.y) + shown.width + shown.height);
        expect(drawn.x).toBeLessThanOrEqual(shown.x + tolerance);
        expect(drawn.y).toBeLessThanOrEqual(shown.y + tolerance);
        expect(drawn.x + drawn.width).toBeGreaterThanOrEqual(shown.x + shown.width - tolerance);
        expect(drawn.y + drawn.height).toBeGreaterThanOrEqual(shown.y + shown.height - tolerance);
      }),
      { numRuns },
    );
    const steps = Array.from(
      { length: 100 },
      (_value, x) => getRenderedRect({ x, y: 0, scale: 1 }, window).x,
    );
    expect(new Set(steps).size).toBe(1);
  });

  test('panning moves by pixels at any zoom level', () => {
    expect(panBy({ x: 10, y: 10, scale: 0.5 }, 20, -20)).toEqual({ x: 50, y: -30, scale: 0.5 });
  });

  test('fitting shows all of it, centered, and never enlarged', () => {
    const bounds = { x: -300, y: 50, width: 4000, height: 900 };
    const shown = getVisibleRect(fitToWindow(bounds, window), window);
    expect(shown.x).toBeLessThan(bounds.x);
    expect(shown.x + shown.width).toBeGreaterThan(bounds.x + bounds.width);
    expect(shown.y).toBeLessThan(bounds.y);
    expect(fitToWindow({ x: 0, y: 0, width: 10, height: 10 }, window).scale).toBeLessThan(1.5);
    expect(fitToWindow({ x: 0, y: 0, width: 0, height: 0 }, { width: 0, height: 0 }).scale).toBeGreaterThan(
      0,
    );
  });

  test('revealing a visible box moves nothing; another is revealed, from its corner if it is too large', () => {
    const here = { x: 0, y: 0, scale: 1 };
    expect(scrollIntoView(here, { x: 100, y: 100, width: 200, height: 100 }, window)).toEqual(here);
    expect(scrollIntoView(here, { x: 1500, y: 100, width: 200, height: 100 }, window)).toEqual({
      ...here,
      x: 732,
    });
    expect(scrollIntoView(here, { x: -500, y: 100, width: 200, height: 3000 }, window)).toEqual({
      x: -532,
      y: 68,
      scale: 1,
    });
  });
});

describe('arrows', () => {
  const box = (x: number, y: number) => ({ x, y, width: 100, height: 50 });
  const boxes = new Map([
    ['middle', box(0, 0)],
    ['right', box(200, 0)],
    ['far right', box(600, 20)],
    ['below', box(0, 200)],
  ]);

  test('go to the nearest box in that direction, and prefer a related one', () => {
    expect(findNeighborBox(boxes, new Set(), 'middle', 'right')).toBe('right');
    expect(findNeighborBox(boxes, new Set(['far right']), 'middle', 'right')).toBe('far right');
    expect(findNeighborBox(boxes, new Set(), 'middle', 'down')).toBe('below');
    expect(findNeighborBox(boxes, new Set(), 'far right', 'left')).toBe('right');
  });

  test('do nothing if there is no box, or from a removed one', () => {
    expect(findNeighborBox(boxes, new Set(), 'middle', 'left')).toBeUndefined();
    expect(findNeighborBox(boxes, new Set(), 'gone', 'left')).toBeUndefined();
  });

  test('Home and End are the first and the last in reading order', () => {
    expect(sortInReadingOrder(boxes)).toEqual(['middle', 'right', 'far right', 'below']);
  });
});
