/** Escapes text for a single line of Markdown, so that it can't become markup or end a table cell. */
export const escapeMarkdownLine = (text: string): string =>
  text
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .replaceAll(/[\\`*_{}[\]<>#|~!&$]/g, (character) => `\\${character}`);

/** Formats a Markdown table, one string per line. All cells are escaped. */
export function formatMarkdownTable(
  heading: readonly string[],
  rows: readonly (readonly string[])[],
): readonly string[] {
  const formatRow = (cells: readonly string[]): string => `| ${cells.map(escapeMarkdownLine).join(' | ')} |`;
  return [formatRow(heading), `|${heading.map(() => '---|').join('')}`, ...rows.map(formatRow)];
}
