import type { DatabaseSync } from 'node:sqlite';
import { type DialectFunctions, toSqlNumber, createStrictFunction, toSqlInteger } from './dialectFunction.ts';

/**
 * Math functions that SQLite lacks or computes differently (platform-facts.md, 5.4). All others are SQLite's own.
 */
export const numberFunctions: DialectFunctions = {
  mod: createStrictFunction(2, ([value, divisor]) => {
    if (typeof value === 'bigint' && typeof divisor === 'bigint') {
      return divisor === 0n ? null : toSqlInteger(value % divisor);
    }
    return toSqlNumber(divisor) === 0 ? null : toSqlNumber(value) % toSqlNumber(divisor);
  }),
  rand: { arity: [0, 1], volatile: true, apply: () => Math.random() },
};

/** Computes the sum of squared deviations from the mean, and the number of values. */
function sumSquaredDeviations(values: readonly number[]): { readonly sum: number; readonly count: number } {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  return { sum: values.reduce((sum, value) => sum + (value - mean) ** 2, 0), count: values.length };
}

const computeSampleVariance = (values: readonly number[]): number | null => {
  const { sum, count } = sumSquaredDeviations(values);
  return count < 2 ? null : sum / (count - 1);
};

const computePopulationVariance = (values: readonly number[]): number | null => {
  const { sum, count } = sumSquaredDeviations(values);
  return count === 0 ? null : sum / count;
};

function computeMedian(values: readonly number[]): number | null {
  const sorted = values.toSorted((a, b) => a - b);
  const upper = sorted[Math.floor(sorted.length / 2)];
  const lower = sorted[Math.ceil(sorted.length / 2) - 1];
  return upper === undefined || lower === undefined ? null : (lower + upper) / 2;
}

const computeSquareRoot = (value: number | null): number | null => (value === null ? null : Math.sqrt(value));

const aggregates: Readonly<Record<string, (values: readonly number[]) => number | null>> = {
  var: computeSampleVariance,
  varp: computePopulationVariance,
  stdev: (values) => computeSquareRoot(computeSampleVariance(values)),
  stdevp: (values) => computeSquareRoot(computePopulationVariance(values)),
  median: computeMedian,
};

/** Registers the aggregate functions of platform-facts.md, 5.4 that SQLite lacks. They ignore nulls, as SUM does. */
export function registerAggregates(db: DatabaseSync): void {
  for (const [name, aggregate] of Object.entries(aggregates)) {
    // The accumulator is an array. The types do not allow this, but node:sqlite passes it through unchanged.
    const createAccumulator = (() => []) as unknown as () => null;
    db.aggregate(name, {
      start: createAccumulator,
      step(values, value) {
        if (value !== null && value !== undefined) {
          (values as unknown as number[]).push(toSqlNumber(value));
        }
        return values;
      },
      result: (values) => aggregate(values as unknown as number[]),
    });
  }
}
