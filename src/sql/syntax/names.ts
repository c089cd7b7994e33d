import { hasLineBreak } from './chars.ts';
import { isReserved } from './keywords.ts';
import type { ParserState } from './parserState.ts';
import type { SqlName } from './tree.ts';

/**
 * Parses the name after a dot. Any word may follow directly (`o.Order`). After whitespace, a reserved word more likely
 * continues the query, and so does a word on the next line that is followed by a dot or an equals sign.
 */
function parseNameAfterDot(parser: ParserState, dotEnd: number): SqlName {
  const incompleteWord = parser.acceptIncompleteWord();
  if (incompleteWord !== undefined) {
    return incompleteWord;
  }
  const { token } = parser;
  const isAdjacent = token.start === dotEnd;
  if (token.kind === 'quotedName' || (token.kind === 'word' && (isAdjacent || !isReserved(token.symbol)))) {
    if (isAdjacent || !startsNextLine(parser, dotEnd)) {
      return parser.toName(parser.next());
    }
  }
  parser.reportMissing('expected-name', '');
  return parser.createMissingName(dotEnd);
}

function startsNextLine(parser: ParserState, dotEnd: number): boolean {
  return (
    hasLineBreak(parser.lexed.text, dotEnd, parser.token.start) &&
    (parser.peek().symbol === '.' || parser.peek().symbol === '=')
  );
}

/**
 * Parses the rest of a dotted name after its first part. Stops before `.*`, which the caller parses.
 */
export function parsePath(parser: ParserState, first: SqlName): SqlName[] {
  const path = [first];
  while (parser.is('.')) {
    if (parser.peek().symbol === '*') {
      return path;
    }
    const dot = parser.next();
    const isCaretAfterDot = parser.addHint('member');
    if (isCaretAfterDot) {
      parser.hints.qualifier = [...path];
    }
    path.push(parseNameAfterDot(parser, dot.end));
  }
  return path;
}

/**
 * Parses a new name, such as an alias or the name of a CTE. It can be any word, a quoted name or, as in some dialects,
 * a string.
 */
export function parseDeclaredName(parser: ParserState): SqlName {
  parser.addHint('name');
  const incompleteWord = parser.acceptIncompleteWord();
  if (incompleteWord !== undefined) {
    return incompleteWord;
  }
  if (parser.token.kind === 'string' || parser.token.kind === 'quotedName' || parser.token.kind === 'word') {
    const token = parser.next();
    const name = parser.toName(token);
    return token.kind === 'string' ? { ...name, text: getStringText(name.text, token.unclosed) } : name;
  }
  parser.reportMissing('expected-name', '');
  return parser.createMissingName(parser.previousEnd);
}

function getStringText(source: string, unclosed: boolean): string {
  return source.slice(1, unclosed ? undefined : -1).replaceAll("''", "'");
}

/** Parses a list of names: the columns `(a, b)` after a CTE or alias, or the columns of USING. */
export function parseNameList(parser: ParserState, mode: 'name' | 'using'): SqlName[] {
  const names: SqlName[] = [];
  parser.openParen();
  do {
    parser.addHint(mode);
    const incompleteWord = parser.acceptIncompleteWord();
    if (incompleteWord !== undefined) {
      names.push(incompleteWord);
    } else if (parser.token.kind === 'quotedName' || (parser.token.kind === 'word' && !parser.isAtClause)) {
      names.push(parser.toName(parser.next()));
    } else {
      parser.reportMissing('expected-name', '');
    }
  } while (parser.accept(',') !== undefined);
  parser.closeParen();
  return names;
}

/**
 * True if the current token is an alias after AS. A reserved word is one only if the next token continues the query.
 */
function isAliasAfterAs(parser: ParserState): boolean {
  const { token } = parser;
  if (token.kind !== 'word' || !isReserved(token.symbol)) {
    return token.kind === 'quotedName' || token.kind === 'word' || token.kind === 'string';
  }
  const next = parser.peek();
  if (next.kind === 'end') {
    return token.symbol !== 'FROM';
  }
  return next.symbol === ',' || next.symbol === ')' || next.symbol === 'FROM' || parser.isClauseAt(1);
}

/** Parses the alias of a select item or a source; `undefined` if there is none. */
export function parseAlias(
  parser: ParserState,
  canBeAlias: (parser: ParserState) => boolean,
): SqlName | undefined {
  if (parser.is('AS') && parser.peek().symbol !== '(') {
    parser.next();
    parser.addHint('name');
    const incompleteWord = parser.acceptIncompleteWord();
    if (incompleteWord !== undefined) {
      return incompleteWord;
    }
    if (isAliasAfterAs(parser)) {
      return parseDeclaredName(parser);
    }
    parser.reportMissing('expected-name', '');
    return undefined;
  }
  if (parser.isAtCaret) {
    parser.addHint('keyword', 'AS');
  }
  if (parser.isAtName && parser.peek().symbol !== '.' && canBeAlias(parser)) {
    return parser.toName(parser.next());
  }
  return undefined;
}

/** True at a contextual keyword: one that continues the query here but can be a name in other positions. */
export function isAtContextualKeyword(parser: ParserState): boolean {
  const next = parser.peek();
  switch (parser.token.symbol) {
    case 'FETCH':
      return next.symbol === 'FIRST' || next.symbol === 'NEXT';
    case 'OFFSET':
      return next.kind === 'number' || next.symbol === '?' || next.symbol === '(' || next.symbol === ':';
    case 'WINDOW':
      return parser.peek(2).symbol === 'AS';
    case 'QUALIFY':
      return next.kind === 'word' || next.kind === 'quotedName' || next.symbol === '(';
    case 'MINUS':
      return next.symbol === 'SELECT' || next.symbol === 'ALL' || next.symbol === '(';
    case 'SEMI':
    case 'ANTI':
      return next.symbol === 'JOIN';
    case 'OUTER':
      return next.symbol === 'JOIN' || isApplyAt(parser, 1);
    default:
      return false;
  }
}

/** True at APPLY, as in `CROSS APPLY` and `OUTER APPLY`: joins whose query can use the sources before it. */
export function isApplyAt(parser: ParserState, distance: number): boolean {
  const { kind, start, end } = parser.peek(distance);
  return kind === 'word' && parser.lexed.text.slice(start, end).toUpperCase() === 'APPLY';
}
