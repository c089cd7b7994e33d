import { guardCell } from './cells.ts';

/**
 * Rows as CSV for a spreadsheet (RFC 4180). The text starts with a byte-order mark, without which spreadsheets misread
 * letters beyond ASCII, and no cell is taken for a formula. Pages write CSV too, so it needs no package.
 */
export const csvText = (heading: readonly string[], rows: readonly (readonly string[])[]): string =>
  `\u{feff}${[heading, ...rows].map((row) => `${row.map(csvCell).join(',')}\r\n`).join('')}`;

function csvCell(text: string): string {
  const cell = guardCell(text);
  return /[",\r\n]|^\s|\s$/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}
