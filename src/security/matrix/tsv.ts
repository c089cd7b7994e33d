/** Formats rows of cells for pasting into a spreadsheet. Cells from `formatMatrixCell` need no quotes. */
export const writeTsv = (rows: readonly (readonly string[])[]): string =>
  rows.map((row) => `${row.join('\t')}\n`).join('');

/** A cell and its terminator: in quotes, which are doubled inside, if it contains tabs or line breaks. */
const cellPattern = /(?:"((?:[^"]|"")*)"|([^\t\n]*))(\t|\n|$)/y;

/**
 * Parses rows copied from a spreadsheet. Webviews use it too, so it needs no package. An unclosed quote is part of its
 * cell.
 */
export function readTsv(text: string): readonly (readonly string[])[] {
  const plain = text.replace(/^\u{feff}/u, '').replaceAll(/\r\n?/g, '\n');
  const pattern = new RegExp(cellPattern);
  // Spreadsheets also terminate the last row.
  const end = plain.endsWith('\n') ? plain.length : plain.length + 1;
  const rows: string[][] = [[]];
  while (pattern.lastIndex < end) {
    const [, quoted, bare = '', ending] = pattern.exec(plain) ?? [];
    rows.at(-1)?.push(quoted?.replaceAll('""', '"') ?? bare);
    if (ending === '\n' && pattern.lastIndex < end) {
      rows.push([]);
    } else if (ending === '') {
      break;
    }
  }
  return rows;
}
