import { stripControlCharacters } from './shell.ts';

/** Longer lines are truncated, so that one line doesn't use up the space of all others. */
const maxLineLength = 1000;

/**
 * Formats text from a server as code, so that nothing in it becomes markup, a link, or a mention. An escaped `@name`
 * would still be a mention on GitHub, and an escaped address a link.
 */
export function formatCode(text: string): string {
  const fullLine = stripControlCharacters(text);
  const line = fullLine.length > maxLineLength ? `${fullLine.slice(0, maxLineLength)}…` : fullLine;
  const longestRun = Math.max(0, ...[...line.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longestRun + 1);
  // Markdown strips one space at each end, so one is added.
  return longestRun === 0 && line === line.trim() ? `${fence}${line}${fence}` : `${fence} ${line} ${fence}`;
}

/** A list with a heading. */
export interface MarkdownSection {
  readonly title: string;
  /** May contain text from a server. */
  readonly lines: readonly string[];
}

/** The limit of a comment on GitHub is 65,536 characters. */
const maxLength = 65_000;

/**
 * Formats lists as Markdown that fits into a comment. Each keeps its heading with its count, and as many lines as fit:
 * the first lists are truncated last, and omitted lines are counted.
 */
export function formatSections(
  head: string,
  sections: readonly MarkdownSection[],
  foot: string = '',
): string {
  const formatHeading = ({ title, lines }: MarkdownSection): string =>
    `\n#### ${title} (${lines.length})\n\n`;
  const moreLength = '- … and 1000000 more\n'.length;
  const filled = sections.filter(({ lines }) => lines.length > 0);
  let remaining =
    maxLength -
    head.length -
    foot.length -
    filled.reduce((sum, section) => sum + formatHeading(section).length + moreLength, 0);
  const texts = filled.map((section) => {
    const lines: string[] = [];
    for (const text of section.lines) {
      const line = `- ${formatCode(text)}\n`;
      if (line.length > remaining) {
        break;
      }
      remaining -= line.length;
      lines.push(line);
    }
    const cutCount = section.lines.length - lines.length;
    return `${formatHeading(section)}${lines.join('')}${cutCount === 0 ? '' : `- … and ${cutCount} more\n`}`;
  });
  return `${head}${texts.join('')}${foot}`;
}
