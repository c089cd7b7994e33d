/** A comparison of a benchmark: one row of the results. */
export interface Comparison {
  /** Unique in its file. `npm run bench FILE.NAME` runs only this one. */
  readonly name: string;
  /** What is measured, as in the table of docs/performance.md. */
  readonly what: string;
  /** What the measurement is compared with. */
  readonly baseline: string;
  /** The highest ratio that is acceptable. */
  readonly limit?: number;
  /** The fewest pairs, if ten would take too long. */
  readonly minPairs?: number;
  /** The most pairs; the harness stops earlier if the interval is narrow, or the time of the comparison is used up. */
  readonly maxPairs?: number;
  /** The number of pairs that aren't counted, in which code is compiled and caches are filled. 1 by default. */
  readonly warmups?: number;
  /** Sizes and counts, for the file with the results. */
  readonly details?: Readonly<Record<string, string | number>>;
}

/** The two things that are compared. */
export type Side = 'subject' | 'base';

/** A message of a benchmark's process to the harness. */
export type FromBench =
  /** The process is ready to measure a comparison. */
  | { readonly type: 'comparison'; readonly comparison: Comparison }
  /** A value that is the same in every run, so that it is only computed once. */
  | { readonly type: 'value'; readonly comparison: Comparison; readonly value: number }
  /** The result of a measurement, in milliseconds. */
  | { readonly type: 'measured'; readonly ms: number };

/** A message of the harness to a benchmark's process. */
export type ToBench =
  | { readonly type: 'measure'; readonly side: Side; readonly pair: number }
  /** The comparison has been measured: go on with the next one. */
  | { readonly type: 'end' };
