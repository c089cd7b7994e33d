/** Words that always end an incomplete clause, quote or operand. */
const CLAUSE_WORDS = [
  'SELECT',
  'FROM',
  'WHERE',
  'GROUP',
  'HAVING',
  'ORDER',
  'UNION',
  'INTERSECT',
  'EXCEPT',
  'JOIN',
  'INNER',
  'LEFT',
  'RIGHT',
  'FULL',
  'CROSS',
  'NATURAL',
  'ON',
  'LIMIT',
  'WITH',
] as const;

/** Words within a clause, between its names and values. */
const EXPRESSION_WORDS = [
  'AND',
  'OR',
  'NOT',
  'IN',
  'IS',
  'LIKE',
  'BETWEEN',
  'CASE',
  'WHEN',
  'THEN',
  'ELSE',
  'END',
  'AS',
  'NULL',
  'EXISTS',
  'USING',
] as const;

/** Words that are keywords only in certain positions, and names anywhere else. */
const CONTEXT_WORDS = [
  'ALL',
  'ANTI',
  'ANY',
  'ARRAY',
  'ASC',
  'AT',
  'BOTH',
  'BY',
  'CAST',
  'COLLATE',
  'CUBE',
  'CURRENT',
  'DATE',
  'DESC',
  'DISTINCT',
  'ESCAPE',
  'EXCLUDE',
  'FALSE',
  'FETCH',
  'FILTER',
  'FIRST',
  'FOLLOWING',
  'FOR',
  'GLOB',
  'GROUPING',
  'GROUPS',
  'IGNORE',
  'ILIKE',
  'INTERVAL',
  'LAST',
  'LATERAL',
  'LEADING',
  'MINUS',
  'MATERIALIZED',
  'NEXT',
  'NO',
  'NULLS',
  'OFFSET',
  'ONLY',
  'OTHERS',
  'OUTER',
  'OVER',
  'PARTITION',
  'PERCENT',
  'PLACING',
  'PRECEDING',
  'QUALIFY',
  'RANGE',
  'RECURSIVE',
  'REGEXP',
  'RESPECT',
  'RLIKE',
  'ROLLUP',
  'ROW',
  'ROWS',
  'SEMI',
  'SETS',
  'SIMILAR',
  'SOME',
  'SYMMETRIC',
  'ASYMMETRIC',
  'TIES',
  'TIME',
  'TIMESTAMP',
  'TO',
  'TOP',
  'TRAILING',
  'TRUE',
  'TRY_CAST',
  'UNBOUNDED',
  'UNKNOWN',
  'VALUES',
  'WINDOW',
  'WITHIN',
  'ZONE',
] as const;

const MAX_KEYWORD_LENGTH = 12;

const KEYWORDS: readonly string[] = [...CLAUSE_WORDS, ...EXPRESSION_WORDS, ...CONTEXT_WORDS];
const CODE_A = 'A'.charCodeAt(0);
const CODE_Z = 'Z'.charCodeAt(0);
/** Bit mask that converts the code of an ASCII letter to upper case. */
const UPPERCASE_MASK = 0xdf;

/** Keywords in buckets by length and first letter, so that a lookup usually has to compare at most one word. */
const KEYWORDS_BY_BUCKET: readonly (readonly string[])[] = Array.from(
  { length: (MAX_KEYWORD_LENGTH + 1) * 26 },
  (_, bucket) => KEYWORDS.filter((word) => word.length * 26 + word.charCodeAt(0) - CODE_A === bucket),
);
const CLAUSES: ReadonlySet<string> = new Set(CLAUSE_WORDS);
const RESERVED: ReadonlySet<string> = new Set([...CLAUSE_WORDS, ...EXPRESSION_WORDS]);
const QUOTE_BREAKING_WORDS: ReadonlySet<string> = new Set([
  ...CLAUSE_WORDS,
  'AND',
  'OR',
  'WHEN',
  'THEN',
  'ELSE',
  'END',
  'AS',
]);

/** Returns the word in upper case if it is a keyword, otherwise `''`. */
export function toKeyword(word: string): string {
  return getKeywordAt(word, 0, word.length);
}

/** {@link toKeyword} for a part of a text. Avoids slicing the text, because the lexer calls it for every word. */
export function getKeywordAt(text: string, start: number, end: number): string {
  const length = end - start;
  const firstCode = text.charCodeAt(start) & UPPERCASE_MASK;
  if (length > MAX_KEYWORD_LENGTH || firstCode < CODE_A || firstCode > CODE_Z) {
    return '';
  }
  for (const word of KEYWORDS_BY_BUCKET[length * 26 + firstCode - CODE_A] ?? []) {
    if (isWordAt(word, text, start)) {
      return word;
    }
  }
  return '';
}

function isWordAt(word: string, text: string, start: number): boolean {
  for (let index = 0; index < word.length; index++) {
    const expectedCode = word.charCodeAt(index);
    const code = text.charCodeAt(start + index);
    const isLetter = expectedCode >= CODE_A && expectedCode <= CODE_Z;
    if (code !== expectedCode && !(isLetter && code === expectedCode + 32)) {
      return false;
    }
  }
  return true;
}

/** True if a keyword starts a clause: it cannot be an unquoted name, and error recovery stops there. */
export function isClauseWord(keyword: string): boolean {
  return CLAUSES.has(keyword);
}

/** True if a keyword cannot be an unquoted name. */
export function isReserved(keyword: string): boolean {
  return RESERVED.has(keyword);
}

/** True if an unclosed quote ends before this keyword. */
export function breaksQuote(keyword: string): boolean {
  return QUOTE_BREAKING_WORDS.has(keyword);
}
