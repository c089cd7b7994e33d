/** Formats rows of cells for pasting into a spreadsheet. Cells from `formatMatrixCell` need no quotes. */
export const writeTsv = (rows: readonly (readonly string[])[]): string =>
  rows.map((row) => `${row.join('\t')}\n`).join('');

/** Matches a cell and its terminator. A cell with tabs or line breaks is in quotes, and quotes inside are doubled. */
const cellPattern = /(?:"((?:[^"]|"")*)"|([^\t\n]*))(\t|\n|$)/y;

/**
 * Parses rows copied from a spreadsheet. Written without a CSV package because webviews use it too. An unclosed quote
 * is part of its cell.
 */
export function readTsv(text: string): readonly (readonly string[])[] {
  const normalized = text.replace(/^\u{feff}/u, '').replaceAll(/\r\n?/g, '\n');
  const pattern = new RegExp(cellPattern);
  // Spreadsheets end the last row with a line break too, which does not start another row.
  const end = normalized.endsWith('\n') ? normalized.length : normalized.length + 1;
  const rows: string[][] = [[]];
  while (pattern.lastIndex < end) {
    const [, quoted, unquoted = '', terminator] = pattern.exec(normalized) ?? [];
    rows.at(-1)?.push(quoted?.replaceAll('""', '"') ?? unquoted);
    if (terminator === '\n' && pattern.lastIndex < end) {
      rows.push([]);
    } else if (terminator === '') {
      break;
    }
  }
  return rows;
}
