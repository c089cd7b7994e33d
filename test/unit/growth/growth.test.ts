import { afterAll, expect, test } from 'vitest';
import { isSoak } from '../../support/soak.ts';
import { StepCounter } from '../../support/stepCounter.ts';
import { cases } from './cases.ts';

const counter = new StepCounter(new URL('cases.ts', import.meta.url));
afterAll(() => counter.dispose());

/** Large enough that what doesn't grow matters little. */
const size = isSoak ? 200 : 80;
/** When the size doubles, the added steps double (n), slightly more than double (n log n), or quadruple (n²). */
const maxRatio = 2.4;

test.each(Object.keys(cases))('%s: the number of steps grows almost linearly', async (name) => {
  const [once = 0, twice = 0, fourTimes = 0] = await counter.count(name, [size, 2 * size, 4 * size]);
  expect(once).toBeGreaterThan(0);
  // Differences are compared, because they don't contain the constant costs.
  expect((fourTimes - twice) / (twice - once)).toBeLessThan(maxRatio);
});
