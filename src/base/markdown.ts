/** Text that is nothing but text in Markdown, on one line: no markup, no cell, no end of a table. */
export const markdownText = (text: string): string =>
  text
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .replaceAll(/[\\`*_{}[\]<>#|~!&$]/g, (character) => `\\${character}`);

/** A table of plain texts. */
export function markdownTable(
  heading: readonly string[],
  rows: readonly (readonly string[])[],
): readonly string[] {
  const line = (cells: readonly string[]): string => `| ${cells.map(markdownText).join(' | ')} |`;
  return [line(heading), `|${heading.map(() => '---|').join('')}`, ...rows.map(line)];
}
