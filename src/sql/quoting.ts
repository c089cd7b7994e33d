import { isReserved, toKeyword } from './syntax/keywords.ts';
import { lex } from './syntax/lexer.ts';
import { quoteName, type Quote, unquoteName } from './syntax/lexedText.ts';

const PLAIN_NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;
/** Letters of any script. Other characters that the lexer accepts in a word have a special meaning in some engines. */
const UNQUOTED_NAME = /^[\p{L}_][\p{L}\p{N}\p{M}_$]*$/u;

/**
 * Words that this parser accepts as names, but that engines such as SQLite reserve: as names, they always need quotes.
 */
const RESERVED_ELSEWHERE: ReadonlySet<string> = new Set(
  (
    'ADD ALL ALTER AUTOINCREMENT CHECK COLLATE COMMIT CONSTRAINT CREATE CURRENT_DATE CURRENT_TIME ' +
    'CURRENT_TIMESTAMP DEFAULT DEFERRABLE DELETE DISTINCT DROP ESCAPE FALSE FOREIGN INDEX INSERT INTO ISNULL ' +
    'LOCALTIME LOCALTIMESTAMP CURRENT_USER NOTHING NOTNULL PRIMARY REFERENCES RETURNING SET TABLE TO TRANSACTION ' +
    'TRUE UNIQUE UPDATE VALUES'
  ).split(' '),
);

/**
 * Words that only some engines reserve: as names, they are quoted to be safe, but are valid without quotes elsewhere.
 */
const RESERVED_BY_SOME: ReadonlySet<string> = new Set(
  'DAY HOUR MINUTE MONTH SECOND USER VALUE YEAR'.split(' '),
);

/** True if a name should be quoted, because of its characters or because it is a keyword in some engine. */
export function needsQuotes(name: string): boolean {
  const upper = name.toUpperCase();
  return (
    !PLAIN_NAME.test(name) ||
    toKeyword(name) !== '' ||
    RESERVED_ELSEWHERE.has(upper) ||
    RESERVED_BY_SOME.has(upper)
  );
}

/** True if a name is valid without quotes wherever a name is allowed: `Date` and `Größe`, but not `Order` or `2020`. */
export function canBeUnquoted(name: string): boolean {
  return (
    UNQUOTED_NAME.test(name) && !isReserved(toKeyword(name)) && !RESERVED_ELSEWHERE.has(name.toUpperCase())
  );
}

/** Writes a name with the given quotes. Without quotes, adds `[ ]` if the name needs quotes. */
export function formatSqlName(name: string, quote: Quote = ''): string {
  const effectiveQuote = quote === '' && needsQuotes(name) ? '[' : quote;
  const quotedName = quoteName(name, effectiveQuote);
  // A `[` inside brackets can look like the start of another name. Double quotes are unambiguous.
  return effectiveQuote === '[' && name.includes('[') && !isReadAsName(quotedName, name)
    ? quoteName(name, '"')
    : quotedName;
}

function isReadAsName(quotedName: string, name: string): boolean {
  const [token] = lex(quotedName).tokens;
  return (
    token !== undefined &&
    !token.unclosed &&
    token.end === quotedName.length &&
    unquoteName(quotedName, token) === name
  );
}
