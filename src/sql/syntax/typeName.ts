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
export function parseTypeName(parser: ParserState): TextRange {
  parser.addHint('type');
  parser.acceptIncompleteWord();
  const { start } = parser.token;
  let end = parser.previousEnd;
  let wordCount = 0;
  while (isTypeWord(parser, wordCount)) {
    ({ end } = parser.next());
    wordCount++;
    if (parser.is('(')) {
      parser.skip();
      end = parser.previousEnd;
    }
  }
  if (wordCount === 0) {
    parser.reportMissing('expected-name', '');
    return { start: end, end };
  }
  return { start, end };
}

/** True if the current token belongs to the type. After the first word, only certain words do (`DOUBLE PRECISION`). */
function isTypeWord(parser: ParserState, wordCount: number): boolean {
  const { token } = parser;
  if (wordCount === 0) {
    return (token.kind === 'word' && !parser.isAtClause) || token.kind === 'quotedName';
  }
  const keyword = parser.lexed.text.slice(token.start, token.end).toUpperCase();
  if (keyword === 'WITH' || keyword === 'WITHOUT') {
    return parser.peek().symbol === 'TIME' || parser.peek(2).symbol === 'TIME';
  }
  return /^(PRECISION|VARYING|TIME|ZONE|LOCAL|UNSIGNED|SIGNED|ARRAY|INTEGER)$/.test(keyword);
}
