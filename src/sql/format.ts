import { type DialectOptions, formatDialect, transactsql } from 'sql-formatter';
import { FUNCTIONS } from './functions/catalogue.ts';
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
    stringTypes: ["''-qq"],
    operators: [...(transactsql.tokenizerOptions.operators ?? []), '||', '=='],
  },
};

/**
 * What the formatter does in a second or two: it looks at each piece anew for every parenthesis around it. A query of
 * 2,000 lines is within it.
 */
const MAX_WORK = 60_000;
const MAX_LENGTH = 400_000;

/** True for a text that is too much for the formatter: it would hold everything up. */
export function isTooMuchToFormat(text: string): boolean {
  return text.length > MAX_LENGTH || workOf(text) > MAX_WORK;
}

/** Lays a text out. One that the formatter cannot read comes back as it is, and so does one that is too much for it. */
export function format(text: string): string {
  if (isTooMuchToFormat(text)) {
    return text;
  }
  try {
    const laidOut = formatDialect(text, { dialect: DIALECT, keywordCase: 'preserve', tabWidth: 2 });
    return sameTokens(text, laidOut) ? laidOut : text;
  } catch {
    return text;
  }
}

function workOf(text: string): number {
  const { tokens, comments } = lexBounded(text);
  let depth = 0;
  let work = comments.length;
  for (const token of tokens) {
    depth = Math.max(0, depth + (token.text === '(' ? 1 : token.text === ')' ? -1 : 0));
    work += 2 + depth;
  }
  return work;
}

/** Layout may move blanks and nothing else: the formatter reads some broken texts otherwise than they are. */
function sameTokens(before: string, after: string): boolean {
  return spelling(before) === spelling(after);
}

function spelling(text: string): string {
  const { tokens, comments } = lexBounded(text);
  const written = [...tokens, ...comments].toSorted((a, b) => a.start - b.start);
  return written.map(({ start, end }) => text.slice(start, end).replaceAll(/\s+/g, ' ').trim()).join('\n');
}
