import { escapeFormulaCell } from './formulaCells.ts';

/**
 * Formats rows as CSV for a spreadsheet (RFC 4180). The text starts with a byte-order mark, without which spreadsheets
 * misread non-ASCII letters, and no cell is read as a formula. Written without a package because webviews use it too.
 */
export const formatCsv = (heading: readonly string[], rows: readonly (readonly string[])[]): string =>
  `\u{feff}${[heading, ...rows].map((row) => `${row.map(formatCsvCell).join(',')}\r\n`).join('')}`;

/** Formats rows as TSV for pasting into a spreadsheet, without a byte-order mark. */
export const formatTsv = (heading: readonly string[], rows: readonly (readonly string[])[]): string =>
  [heading, ...rows].map((row) => `${row.map(formatTsvCell).join('\t')}\r\n`).join('');

function formatTsvCell(text: string): string {
  const cell = escapeFormulaCell(text);
  return /["\t\r\n]|^\s|\s$/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}

function formatCsvCell(text: string): string {
  const cell = escapeFormulaCell(text);
  return /[",\r\n]|^\s|\s$/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}
