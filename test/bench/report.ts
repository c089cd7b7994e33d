/** One benchmark result: speed as a ratio to a baseline measured in the same run. */
export interface BenchFigure {
  readonly bench: string;
  /** What our time is compared with. */
  readonly baseline: string;
  /** Our time divided by the baseline's: below 1 is better than the baseline. */
  readonly ratio: number;
  readonly [detail: string]: string | number;
}

export function printFigure(figure: BenchFigure): void {
  process.stdout.write(`${JSON.stringify(figure)}\n`);
}

export function getMedian(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] ?? upper)) / 2;
}

export const roundTo = (value: number, digits = 3): number => Number(value.toFixed(digits));
