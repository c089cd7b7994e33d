import type { DatabaseSync } from 'node:sqlite';
import { type DialectFunctions, numberOf, strict, wholeOf } from './dialectFunction.ts';

/** Math functions that SQLite lacks or answers otherwise (platform-facts 5.4); the others are its own. */
export const numberFunctions: DialectFunctions = {
  mod: strict(2, ([value, by]) => {
    if (typeof value === 'bigint' && typeof by === 'bigint') {
      return by === 0n ? null : wholeOf(value % by);
    }
    return numberOf(by) === 0 ? null : numberOf(value) % numberOf(by);
  }),
  rand: { arity: [0, 1], volatile: true, apply: () => Math.random() },
};

/** The sum of squared distances from the mean, and how many values there are. */
function spread(values: readonly number[]): { readonly sum: number; readonly count: number } {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  return { sum: values.reduce((sum, value) => sum + (value - mean) ** 2, 0), count: values.length };
}

const sample = (values: readonly number[]): number | null => {
  const { sum, count } = spread(values);
  return count < 2 ? null : sum / (count - 1);
};

const population = (values: readonly number[]): number | null => {
  const { sum, count } = spread(values);
  return count === 0 ? null : sum / count;
};

function median(values: readonly number[]): number | null {
  const sorted = values.toSorted((a, b) => a - b);
  const upper = sorted[Math.floor(sorted.length / 2)];
  const lower = sorted[Math.ceil(sorted.length / 2) - 1];
  return upper === undefined || lower === undefined ? null : (lower + upper) / 2;
}

const root = (value: number | null): number | null => (value === null ? null : Math.sqrt(value));

const aggregates: Readonly<Record<string, (values: readonly number[]) => number | null>> = {
  var: sample,
  varp: population,
  stdev: (values) => root(sample(values)),
  stdevp: (values) => root(population(values)),
  median,
};

/** Registers the aggregates of platform-facts 5.4 that SQLite lacks. They pass over nulls, as SUM does. */
export function registerAggregates(db: DatabaseSync): void {
  for (const [name, finish] of Object.entries(aggregates)) {
    // The accumulator is a list, which the type of `aggregate` does not foresee and node:sqlite keeps as it is.
    const start = (() => []) as unknown as () => null;
    db.aggregate(name, {
      start,
      step(values, value) {
        if (value !== null && value !== undefined) {
          (values as unknown as number[]).push(numberOf(value));
        }
        return values;
      },
      result: (values) => finish(values as unknown as number[]),
    });
  }
}
