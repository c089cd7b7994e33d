import { type Figure, canShowChange, formatEstimate, formatMs, getVerdict } from './figures.ts';

const header = ['| What | Compared with | Ratio | Limit | Time |', '|---|---|---|---|---|'];
const rowPattern = /^\|/;

/**
 * Replaces the table of a page by one with the given figures, in their order.
 * @param keepsOthers whether rows without a figure stay, because only some comparisons were measured
 * @throws Error if the page has no table of figures
 */
export function updateTable(
  page: string,
  figures: readonly Figure[],
  { keepsOthers }: { readonly keepsOthers: boolean },
): string {
  const lines = page.split('\n');
  const start = lines.indexOf(header[0] ?? '');
  if (start === -1) {
    throw new Error('The page has no table of figures');
  }
  const length = lines.slice(start).findIndex((line) => !rowPattern.test(line));
  const end = length === -1 ? lines.length : start + length;
  const rows = new Map(figures.map((figure) => [getKey(figure.what, figure.baseline), formatRow(figure)]));
  const oldRows = lines.slice(start + header.length, end).map((row) => {
    const [, what = '', baseline = ''] = row.split('|').map((cell) => cell.trim());
    return [getKey(what, baseline), row] as const;
  });
  const merged = keepsOthers ? new Map([...oldRows, ...rows]) : rows;
  return lines.toSpliced(start, end - start, ...header, ...merged.values()).join('\n');
}

const getKey = (what: string, baseline: string): string => JSON.stringify([what, baseline]);

function formatRow(figure: Figure): string {
  const { what, baseline, ratio, limit, times } = figure;
  const marks = [...(canShowChange(figure) ? [] : ['*']), ...(times?.wasQuiet === false ? ['†'] : [])].join(
    '',
  );
  const verdict = getVerdict(figure);
  const cells = [
    what,
    baseline,
    `${formatEstimate(ratio)}${marks}`,
    limit === undefined ? '' : `${limit}${verdict === 'met' ? '' : `, ${verdict}`}`,
    times === undefined ? '' : formatMs(times.subjectMs),
  ];
  return `| ${cells.join(' | ')} |`;
}
