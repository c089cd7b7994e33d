import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  classifyChange,
  estimateMedian,
  getMedian,
  isPrecise,
  compareWithLimit,
} from '../../bench/harness/statistics.ts';
import { SeededRandom } from '../../../src/sandbox/seeds/seededRandom.ts';

const countUpTo = (length: number): readonly number[] => Array.from({ length }, (_, index) => index + 1);

test('the median of an even number of values is between the two in the middle', () => {
  expect(getMedian([4, 1, 3])).toBe(3);
  expect(getMedian([4, 1, 3, 2])).toBe(2.5);
});

describe('the interval of a median', () => {
  // The positions of the sign test with 95 % confidence, as in tables of statistics.
  test.each([
    { values: 6, low: 1, high: 6 },
    { values: 9, low: 2, high: 8 },
    { values: 10, low: 2, high: 9 },
    { values: 15, low: 4, high: 12 },
    { values: 20, low: 6, high: 15 },
    { values: 25, low: 8, high: 18 },
    { values: 100, low: 40, high: 61 },
  ])('of $values values is from the $low. to the $high.', ({ values, low, high }) => {
    expect(estimateMedian(countUpTo(values))).toEqual({
      median: (values + 1) / 2,
      low,
      high,
      count: values,
    });
  });

  test('of fewer than six values is their range', () => {
    expect(estimateMedian([5, 1, 3])).toEqual({ median: 3, low: 1, high: 5, count: 3 });
  });

  test('contains the true median of a skewed distribution in at least 95 % of many samples', () => {
    const random = new SeededRandom(1);
    const sampleCount = 2000;
    let containedCount = 0;
    for (let sample = 0; sample < sampleCount; sample += 1) {
      // The median of an exponential distribution is ln 2.
      const values = Array.from(
        { length: 12 },
        () => -Math.log(random.nextInteger(1, 1_000_000) / 1_000_000),
      );
      const { low, high } = estimateMedian(values);
      containedCount += low <= Math.LN2 && Math.LN2 <= high ? 1 : 0;
    }
    expect(containedCount / sampleCount).toBeGreaterThan(0.95);
  });

  test('contains the median, for any values', () => {
    fc.assert(
      fc.property(
        fc.array(fc.double({ min: 0, max: 1e6, noNaN: true }), { minLength: 1, maxLength: 300 }),
        (values) => {
          const { median, low, high } = estimateMedian(values);
          expect(low).toBeLessThanOrEqual(median);
          expect(high).toBeGreaterThanOrEqual(median);
        },
      ),
    );
  });

  test('is refused for more values than can be computed', () => {
    expect(() => estimateMedian(countUpTo(1001))).toThrow(RangeError);
  });
});

describe('a change of 10 %', () => {
  const estimate = { median: 2, low: 1.85, high: 2.15, count: 10 };

  test('shows in an interval of up to 10 % to each side', () => {
    expect(isPrecise(estimate)).toBe(true);
    expect(isPrecise({ ...estimate, low: 1.8 })).toBe(false);
    expect(isPrecise({ ...estimate, high: 2.21 })).toBe(false);
  });

  test('does not show in five equal values, which prove too little', () => {
    expect(isPrecise({ median: 2, low: 2, high: 2, count: 5 })).toBe(false);
    expect(isPrecise({ median: 2, low: 2, high: 2, count: 6 })).toBe(true);
  });
});

test('a limit is met or missed only by the whole interval', () => {
  const estimate = { median: 2, low: 1.9, high: 2.1, count: 10 };
  expect(compareWithLimit(estimate, 2.1)).toBe('met');
  expect(compareWithLimit(estimate, 2)).toBe('unclear');
  expect(compareWithLimit(estimate, 1.9)).toBe('unclear');
  expect(compareWithLimit(estimate, 1.8)).toBe('missed');
});

test('a version is faster or slower only if the whole interval is', () => {
  const estimate = { median: 1, count: 10 };
  expect(classifyChange({ ...estimate, low: 0.8, high: 0.9 })).toBe('faster');
  expect(classifyChange({ ...estimate, low: 0.9, high: 1.1 })).toBe('no difference');
  expect(classifyChange({ ...estimate, low: 1.1, high: 1.2 })).toBe('slower');
});
