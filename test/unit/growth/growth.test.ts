import { afterAll, expect, test } from 'vitest';
import { StepCounter } from '../../support/stepCounter.ts';
import { cases } from './cases.ts';

const counter = new StepCounter(new URL('cases.ts', import.meta.url));
afterAll(() => counter.dispose());

const size = 200;
/** n log n gives a little more than 2, and quadratic growth gives 4. */
const maxRatio = 2.4;

test.each(Object.keys(cases))('%s: the number of steps grows almost linearly', async (name) => {
  const [once = 0, twice = 0, fourTimes = 0] = await counter.count(name, [size, 2 * size, 4 * size]);
  expect(once).toBeGreaterThan(0);
  // Differences, so that constant costs do not count.
  expect((fourTimes - twice) / (twice - once)).toBeLessThan(maxRatio);
});
