import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { neighbour, readingOrder } from '../../../../src/webviews/diagramLayout/neighbours.ts';
import {
  drawnArea,
  fitted,
  inPicture,
  panned,
  revealing,
  type Viewport,
  visible,
  zoomed,
  zoomLimits,
} from '../../../../src/webviews/diagramLayout/viewport.ts';
import { runs } from '../../../support/soak.ts';

const numRuns = runs(100);
const window = { width: 1000, height: 600 };
const number = fc.double({ min: -5000, max: 5000, noNaN: true });
const view: fc.Arbitrary<Viewport> = fc.record({
  x: number,
  y: number,
  scale: fc.double({ min: zoomLimits.least, max: zoomLimits.most, noNaN: true }),
});

describe('the part of the picture that a window shows', () => {
  test('zooming keeps what is under the pointer there, within limits', () => {
    const point = fc.record({ x: fc.nat(1000), y: fc.nat(600) });
    fc.assert(
      fc.property(view, fc.double({ min: 0.01, max: 100, noNaN: true }), point, (before, factor, at) => {
        const after = zoomed(before, factor, at);
        expect(inPicture(after, at).x).toBeCloseTo(inPicture(before, at).x, 5);
        expect(inPicture(after, at).y).toBeCloseTo(inPicture(before, at).y, 5);
        expect(after.scale).toBeGreaterThanOrEqual(zoomLimits.least);
        expect(after.scale).toBeLessThanOrEqual(zoomLimits.most);
      }),
      { numRuns },
    );
  });

  test('what is drawn holds what is shown, and seldom changes', () => {
    fc.assert(
      fc.property(view, (at) => {
        const [shown, drawn] = [visible(at, window), drawnArea(at, window)];
        const tolerance = 1e-6 * (Math.abs(shown.x) + Math.abs(shown.y) + shown.width + shown.height);
        expect(drawn.x).toBeLessThanOrEqual(shown.x + tolerance);
        expect(drawn.y).toBeLessThanOrEqual(shown.y + tolerance);
        expect(drawn.x + drawn.width).toBeGreaterThanOrEqual(shown.x + shown.width - tolerance);
        expect(drawn.y + drawn.height).toBeGreaterThanOrEqual(shown.y + shown.height - tolerance);
      }),
      { numRuns },
    );
    const steps = Array.from({ length: 100 }, (_value, x) => drawnArea({ x, y: 0, scale: 1 }, window).x);
    expect(new Set(steps).size).toBe(1);
  });

  test('panning moves by pixels, however far it is zoomed', () => {
    expect(panned({ x: 10, y: 10, scale: 0.5 }, 20, -20)).toEqual({ x: 50, y: -30, scale: 0.5 });
  });

  test('fitting shows all of it, in the middle, and no larger than life', () => {
    const bounds = { x: -300, y: 50, width: 4000, height: 900 };
    const shown = visible(fitted(bounds, window), window);
    expect(shown.x).toBeLessThan(bounds.x);
    expect(shown.x + shown.width).toBeGreaterThan(bounds.x + bounds.width);
    expect(shown.y).toBeLessThan(bounds.y);
    expect(fitted({ x: 0, y: 0, width: 10, height: 10 }, window).scale).toBeLessThan(1.5);
    expect(fitted({ x: 0, y: 0, width: 0, height: 0 }, { width: 0, height: 0 }).scale).toBeGreaterThan(0);
  });

  test('a box that is shown already moves nothing; another is shown, from its corner on if it is too large', () => {
    const here = { x: 0, y: 0, scale: 1 };
    expect(revealing(here, { x: 100, y: 100, width: 200, height: 100 }, window)).toEqual(here);
    expect(revealing(here, { x: 1500, y: 100, width: 200, height: 100 }, window)).toEqual({
      ...here,
      x: 732,
    });
    expect(revealing(here, { x: -500, y: 100, width: 200, height: 3000 }, window)).toEqual({
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

  test('go to the nearest box that way, but rather to a related one', () => {
    expect(neighbour(boxes, new Set(), 'middle', 'right')).toBe('right');
    expect(neighbour(boxes, new Set(['far right']), 'middle', 'right')).toBe('far right');
    expect(neighbour(boxes, new Set(), 'middle', 'down')).toBe('below');
    expect(neighbour(boxes, new Set(), 'far right', 'left')).toBe('right');
  });

  test('go nowhere where nothing is, nor from what is gone', () => {
    expect(neighbour(boxes, new Set(), 'middle', 'left')).toBeUndefined();
    expect(neighbour(boxes, new Set(), 'gone', 'left')).toBeUndefined();
  });

  test('Home and End are the first and the last as they are read', () => {
    expect(readingOrder(boxes)).toEqual(['middle', 'right', 'far right', 'below']);
  });
});
