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
const windowSize = { width: 1000, height: 600 };
const anyNumber = fc.double({ min: -5000, max: 5000, noNaN: true });
const anyView: fc.Arbitrary<Viewport> = fc.record({
  x: anyNumber,
  y: anyNumber,
  scale: fc.double({ min: scaleLimits.min, max: scaleLimits.max, noNaN: true }),
});

describe('the visible part of the diagram', () => {
  test('zooming keeps the point under the pointer, within limits', () => {
    const point = fc.record({ x: fc.nat(1000), y: fc.nat(600) });
    fc.assert(
      fc.property(
        anyView,
        fc.double({ min: 0.01, max: 100, noNaN: true }),
        point,
        (before, factor, pointer) => {
          const after = zoomAt(before, factor, pointer);
          expect(toDiagramPoint(after, pointer).x).toBeCloseTo(toDiagramPoint(before, pointer).x, 5);
          expect(toDiagramPoint(after, pointer).y).toBeCloseTo(toDiagramPoint(before, pointer).y, 5);
          expect(after.scale).toBeGreaterThanOrEqual(scaleLimits.min);
          expect(after.scale).toBeLessThanOrEqual(scaleLimits.max);
        },
      ),
      { numRuns },
    );
  });

  test('the rendered part contains the visible one, and rarely changes', () => {
    fc.assert(
      fc.property(anyView, (view) => {
        const [visible, rendered] = [getVisibleRect(view, windowSize), getRenderedRect(view, windowSize)];
        const tolerance = 1e-6 * (Math.abs(visible.x) + Math.abs(visible.y) + visible.width + visible.height);
        expect(rendered.x).toBeLessThanOrEqual(visible.x + tolerance);
        expect(rendered.y).toBeLessThanOrEqual(visible.y + tolerance);
        expect(rendered.x + rendered.width).toBeGreaterThanOrEqual(visible.x + visible.width - tolerance);
        expect(rendered.y + rendered.height).toBeGreaterThanOrEqual(visible.y + visible.height - tolerance);
      }),
      { numRuns },
    );
    const steps = Array.from(
      { length: 100 },
      (_value, x) => getRenderedRect({ x, y: 0, scale: 1 }, windowSize).x,
    );
    expect(new Set(steps).size).toBe(1);
  });

  test('panning moves by pixels at any zoom level', () => {
    expect(panBy({ x: 10, y: 10, scale: 0.5 }, 20, -20)).toEqual({ x: 50, y: -30, scale: 0.5 });
  });

  test('fitting shows the whole diagram with a margin, and enlarges a small one only a little', () => {
    const bounds = { x: -300, y: 50, width: 4000, height: 900 };
    const visible = getVisibleRect(fitToWindow(bounds, windowSize), windowSize);
    expect(visible.x).toBeLessThan(bounds.x);
    expect(visible.x + visible.width).toBeGreaterThan(bounds.x + bounds.width);
    expect(visible.y).toBeLessThan(bounds.y);
    expect(fitToWindow({ x: 0, y: 0, width: 10, height: 10 }, windowSize).scale).toBeLessThan(1.5);
    expect(fitToWindow({ x: 0, y: 0, width: 0, height: 0 }, { width: 0, height: 0 }).scale).toBeGreaterThan(
      0,
    );
  });

  test('revealing scrolls only to a box that is not visible; if it is too large, to its upper left corner', () => {
    const view = { x: 0, y: 0, scale: 1 };
    expect(scrollIntoView(view, { x: 100, y: 100, width: 200, height: 100 }, windowSize)).toEqual(view);
    expect(scrollIntoView(view, { x: 1500, y: 100, width: 200, height: 100 }, windowSize)).toEqual({
      ...view,
      x: 732,
    });
    expect(scrollIntoView(view, { x: -500, y: 100, width: 200, height: 3000 }, windowSize)).toEqual({
      x: -532,
      y: 68,
      scale: 1,
    });
  });
});

describe('keys', () => {
  const createBox = (x: number, y: number) => ({ x, y, width: 100, height: 50 });
  const boxes = new Map([
    ['middle', createBox(0, 0)],
    ['right', createBox(200, 0)],
    ['far right', createBox(600, 20)],
    ['below', createBox(0, 200)],
  ]);

  test('arrows move to the nearest box in their direction, and prefer a related one', () => {
    expect(findNeighborBox(boxes, new Set(), 'middle', 'right')).toBe('right');
    expect(findNeighborBox(boxes, new Set(['far right']), 'middle', 'right')).toBe('far right');
    expect(findNeighborBox(boxes, new Set(), 'middle', 'down')).toBe('below');
    expect(findNeighborBox(boxes, new Set(), 'far right', 'left')).toBe('right');
  });

  test('arrows do nothing if there is no box in their direction, or if the selected one was removed', () => {
    expect(findNeighborBox(boxes, new Set(), 'middle', 'left')).toBeUndefined();
    expect(findNeighborBox(boxes, new Set(), 'gone', 'left')).toBeUndefined();
  });

  test('for Home and End, boxes are sorted in reading order', () => {
    expect(sortInReadingOrder(boxes)).toEqual(['middle', 'right', 'far right', 'below']);
  });
});
