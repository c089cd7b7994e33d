import { type DialectOptions, formatDialect, transactsql } from 'sql-formatter';
import { FUNCTIONS } from './functions/catalogue.ts';
import { isTooLongToFormat } from './formatLimit.ts';
import { lexBounded } from './syntax/parser.ts';

/** The platform's dialect for the formatter: all three quotings, both ways to join texts. */
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

/** What the formatter does in about a second: it looks at each piece again for every parenthesis around it. */
const MAX_WORK = 60_000;

/** A text goes on changing with some comments between statements; soon it does not any more. */
const MAX_PASSES = 4;

/**
 * Lays a text out. One that the formatter cannot read comes back as it is, and so does one that would hold up whoever
 * waits for it: see {@link formatUnbounded}.
 */
export const format = (text: string): string =>
  estimateWork(text) > MAX_WORK ? text : formatUnbounded(text);

/**
 * {@link format} for whoever can bear that it takes a minute: in a thread, that is. What it answers stays as it is when
 * it is laid out again.
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
    // It reads less than the engines do; what it cannot read is left alone.
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
 * All that layout must leave alone: everything but the blanks between the pieces, and around the lines of comments. The
 * formatter reads some broken texts otherwise than they are. Nothing where a quote or a comment is open: where it ends
 * is a guess, and the formatter looks for the end again and again.
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
