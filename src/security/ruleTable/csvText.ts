import { escapeFormulaCell } from './cells.ts';

/**
 * Rows as CSV for a spreadsheet (RFC 4180). The text starts with a byte-order mark, without which spreadsheets misread
 * letters beyond ASCII, and no cell is taken for a formula. Pages write CSV too, so it needs no package.
 */
export const formatCsv = (heading: readonly string[], rows: readonly (readonly string[])[]): string =>
  `\u{feff}${[heading, ...rows].map((row) => `${row.map(formatCsvCell).join(',')}\r\n`).join('')}`;

/** Rows as a clipboard has them: a spreadsheet that they are pasted into takes tabs for columns, and no mark. */
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
