import type { Comparison, Side } from './comparison.ts';
import { type Estimate, estimateMedian } from './statistics.ts';

/** Measures the two sides of a comparison in one version of the product; several versions are compared side by side. */
export interface Measurer {
  measure(side: Side, pair: number): Promise<number>;
}

/** Times in milliseconds. Those of a pair are at the same index, in all lists. */
export interface Times {
  readonly subject: readonly number[];
  readonly base: readonly number[];
}

const defaultMinPairs = 10;
const defaultMaxPairs = 500;
/**
 * How long a comparison takes in total, for each version of the product, unless its interval is narrow earlier or the
 * fewest pairs take longer.
 */
const defaultBudgetMs = 20_000;
/** An interval of the median up to this wide, relative to it, needs no more pairs. */
const narrowWidth = 0.04;

export interface TurnOptions {
  readonly budgetMs?: number;
  readonly now?: () => number;
}

/**
 * Measures a comparison in turns: A B, B A, A B, … With several versions of the product, their subjects come one after
 * the other and then their bases, and every second pair is reversed. So slow changes of the machine add as much to one
 * as to the other.
 * @param measurers one for each version
 */
export async function measureInTurns(
  measurers: readonly Measurer[],
  { minPairs = defaultMinPairs, maxPairs = defaultMaxPairs, warmups = 1 }: Comparison,
  { budgetMs = defaultBudgetMs, now = () => performance.now() }: TurnOptions = {},
): Promise<readonly Times[]> {
  const times = measurers.map(() => ({ subject: [] as number[], base: [] as number[] }));
  const steps = (['subject', 'base'] as const).flatMap((side) =>
    measurers.map((_, index) => ({ side, index })),
  );
  const start = now();
  for (let pair = -warmups; pair < maxPairs; pair += 1) {
    for (const { side, index } of pair % 2 === 0 ? steps : steps.toReversed()) {
      const ms = await measurers[index]?.measure(side, pair);
      if (pair >= 0) {
        times[index]?.[side].push(ms ?? Number.NaN);
      }
    }
    const isEnough =
      now() - start >= budgetMs * measurers.length ||
      getComparedRatios(times).every((ratios) => isNarrow(ratios));
    if (pair + 1 >= minPairs && isEnough) {
      break;
    }
  }
  return times;
}

/**
 * Returns the ratios whose precision matters: with several versions, the ratios between them, otherwise those to the
 * base.
 */
function getComparedRatios(times: readonly Times[]): readonly (readonly number[])[] {
  const [first, ...others] = times;
  if (first === undefined) {
    return [];
  }
  return others.length === 0
    ? [getPairRatios(first.subject, first.base)]
    : others.map((other) => getPairRatios(first.subject, other.subject));
}

function isNarrow(ratios: readonly number[]): boolean {
  const { median, low, high } = estimateMedian(ratios);
  return high - low <= narrowWidth * median;
}

/** Divides the times of each pair, which were measured close together. */
export const getPairRatios = (times: readonly number[], others: readonly number[]): readonly number[] =>
  times.map((time, index) => time / (others[index] ?? Number.NaN));

/** Estimates the ratio of times that were measured in pairs. */
export const estimateRatio = (times: readonly number[], others: readonly number[]): Estimate =>
  estimateMedian(getPairRatios(times, others));
