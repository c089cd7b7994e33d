import { parseArgs } from 'node:util';

export const usage = `Usage: npm run bench -- [FILTER] [--against REF] [--wait SECONDS]
       npm run bench -- --write

FILTER           The start of the names of comparisons, such as "sql" or "commandLine.pull"
--against REF    Measure the same comparisons on another commit, side by side
--wait SECONDS   How long to wait for the machine to be quiet, in total (300)
--write          Write the table of docs/performance.md from the last run
`;

/** What `npm run bench` should do. */
export type BenchCommand =
  | { readonly kind: 'write' }
  | {
      readonly kind: 'run';
      readonly filter: string;
      readonly ref: string | undefined;
      readonly maxWaitMs: number;
    };

/** @throws Error if the arguments can't be understood */
export function parseArguments(args: readonly string[]): BenchCommand {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      against: { type: 'string' },
      wait: { type: 'string', default: '300' },
      write: { type: 'boolean', default: false },
    },
  });
  const [filter = '', ...others] = positionals;
  const { against, wait, write } = values;
  if (others.length > 0) {
    throw new Error('Only one filter is possible.');
  }
  if (write) {
    if (against !== undefined || filter !== '') {
      throw new Error('--write writes what was measured before, so it takes no filter and no --against.');
    }
    return { kind: 'write' };
  }
  if (!/^\d+$/.test(wait)) {
    throw new Error('--wait takes a number of seconds.');
  }
  return { kind: 'run', filter, ref: against, maxWaitMs: Number(wait) * 1000 };
}

/** Returns whether comparisons of a file can match a filter. */
export const canMatchFile = (filter: string, file: string): boolean =>
  file.startsWith(filter) || filter.startsWith(`${file}.`);
