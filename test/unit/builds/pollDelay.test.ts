import fc from 'fast-check';
import { expect, test } from 'vitest';
import { getPollDelay } from '../../../src/builds/pollDelay.ts';

const withoutFailures = { failures: 0, random: 0 };

test('builds are polled often after one was started, and less often as it gets older', () => {
  const ages = [0, 14_999, 15_000, 60_000, 300_000, 3_600_000];
  expect(ages.map((youngestAgeMs) => getPollDelay({ ...withoutFailures, youngestAgeMs }))).toEqual([
    1_000, 1_000, 2_500, 5_000, 15_000, 15_000,
  ]);
});

test('the delay doubles after each failure in a row, up to two minutes', () => {
  const delays = [1, 2, 20].map((failures) =>
    getPollDelay({ ...withoutFailures, youngestAgeMs: 0, failures }),
  );
  expect(delays).toEqual([2_000, 4_000, 120_000]);
});

test('property: the delay is never shorter than a second, and never much longer than two minutes', () => {
  fc.assert(
    fc.property(
      fc.nat(10_000_000),
      fc.nat(40),
      fc.double({ min: 0, max: 1, noNaN: true }),
      fc.integer({ min: 2_000, max: 600_000 }),
      (youngestAgeMs, failures, random, steadyMs) => {
        const delay = getPollDelay({ youngestAgeMs, failures, random }, { steadyIntervalMs: steadyMs });
        expect(delay).toBeLessThanOrEqual(132_000);
        expect(delay).toBeGreaterThanOrEqual(1_000);
      },
    ),
  );
});
