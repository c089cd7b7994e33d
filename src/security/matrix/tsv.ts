/** Rows of cells as a spreadsheet takes them from the clipboard. Cells that `formatMatrixCell` wrote need no quotes. */
export const writeTsv = (rows: readonly (readonly string[])[]): string =>
  rows.map((row) => `${row.join('\t')}\n`).join('');

/** A cell and what ends it: in quotes, which are doubled inside, where it has tabs or breaks of its own. */
const cellPattern = /(?:"((?:[^"]|"")*)"|([^\t\n]*))(\t|\n|$)/y;

/**
 * Rows as a spreadsheet leaves them on the clipboard. Pages read them, too, so it needs no package. A quote that nothing
 * closes is part of its cell.
 */
export function readTsv(text: string): readonly (readonly string[])[] {
  const plain = text.replace(/^\u{feff}/u, '').replaceAll(/\r\n?/g, '\n');
  const pattern = new RegExp(cellPattern);
  // Spreadsheets end the last row as well.
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
