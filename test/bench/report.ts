/** One figure of a bench: speed as a ratio against something measured in the same run. */
export interface BenchFigure {
  readonly bench: string;
  /** What it is compared with. */
  readonly beside: string;
  /** Ours divided by theirs: below 1 is better than what it is compared with. */
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
