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

/** Lays a text out. A text that the formatter cannot read comes back as it is. */
export function format(text: string): string {
  try {
    const laidOut = formatDialect(text, { dialect: DIALECT, keywordCase: 'preserve', tabWidth: 2 });
    return sameTokens(text, laidOut) ? laidOut : text;
  } catch {
    return text;
  }
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
