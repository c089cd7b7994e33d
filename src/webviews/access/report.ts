import { formatMarkdownTable, escapeMarkdownLine } from '../../base/markdown.ts';
import { toVerdict } from '../../security/effectiveAccess.ts';
import { formatCsv } from '../../security/ruleTable/csvText.ts';
import type { Localize } from '../../base/localize.ts';
import type { AccessFormatter } from './accessFormatter.ts';
import type { AccessView, ComparedParty } from './accessView.ts';

export interface ReportInput {
  readonly title: string;
  readonly view: AccessView;
  readonly sentences: AccessFormatter;
  readonly t: Localize;
}

/** Formats the heading of a side's column. */
export function getSideLabel(
  { party, time }: ComparedParty,
  sentences: AccessFormatter,
  t: Localize,
): string {
  return time === 'now' ? sentences.formatParty(party) : t('{0}, then', sentences.formatParty(party));
}

/** Formats the content of the page as Markdown, with all values of each column. Texts from the server are escaped. */
export function formatMarkdownReport({ title, view, sentences, t }: ReportInput): string {
  const sides = view.sides.map((side) => getSideLabel(side, sentences, t));
  const columns = view.columns.map(({ table, column, cells, isMissing }) => [
    `${table}.${column}${isMissing ? ` (${t('does not exist')})` : ''}`,
    ...cells.map((cell) =>
      cell === undefined ? t('No rule') : sentences.formatColumn(cell, Number.POSITIVE_INFINITY),
    ),
    ...view.sides.map(({ party }, index) =>
      (cells[index]?.applied ?? []).map((applied) => sentences.formatReason(applied, party)).join('; '),
    ),
  ]);
  const reasons = sides.map((side) => t('Why: {0}', side));
  const tables = view.tables.map(({ table, cells }) => [
    table,
    ...cells.map((cell) => [sentences.formatTable(cell), ...sentences.formatRestrictions(cell)].join('; ')),
  ]);
  return [
    `# ${escapeMarkdownLine(t('Who sees what of {0}', title))}`,
    '',
    ...sides.map((side) => `- ${escapeMarkdownLine(side)}`),
    '',
    `## ${escapeMarkdownLine(t('Columns with rules'))}`,
    '',
    ...formatMarkdownTable([t('Column'), ...sides, ...reasons], columns),
    ...(tables.length === 0
      ? []
      : [
          '',
          `## ${escapeMarkdownLine(t('Tables'))}`,
          '',
          ...formatMarkdownTable([t('Table'), ...sides], tables),
        ]),
    '',
  ].join('\n');
}

/** Formats the access to columns as CSV, with one row for each side, column and value, so that it can be filtered. */
export function formatCsvReport({ view, sentences, t }: Omit<ReportInput, 'title'>): string {
  const rows = view.columns.flatMap(({ table, column, cells }) =>
    cells.flatMap((cell, index) => {
      const side = view.sides[index];
      if (side === undefined) {
        return [];
      }
      const { verdict, values } =
        cell === undefined ? { verdict: 'all', values: [] } : toVerdict(cell.access);
      const reasons = (cell?.applied ?? [])
        .map((applied) => sentences.formatReason(applied, side.party))
        .join('; ');
      return (values.length === 0 ? [''] : values).map((value) => [
        getSideLabel(side, sentences, t),
        table,
        column,
        verdict,
        value,
        reasons,
        ...(verdict === 'ambiguous' && cell !== undefined
          ? [cell.bounds.atLeast, cell.bounds.atMost].map((bound) =>
              sentences.formatBound(bound, Number.POSITIVE_INFINITY),
            )
          : ['', '']),
      ]);
    }),
  );
  return formatCsv(
    [t('Party'), t('Table'), t('Column'), t('Sees'), t('Value'), t('Why'), t('At least'), t('At most')],
    rows,
  );
}
