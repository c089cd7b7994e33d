import { expect, test } from 'vitest';
import { DoubleClicks } from '../../../../src/features/explorer/doubleClicks.ts';
import { FakeClock } from '../../../fakes/fakeClock.ts';

test('two clicks on the same row within half a second are a double click', async () => {
  const clock = new FakeClock();
  const clicks = new DoubleClicks(clock);
  expect(clicks.recordClick('a')).toBe(false);
  await clock.advance(499);
  expect(clicks.recordClick('a')).toBe(true);
  // The third click of a series begins a new one.
  expect(clicks.recordClick('a')).toBe(false);
  await clock.advance(500);
  expect(clicks.recordClick('a')).toBe(false);
  expect(clicks.recordClick('b')).toBe(false);
  expect(clicks.recordClick('a')).toBe(false);
});
