/** Escapes text for one line of Markdown, so that it cannot become markup or end a table cell. */
export const escapeMarkdownLine = (text: string): string =>
  text
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .replaceAll(/[\\`*_{}[\]<>#|~!&$]/g, (character) => `\\${character}`);

/** A Markdown table of plain texts. */
export function formatMarkdownTable(
  heading: readonly string[],
  rows: readonly (readonly string[])[],
): readonly string[] {
  const line = (cells: readonly string[]): string => `| ${cells.map(escapeMarkdownLine).join(' | ')} |`;
  return [line(heading), `|${heading.map(() => '---|').join('')}`, ...rows.map(line)];
}
