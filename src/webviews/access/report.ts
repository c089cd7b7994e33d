import { formatMarkdownTable, escapeMarkdownLine } from '../../base/markdown.ts';
import { toVerdict } from '../../security/effectiveAccess.ts';
import { formatCsv } from '../../security/ruleTable/csvText.ts';
import type { Localize } from '../../base/localize.ts';
import type { AccessFormatter } from './accessFormatter.ts';
import type { AccessView, ComparisonSide } from './accessView.ts';

export interface ReportInput {
  readonly title: string;
  readonly view: AccessView;
  readonly formatter: AccessFormatter;
  readonly t: Localize;
}

/** Formats the heading of a side's column. */
export function getSideLabel(
  { party, rulesVariant }: ComparisonSide,
  formatter: AccessFormatter,
  t: Localize,
): string {
  const name = formatter.formatParty(party);
  switch (rulesVariant) {
    case 'current':
      return name;
    case 'hypothetical':
      return t('{0}, with hypothetical rules', name);
    case 'unapplied':
      return t('{0}, with unapplied changes', name);
  }
}

/** Formats the content of the page as Markdown, with all values of each column. Texts from the server are escaped. */
export function formatMarkdownReport({ title, view, formatter, t }: ReportInput): string {
  const sideLabels = view.sides.map((side) => getSideLabel(side, formatter, t));
  const columnRows = view.columns.map(({ table, column, cells, isMissing }) => [
    `${table}.${column}${isMissing ? ` (${t('not found')})` : ''}`,
    ...cells.map((cell) =>
      cell === undefined ? t('No rule') : formatter.formatColumn(cell, Number.POSITIVE_INFINITY),
    ),
    ...view.sides.map(({ party }, index) =>
      (cells[index]?.appliedRules ?? []).map((applied) => formatter.formatReason(applied, party)).join('; '),
    ),
  ]);
  const reasonHeadings = sideLabels.map((side) => t('Why: {0}', side));
  const tableRows = view.tables.map(({ table, cells }) => [
    table,
    ...cells.map((cell) => [formatter.formatTable(cell), ...formatter.formatRestrictions(cell)].join('; ')),
  ]);
  return [
    `# ${escapeMarkdownLine(t('Effective Access: {0}', title))}`,
    '',
    ...sideLabels.map((side) => `- ${escapeMarkdownLine(side)}`),
    '',
    `## ${escapeMarkdownLine(t('Columns with rules'))}`,
    '',
    ...formatMarkdownTable([t('Column'), ...sideLabels, ...reasonHeadings], columnRows),
    ...(tableRows.length === 0
      ? []
      : [
          '',
          `## ${escapeMarkdownLine(t('Tables'))}`,
          '',
          ...formatMarkdownTable([t('Table'), ...sideLabels], tableRows),
        ]),
    '',
  ].join('\n');
}

/** Formats the access to columns as CSV, with one row for each side, column and value, so that it can be filtered. */
export function formatCsvReport({ view, formatter, t }: Omit<ReportInput, 'title'>): string {
  const rows = view.columns.flatMap(({ table, column, cells }) =>
    cells.flatMap((cell, index) => {
      const side = view.sides[index];
      if (side === undefined) {
        return [];
      }
      const { verdict, values } =
        cell === undefined ? { verdict: 'all', values: [] } : toVerdict(cell.access);
      const reasons = (cell?.appliedRules ?? [])
        .map((applied) => formatter.formatReason(applied, side.party))
        .join('; ');
      return (values.length === 0 ? [''] : values).map((value) => [
        getSideLabel(side, formatter, t),
        table,
        column,
        verdict,
        value,
        reasons,
        ...(verdict === 'ambiguous' && cell !== undefined
          ? [cell.bounds.atLeast, cell.bounds.atMost].map((bound) =>
              formatter.formatBound(bound, Number.POSITIVE_INFINITY),
            )
          : ['', '']),
      ]);
    }),
  );
  return formatCsv(
    [
      t('User or group'),
      t('Table'),
      t('Column'),
      t('Sees'),
      t('Value'),
      t('Why'),
      t('At least'),
      t('At most'),
    ],
    rows,
  );
}
