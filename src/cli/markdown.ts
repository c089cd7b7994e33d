import type { DifferenceText } from './differences/differenceTexts.ts';
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
  const longestRun = getLongestRun(line);
  const fence = '`'.repeat(longestRun + 1);
  // Markdown strips one space at each end, so one is added.
  return longestRun === 0 && line === line.trim() ? `${fence}${line}${fence}` : `${fence} ${line} ${fence}`;
}

/** Returns the length of the longest run of backticks. */
const getLongestRun = (text: string): number =>
  Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));

/** An entry of a list, which may have a list of details. */
export interface MarkdownEntry {
  readonly text: string;
  readonly details: readonly DifferenceText[];
}

/** A list with a heading. */
export interface MarkdownSection {
  readonly title: string;
  /** May contain text from a server. */
  readonly lines: readonly (string | MarkdownEntry)[];
}

/** The limit of a comment on GitHub is 65,536 characters. */
const maxLength = 65_000;

/**
 * Formats lists as Markdown that fits into a comment. Each list has a heading with its count, and as many entries as
 * fit; omitted entries are counted, and the space is given to the first lists first. Details fill the remaining space;
 * an entry whose details don't fit has a placeholder.
 */
export function formatSections(
  head: string,
  sections: readonly MarkdownSection[],
  foot: string = '',
): string {
  const formatHeading = ({ title, lines }: MarkdownSection): string =>
    `\n#### ${title} (${lines.length})\n\n`;
  // The space that is kept free in each list for the line that counts omitted entries.
  const moreLength = '- … and 1000000 more\n'.length;
  const nonEmptySections = sections.filter(({ lines }) => lines.length > 0);
  let remaining =
    maxLength -
    head.length -
    foot.length -
    nonEmptySections.reduce((sum, section) => sum + formatHeading(section).length + moreLength, 0);
  const tryReserve = ({ length }: string): boolean => {
    const fits = length <= remaining;
    remaining -= fits ? length : 0;
    return fits;
  };
  const lists = nonEmptySections.map((section) => {
    const entries = section.lines.map(formatEntry);
    const firstOmittedIndex = entries.findIndex(
      (entry) => !tryReserve(entry.text) || !tryReserve(entry.placeholder),
    );
    return { section, entries: firstOmittedIndex === -1 ? entries : entries.slice(0, firstOmittedIndex) };
  });
  const texts = lists.map(({ section, entries }) => {
    const lines = entries.map(({ text, placeholder, details }) =>
      tryReserve(details) ? `${text}${details}` : `${text}${placeholder}`,
    );
    const omittedCount = section.lines.length - entries.length;
    return `${formatHeading(section)}${lines.join('')}${omittedCount === 0 ? '' : `- … and ${omittedCount} more\n`}`;
  });
  return `${head}${texts.join('')}${foot}`;
}

interface FormattedEntry {
  readonly text: string;
  readonly details: string;
  /** The text in place of details that don't fit. */
  readonly placeholder: string;
}

/** Returns the lines of a report that say that a change was interrupted. */
export const formatInterruptedLines = ({
  interrupted,
}: {
  readonly interrupted?: { readonly journal: string; readonly text: string } | undefined;
}): readonly string[] =>
  interrupted === undefined ? [] : ['', `${formatCode(interrupted.journal)}: ${interrupted.text}`];

function formatEntry(line: string | MarkdownEntry): FormattedEntry {
  const { text, details } = typeof line === 'string' ? { text: line, details: [] } : line;
  return {
    text: `- ${formatCode(text)}\n`,
    details: details.map(formatDetail).join(''),
    placeholder: details.length === 0 ? '' : '  - … details left out\n',
  };
}

const formatDetail = ({ text, diff }: DifferenceText): string =>
  `  - ${formatCode(text)}\n${diff.length === 0 ? '' : formatDiff(diff)}`;

/** Formats a unified diff as a code block, with a fence that is longer than any run of backticks in it. */
function formatDiff(diff: readonly string[]): string {
  const lines = diff.map(stripControlCharacters);
  const fence = '`'.repeat(Math.max(3, getLongestRun(lines.join('\n')) + 1));
  return [`${fence}diff`, ...lines, fence].map((line) => `    ${line}\n`).join('');
}
