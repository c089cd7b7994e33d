import { markdownTable, markdownText } from '../../base/markdown.ts';
import { verdictOf } from '../../security/effectiveAccess.ts';
import { csvText } from '../../security/ruleTable/csvText.ts';
import type { Words } from '../shared/words.ts';
import type { Sentences } from './sentences.ts';
import type { AccessView, Side } from './sides.ts';

export interface ReportInput {
  readonly title: string;
  readonly view: AccessView;
  readonly sentences: Sentences;
  readonly t: Words;
}

/** How a side is called above its column. */
export function sideLabel({ party, time }: Side, sentences: Sentences, t: Words): string {
  return time === 'now' ? sentences.party(party) : t('{0}, then', sentences.party(party));
}

/** What the page shows as Markdown, every value of a column included; what a server said is escaped. */
export function markdownReport({ title, view, sentences, t }: ReportInput): string {
  const sides = view.sides.map((side) => sideLabel(side, sentences, t));
  const columns = view.columns.map(({ table, column, cells, lacking }) => [
    `${table}.${column}${lacking ? ` (${t('does not exist')})` : ''}`,
    ...cells.map((cell) =>
      cell === undefined ? t('No rule') : sentences.column(cell, Number.POSITIVE_INFINITY),
    ),
    ...view.sides.map(({ party }, index) =>
      (cells[index]?.applied ?? []).map((applied) => sentences.because(applied, party)).join('; '),
    ),
  ]);
  const reasons = sides.map((side) => t('Why: {0}', side));
  const tables = view.tables.map(({ table, cells }) => [
    table,
    ...cells.map((cell) => [sentences.table(cell), ...sentences.restrictions(cell)].join('; ')),
  ]);
  return [
    `# ${markdownText(t('Who sees what of {0}', title))}`,
    '',
    ...sides.map((side) => `- ${markdownText(side)}`),
    '',
    `## ${markdownText(t('Columns with rules'))}`,
    '',
    ...markdownTable([t('Column'), ...sides, ...reasons], columns),
    ...(tables.length === 0
      ? []
      : ['', `## ${markdownText(t('Tables'))}`, '', ...markdownTable([t('Table'), ...sides], tables)]),
    '',
  ].join('\n');
}

/** The columns as CSV: a row for each party, column and value, so that a spreadsheet can filter them. */
export function csvReport({ view, sentences, t }: Omit<ReportInput, 'title'>): string {
  const rows = view.columns.flatMap(({ table, column, cells }) =>
    cells.flatMap((cell, index) => {
      const side = view.sides[index];
      if (side === undefined) {
        return [];
      }
      const { verdict, values } =
        cell === undefined ? { verdict: 'all', values: [] } : verdictOf(cell.access);
      const because = (cell?.applied ?? [])
        .map((applied) => sentences.because(applied, side.party))
        .join('; ');
      return (values.length === 0 ? [''] : values).map((value) => [
        sideLabel(side, sentences, t),
        table,
        column,
        verdict,
        value,
        because,
        ...(verdict === 'ambiguous' && cell !== undefined
          ? [cell.bounds.atLeast, cell.bounds.atMost].map((bound) =>
              sentences.bound(bound, Number.POSITIVE_INFINITY),
            )
          : ['', '']),
      ]);
    }),
  );
  return csvText(
    [t('Party'), t('Table'), t('Column'), t('Sees'), t('Value'), t('Why'), t('At least'), t('At most')],
    rows,
  );
}
