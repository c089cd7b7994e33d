/** The median of measurements, and the interval that contains the true median with at least 95 % confidence. */
export interface Estimate {
  readonly median: number;
  readonly low: number;
  readonly high: number;
  /** The number of measurements. */
  readonly count: number;
}

/** The relative difference that a row of the table must be able to show. */
const relevantChange = 0.1;

/** With fewer measurements, even their whole range contains the median with less than 95 % confidence. */
const minCountForConfidence = 6;

export function getMedian(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] ?? upper)) / 2;
}

/**
 * Estimates the median. The interval goes from one measurement to another one, chosen by the binomial distribution (the
 * interval of the sign test): unlike that of the mean it holds for every distribution, outliers included, and unlike a
 * bootstrap it needs no random numbers and is right for ten values, too.
 */
export function estimateMedian(values: readonly number[]): Estimate {
  const sorted = values.toSorted((a, b) => a - b);
  const excludedCount = getExcludedCount(sorted.length);
  return {
    median: getMedian(sorted),
    low: sorted[excludedCount] ?? Number.NaN,
    high: sorted.at(-1 - excludedCount) ?? Number.NaN,
    count: sorted.length,
  };
}

/** With more measurements, the smallest probability would be rounded to zero. */
const maxCount = 1000;

/** Returns how many of the sorted values can be left out at each end, if the median may be there with 2.5 % each. */
function getExcludedCount(count: number): number {
  if (count > maxCount) {
    throw new RangeError(`Too many measurements: ${count}`);
  }
  // The probability that this many values are below the median, and that at most this many are.
  let exactProbability = 0.5 ** count;
  let cumulativeProbability = exactProbability;
  let belowCount = 0;
  while (cumulativeProbability <= 0.025) {
    belowCount += 1;
    exactProbability *= (count - belowCount + 1) / belowCount;
    cumulativeProbability += exactProbability;
  }
  return Math.max(0, belowCount - 1);
}

/** Returns whether an estimate is narrow enough to notice a change of 10 %. */
export const isPrecise = ({ median, low, high, count }: Estimate): boolean =>
  count >= minCountForConfidence &&
  high <= median * (1 + relevantChange) &&
  low >= median / (1 + relevantChange);

/** Whether a ratio is within its limit; `unclear` if the interval contains the limit. */
export type Verdict = 'met' | 'missed' | 'unclear';

export function compareWithLimit({ low, high }: Estimate, limit: number): Verdict {
  if (high <= limit) {
    return 'met';
  }
  return low > limit ? 'missed' : 'unclear';
}

/** How one version compares with another one. */
export type Change = 'faster' | 'slower' | 'no difference';

/** @param ratio the times of the new version, divided by those of the old one */
export function classifyChange({ low, high }: Estimate): Change {
  if (high < 1) {
    return 'faster';
  }
  return low > 1 ? 'slower' : 'no difference';
}
