/** Text that is nothing but text in Markdown, on one line: no markup, no cell, no end of a table. */
export const escapeMarkdownLine = (text: string): string =>
  text
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .replaceAll(/[\\`*_{}[\]<>#|~!&$]/g, (character) => `\\${character}`);

/** A table of plain texts. */
export function formatMarkdownTable(
  heading: readonly string[],
  rows: readonly (readonly string[])[],
): readonly string[] {
  const line = (cells: readonly string[]): string => `| ${cells.map(escapeMarkdownLine).join(' | ')} |`;
  return [line(heading), `|${heading.map(() => '---|').join('')}`, ...rows.map(line)];
}
