import { type DialectOptions, formatDialect, transactsql } from 'sql-formatter';
import { FUNCTIONS } from './functions/functionCatalog.ts';
import { isTooLongToFormat } from './formatLimit.ts';
import { lexBounded } from './syntax/parser.ts';

/** The platform's SQL dialect: all three kinds of quoted names, `||` for concatenation, and `==`. */
const DIALECT: DialectOptions = {
  ...transactsql,
  name: 'datamodel-sql',
  tokenizerOptions: {
    ...transactsql.tokenizerOptions,
    reservedFunctionNames: [
      ...new Set([...transactsql.tokenizerOptions.reservedFunctionNames, ...FUNCTIONS.keys()]),
    ],
    identTypes: ['""-qq', '[]', '``'],
    stringTypes: [{ quote: "''-qq", prefixes: ['N', 'X', 'B'] }],
    operators: [...(transactsql.tokenizerOptions.operators ?? []), '||', '=='],
  },
};

/**
 * The estimated work (see `estimateWork`) that the formatter can do in about a second. It processes each token again
 * for every pair of parentheses around it.
 */
const MAX_WORK = 60_000;

/** Maximum number of times a text is formatted until it no longer changes; comments can require several passes. */
const MAX_PASSES = 4;

/**
 * Formats a text. Returns it unchanged if the formatter cannot parse it, or if formatting would block the caller for
 * too long; see {@link formatWithLongLimit}.
 */
export const format = (text: string): string =>
  estimateWork(text) > MAX_WORK ? text : formatWithLongLimit(text);

/**
 * Like {@link format}, but with a limit of about a minute instead of a second: for callers that can wait, such as a
 * worker thread. Formatting the result again does not change it.
 */
export function formatWithLongLimit(text: string): string {
  if (isTooLongToFormat(text)) {
    return text;
  }
  const expectedContent = getComparableContent(text);
  if (expectedContent === undefined) {
    return text;
  }
  let current = text;
  for (let pass = 0; pass < MAX_PASSES; pass++) {
    const formatted = tryFormat(current);
    if (formatted === undefined || getComparableContent(formatted) !== expectedContent) {
      return text;
    }
    if (formatted === current) {
      return formatted;
    }
    current = formatted;
  }
  return text;
}

function tryFormat(text: string): string | undefined {
  try {
    return formatDialect(text, { dialect: DIALECT, keywordCase: 'preserve', tabWidth: 2 });
  } catch {
    // The formatter supports less syntax than the SQL engines. The text is left unchanged.
    return undefined;
  }
}

function estimateWork(text: string): number {
  const { tokens, comments } = lexBounded(text);
  let depth = 0;
  let work = comments.length;
  for (const token of tokens) {
    depth = Math.max(0, depth + (token.symbol === '(' ? 1 : token.symbol === ')' ? -1 : 0));
    // A fixed part for each token, and a part for each pair of parentheses around it.
    work += 3 + 2 * depth;
  }
  return work;
}

/**
 * Returns the content that formatting must not change: everything except whitespace between tokens and around the lines
 * of comments. Needed because the formatter changes some incorrect texts. `undefined` if a quote or a comment is
 * unclosed: its end is only a guess, and the formatter would be very slow.
 */
function getComparableContent(text: string): string | undefined {
  const { tokens, comments, hasUnclosed } = lexBounded(text);
  if (hasUnclosed) {
    return undefined;
  }
  const parts = [
    ...[...tokens].map(({ start, end }) => ({ start, text: text.slice(start, end) })),
    ...comments.map(({ start, end }) => ({ start, text: trimLines(text.slice(start, end)) })),
  ];
  return JSON.stringify(parts.toSorted((a, b) => a.start - b.start).map((part) => part.text));
}

const trimLines = (text: string): string =>
  text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .join('\n');
