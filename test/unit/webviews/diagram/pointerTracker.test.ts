import { expect, test } from 'vitest';
import { PointerTracker } from '../../../../src/webviews/diagram/pointerTracker.ts';

const mouse = 1;
const [thumb, finger] = [2, 3];

test('two fingers zoom by their distance, around the point between them', () => {
  const tracker = new PointerTracker();
  tracker.add(thumb, { x: 0, y: 0 });
  tracker.add(finger, { x: 100, y: 0 });
  expect(tracker.move(finger, { x: 200, y: 0 })).toEqual({ factor: 2, center: { x: 100, y: 0 } });
  expect(tracker.move(thumb, { x: 100, y: 0 })).toEqual({ factor: 0.5, center: { x: 150, y: 0 } });
});

test('fingers in the same place do not divide by zero', () => {
  const tracker = new PointerTracker();
  tracker.add(thumb, { x: 0, y: 0 });
  tracker.add(finger, { x: 10, y: 0 });
  expect(tracker.move(finger, { x: 0, y: 0 })?.factor).toBe(0.1);
  expect(tracker.move(finger, { x: 10, y: 0 })?.factor).toBe(10);
});

test('only exactly two pressed pointers zoom', () => {
  const tracker = new PointerTracker();
  tracker.add(thumb, { x: 0, y: 0 });
  expect(tracker.move(thumb, { x: 5, y: 0 })).toBeUndefined();
  tracker.add(finger, { x: 100, y: 0 });
  tracker.add(mouse, { x: 50, y: 50 });
  expect(tracker.move(finger, { x: 110, y: 0 })).toBeUndefined();
  tracker.remove(mouse);
  tracker.remove(thumb);
  expect(tracker.move(finger, { x: 120, y: 0 })).toBeUndefined();
});

test('a finger pans while a mouse rests over the diagram', () => {
  const tracker = new PointerTracker();
  expect(tracker.move(mouse, { x: 300, y: 300 })).toBeUndefined();
  tracker.add(finger, { x: 100, y: 100 });
  expect(tracker.move(finger, { x: 120, y: 100 })).toBeUndefined();
});
