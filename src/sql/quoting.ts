import { isReserved, toKeyword } from './syntax/keywords.ts';
import { lex } from './syntax/lexer.ts';
import { enquote, type Quote, unquote } from './syntax/tokens.ts';

const PLAIN = /^[A-Za-z_][A-Za-z0-9_]*$/;
/** Letters of any script. Other characters that the lexer accepts in a word have a special meaning in some engines. */
const WORD = /^[\p{L}_][\p{L}\p{N}\p{M}_$]*$/u;

/** Words that this parser accepts as names but engines such as SQLite reserve. */
const RESERVED_ELSEWHERE: ReadonlySet<string> = new Set(
  (
    'ADD ALL ALTER AUTOINCREMENT CHECK COLLATE COMMIT CONSTRAINT CREATE CURRENT_DATE CURRENT_TIME ' +
    'CURRENT_TIMESTAMP DEFAULT DEFERRABLE DELETE DISTINCT DROP ESCAPE FALSE FOREIGN INDEX INSERT INTO ISNULL ' +
    'LOCALTIME LOCALTIMESTAMP CURRENT_USER NOTHING NOTNULL PRIMARY REFERENCES RETURNING SET TABLE TO TRANSACTION ' +
    'TRUE UNIQUE UPDATE VALUES'
  ).split(' '),
);

/** Words that some engines reserve and others do not. */
const RESERVED_BY_SOME: ReadonlySet<string> = new Set(
  'DAY HOUR MINUTE MONTH SECOND USER VALUE YEAR'.split(' '),
);

/** True if a name should be quoted, because of its characters or because it is a keyword in some engine. */
export function needsQuotes(name: string): boolean {
  const upper = name.toUpperCase();
  return (
    !PLAIN.test(name) ||
    toKeyword(name) !== '' ||
    RESERVED_ELSEWHERE.has(upper) ||
    RESERVED_BY_SOME.has(upper)
  );
}

/** True if a name is valid without quotes wherever a name is allowed: `Date` and `Größe`, but not `Order` or `2020`. */
export function canBeUnquoted(name: string): boolean {
  return WORD.test(name) && !isReserved(toKeyword(name)) && !RESERVED_ELSEWHERE.has(name.toUpperCase());
}

/** Writes a name with the given quotes. Without quotes, adds `[ ]` if the name needs quotes. */
export function writeName(name: string, quote: Quote = ''): string {
  const wanted = quote === '' && needsQuotes(name) ? '[' : quote;
  const written = enquote(name, wanted);
  // A `[` inside brackets can look like the start of another name. Double quotes are unambiguous.
  return wanted === '[' && name.includes('[') && !roundTrips(written, name) ? enquote(name, '"') : written;
}

function roundTrips(written: string, name: string): boolean {
  const [token] = lex(written).tokens;
  return (
    token !== undefined && !token.open && token.end === written.length && unquote(written, token) === name
  );
}
