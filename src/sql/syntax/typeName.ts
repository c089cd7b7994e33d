import type { ParserState } from './parserState.ts';
import type { TextRange } from './tree.ts';

export const TYPE_NAMES = [
  'BIGINT',
  'BOOLEAN',
  'CHAR',
  'DATE',
  'DECIMAL',
  'DOUBLE',
  'FLOAT',
  'INTEGER',
  'NUMERIC',
  'REAL',
  'SMALLINT',
  'TIME',
  'TIMESTAMP',
  'TINYINT',
  'VARCHAR',
] as const;

/** Parses a type: one or more words with an optional `(n, m)`, such as `DOUBLE PRECISION` or `VARCHAR(20)`. */
export function parseTypeName(p: ParserState): TextRange {
  p.addHint('type');
  p.acceptIncompleteWord();
  const { start } = p.token;
  let end = p.previousEnd;
  let wordCount = 0;
  while (isTypeWord(p, wordCount)) {
    ({ end } = p.next());
    wordCount++;
    if (p.is('(')) {
      p.skip();
      end = p.previousEnd;
    }
  }
  if (wordCount === 0) {
    p.reportMissing('expected-name', '');
    return { start: end, end };
  }
  return { start, end };
}

/** True if the current token belongs to the type. After the first word, only certain words do (`DOUBLE PRECISION`). */
function isTypeWord(p: ParserState, wordCount: number): boolean {
  const { token } = p;
  if (wordCount === 0) {
    return (token.kind === 'word' && !p.isAtClause) || token.kind === 'name';
  }
  if (token.kind !== 'word') {
    return false;
  }
  const keyword = p.lexed.text.slice(token.start, token.end).toUpperCase();
  if (keyword === 'WITH' || keyword === 'WITHOUT') {
    return p.peek().text === 'TIME' || p.peek(2).text === 'TIME';
  }
  return /^(PRECISION|VARYING|TIME|ZONE|LOCAL|UNSIGNED|SIGNED|ARRAY|INTEGER)$/.test(keyword);
}
