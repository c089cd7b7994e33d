/** A line of the results: one comparison of a benchmark. */
export interface Line {
  /** Unique in its file. `npm run bench FILE.NAME` runs only this line. */
  readonly name: string;
  /** What is measured, as in the table of docs/performance.md. */
  readonly what: string;
  /** What it is compared with. */
  readonly baseline: string;
  /** The highest ratio that is acceptable. */
  readonly limit?: number;
  /** The fewest pairs, if ten would take too long. */
  readonly minPairs?: number;
  /** The most pairs; the harness stops before if the interval is narrow, or the time of the line is used up. */
  readonly maxPairs?: number;
  /** The number of pairs that aren't counted, in which code is compiled and caches are filled. 1 by default. */
  readonly warmups?: number;
  /** Sizes and counts, for the file with the results. */
  readonly details?: Readonly<Record<string, string | number>>;
}

/** The two things that a line compares. */
export type Side = 'subject' | 'base';

/** A message of a benchmark's process to the harness. */
export type FromBench =
  /** The process is ready to measure a line. */
  | { readonly type: 'line'; readonly line: Line }
  /** A value that is the same in every run, so that it is only computed once. */
  | { readonly type: 'value'; readonly line: Line; readonly value: number }
  /** The result of a measurement, in milliseconds. */
  | { readonly type: 'measured'; readonly ms: number };

/** A message of the harness to a benchmark's process. */
export type ToBench =
  | { readonly type: 'measure'; readonly side: Side; readonly pair: number }
  /** The line has been measured: go on with the next one. */
  | { readonly type: 'end' };
