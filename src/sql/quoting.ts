import { keywordOf } from './syntax/keywords.ts';
import { lex } from './syntax/lexer.ts';
import { enquote, type Quote, unquote } from './syntax/tokens.ts';

const BARE = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** Words that common engines reserve although this grammar reads them as names. */
const RESERVED_ELSEWHERE: ReadonlySet<string> = new Set([
  'DAY',
  'DEFAULT',
  'HOUR',
  'MINUTE',
  'MONTH',
  'SECOND',
  'TABLE',
  'USER',
  'VALUE',
  'YEAR',
  'SET',
  'CURRENT_DATE',
  'CURRENT_TIME',
  'CURRENT_TIMESTAMP',
]);

/** True when a name cannot be written bare: blanks, dots, other scripts, words that mean something. */
export function needsQuotes(name: string): boolean {
  return !BARE.test(name) || keywordOf(name) !== '' || RESERVED_ELSEWHERE.has(name.toUpperCase());
}

/** Writes a name with the given quotes; without any it gets `[ ]` when it needs them. */
export function writeName(name: string, quote: Quote = ''): string {
  const wanted = quote === '' && needsQuotes(name) ? '[' : quote;
  const written = enquote(name, wanted);
  // A bracket inside brackets can look like the start of the next name: double quotes say it plainly.
  return wanted === '[' && name.includes('[') && !readsBack(written, name) ? enquote(name, '"') : written;
}

function readsBack(written: string, name: string): boolean {
  const [token] = lex(written).tokens;
  return (
    token !== undefined && !token.open && token.end === written.length && unquote(written, token) === name
  );
}
