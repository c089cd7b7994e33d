/** Formats rows of cells for pasting into a spreadsheet. Cells from `formatMatrixCell` have no tabs or line breaks. */
export const formatGridTsv = (rows: readonly (readonly string[])[]): string =>
  rows.map((row) => `${row.map(formatTsvCell).join('\t')}\n`).join('');

/** Quotes a cell that starts with a quote, which spreadsheets would remove. */
const formatTsvCell = (text: string): string =>
  text.startsWith('"') ? `"${text.replaceAll('"', '""')}"` : text;

/** Matches a cell and its terminator. A cell with tabs or line breaks is in quotes, and quotes inside are doubled. */
const cellPattern = /(?:"([^"]*(?:""[^"]*)*)"|([^\t\n]*))(\t|\n|$)/y;

/**
 * Parses rows copied from a spreadsheet. Written without a CSV package because webviews use it too. An unclosed quote
 * is part of its cell.
 */
export function parseGridTsv(text: string): readonly (readonly string[])[] {
  const normalized = text.replace(/^\u{feff}/u, '').replaceAll(/\r\n?/g, '\n');
  const pattern = new RegExp(cellPattern);
  // Spreadsheets end the last row with a line break too, which does not start another row.
  const end = normalized.endsWith('\n') ? normalized.length : normalized.length + 1;
  const rows: string[][] = [[]];
  while (pattern.lastIndex < end) {
    const [, quoted, unquoted = '', terminator] = pattern.exec(normalized) ?? [];
    rows.at(-1)?.push(quoted === undefined ? unquoted : unquoteCell(quoted));
    if (terminator === '\n' && pattern.lastIndex < end) {
      rows.push([]);
    } else if (terminator === '') {
      break;
    }
  }
  return rows;
}

/**
 * Removes the quotes of a spreadsheet. Spreadsheets quote a cell only if it contains a quote, tab or line break. Other
 * quotes belong to the cell, such as those of a value named `"All"`.
 */
const unquoteCell = (content: string): string =>
  /["\t\n]/.test(content) ? content.replaceAll('""', '"') : `"${content}"`;
