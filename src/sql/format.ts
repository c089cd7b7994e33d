import { type DialectOptions, formatDialect, transactsql } from 'sql-formatter';
import { FUNCTIONS } from './functions/catalog.ts';
import { isTooLongToFormat } from './formatLimit.ts';
import { lexBounded } from './syntax/parser.ts';

/** The platform's dialect for the formatter: all three quote styles, both operators for concatenation. */
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
 * The amount of work that the formatter does in about a second: it visits each piece again for every parenthesis around
 * it.
 */
const MAX_WORK = 60_000;

/** With some comments between statements, a text keeps changing when it is formatted again, but not for long. */
const MAX_PASSES = 4;

/**
 * Formats a text. A text that the formatter cannot parse is returned unchanged, and so is one that would block the
 * caller for too long: see {@link formatUnbounded}.
 */
export const format = (text: string): string =>
  estimateWork(text) > MAX_WORK ? text : formatUnbounded(text);

/**
 * {@link format} for a caller that can wait for a minute, such as a thread. Formatting its result again does not change
 * it.
 */
export function formatUnbounded(text: string): string {
  if (isTooLongToFormat(text)) {
    return text;
  }
  const wanted = toComparableText(text);
  if (wanted === undefined) {
    return text;
  }
  let before = text;
  for (let pass = 0; pass < MAX_PASSES; pass++) {
    const after = tryFormat(before);
    if (after === undefined || toComparableText(after) !== wanted) {
      return text;
    }
    if (after === before) {
      return after;
    }
    before = after;
  }
  return text;
}

function tryFormat(text: string): string | undefined {
  try {
    return formatDialect(text, { dialect: DIALECT, keywordCase: 'preserve', tabWidth: 2 });
  } catch {
    // The formatter parses less than the engines do; a text that it cannot parse is left unchanged.
    return undefined;
  }
}

function estimateWork(text: string): number {
  const { tokens, comments } = lexBounded(text);
  let depth = 0;
  let work = comments.length;
  for (const token of tokens) {
    depth = Math.max(0, depth + (token.text === '(' ? 1 : token.text === ')' ? -1 : 0));
    work += 3 + 2 * depth;
  }
  return work;
}

/**
 * Returns the text that formatting must not change: everything except the blanks between the pieces, and around the
 * lines of comments. The formatter misreads some broken texts. `undefined` if a quote or a comment is open: its end is
 * a guess, and the formatter searches for the end again and again.
 */
function toComparableText(text: string): string | undefined {
  const { tokens, comments, open } = lexBounded(text);
  if (open) {
    return undefined;
  }
  const pieces = [
    ...[...tokens].map(({ start, end }) => ({ start, text: text.slice(start, end) })),
    ...comments.map(({ start, end }) => ({ start, text: trimLines(text.slice(start, end)) })),
  ];
  return JSON.stringify(pieces.toSorted((a, b) => a.start - b.start).map((piece) => piece.text));
}

const trimLines = (text: string): string =>
  text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .join('\n');
