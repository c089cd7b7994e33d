import { hasLineBreak } from './chars.ts';
import { isReserved } from './keywords.ts';
import type { ParserState } from './parserState.ts';
import type { SqlName } from './tree.ts';

/**
 * Parses the name after a dot. Any word may follow directly (`o.Order`). After whitespace, a reserved word more likely
 * continues the query, and so does a word on the next line that is followed by a dot or an equals sign.
 */
function parseNameAfterDot(p: ParserState, dotEnd: number): SqlName {
  const incompleteWord = p.acceptIncompleteWord();
  if (incompleteWord !== undefined) {
    return incompleteWord;
  }
  const { token } = p;
  const isAdjacent = token.start === dotEnd;
  if (token.kind === 'name' || (token.kind === 'word' && (isAdjacent || !isReserved(token.text)))) {
    if (isAdjacent || !startsNextLine(p, dotEnd)) {
      return p.toName(p.next());
    }
  }
  p.reportMissing('expected-name', '');
  return p.createMissingName(dotEnd);
}

function startsNextLine(p: ParserState, dotEnd: number): boolean {
  return (
    hasLineBreak(p.lexed.text, dotEnd, p.token.start) && (p.peek().text === '.' || p.peek().text === '=')
  );
}

/**
 * Parses the rest of a dotted name after its first part. Stops before `.*`, which the caller parses.
 */
export function parsePath(p: ParserState, first: SqlName): SqlName[] {
  const path = [first];
  while (p.is('.')) {
    if (p.peek().text === '*') {
      return path;
    }
    const dot = p.next();
    const isCaretAfterDot = p.addHint('member');
    if (isCaretAfterDot) {
      p.hints.qualifier = [...path];
    }
    path.push(parseNameAfterDot(p, dot.end));
  }
  return path;
}

/**
 * Parses a new name, such as an alias or the name of a CTE. It can be any word, a quoted name or, as in some dialects,
 * a string.
 */
export function parseDeclaredName(p: ParserState): SqlName {
  p.addHint('name');
  const incompleteWord = p.acceptIncompleteWord();
  if (incompleteWord !== undefined) {
    return incompleteWord;
  }
  if (p.token.kind === 'string' || p.token.kind === 'name' || p.token.kind === 'word') {
    const token = p.next();
    const name = p.toName(token);
    return token.kind === 'string' ? { ...name, text: getStringText(name.text, token.unclosed) } : name;
  }
  p.reportMissing('expected-name', '');
  return p.createMissingName(p.previousEnd);
}

function getStringText(source: string, unclosed: boolean): string {
  return source.slice(1, unclosed ? undefined : -1).replaceAll("''", "'");
}

/** Parses a list of names: the columns `(a, b)` after a CTE or alias, or the columns of USING. */
export function parseNameList(p: ParserState, mode: 'name' | 'using'): SqlName[] {
  const names: SqlName[] = [];
  p.openParen();
  do {
    p.addHint(mode);
    const incompleteWord = p.acceptIncompleteWord();
    if (incompleteWord !== undefined) {
      names.push(incompleteWord);
    } else if (p.token.kind === 'name' || (p.token.kind === 'word' && !p.isAtClause)) {
      names.push(p.toName(p.next()));
    } else {
      p.reportMissing('expected-name', '');
    }
  } while (p.accept(',') !== undefined);
  p.closeParen();
  return names;
}

/**
 * True if the current token is an alias after AS. A reserved word is one only if the next token continues the query.
 */
function isAliasAfterAs(p: ParserState): boolean {
  const { token } = p;
  if (token.kind !== 'word' || !isReserved(token.text)) {
    return token.kind === 'name' || token.kind === 'word' || token.kind === 'string';
  }
  const next = p.peek();
  if (next.kind === 'end') {
    return token.text !== 'FROM';
  }
  return next.text === ',' || next.text === ')' || next.text === 'FROM' || p.isClauseAt(1);
}

/** Parses the alias of a select item or a source; `undefined` if there is none. */
export function parseAlias(p: ParserState, canBeAlias: (p: ParserState) => boolean): SqlName | undefined {
  if (p.is('AS') && p.peek().text !== '(') {
    p.next();
    p.addHint('name');
    const incompleteWord = p.acceptIncompleteWord();
    if (incompleteWord !== undefined) {
      return incompleteWord;
    }
    if (isAliasAfterAs(p)) {
      return parseDeclaredName(p);
    }
    p.reportMissing('expected-name', '');
    return undefined;
  }
  if (p.isAtCaret) {
    p.addHint('keyword', 'AS');
  }
  if (p.isAtName && p.peek().text !== '.' && canBeAlias(p)) {
    return p.toName(p.next());
  }
  return undefined;
}

/** True at a contextual keyword: one that continues the query here but can be a name in other positions. */
export function isAtContextualKeyword(p: ParserState): boolean {
  const next = p.peek();
  switch (p.token.text) {
    case 'FETCH':
      return next.text === 'FIRST' || next.text === 'NEXT';
    case 'OFFSET':
      return next.kind === 'number' || next.text === '?' || next.text === '(' || next.text === ':';
    case 'WINDOW':
      return p.peek(2).text === 'AS';
    case 'QUALIFY':
      return next.kind === 'word' || next.kind === 'name' || next.text === '(';
    case 'MINUS':
      return next.text === 'SELECT' || next.text === 'ALL' || next.text === '(';
    case 'SEMI':
    case 'ANTI':
      return next.text === 'JOIN';
    case 'OUTER':
      return next.text === 'JOIN' || isApply(p, 1);
    default:
      return false;
  }
}

/** True at APPLY, as in `CROSS APPLY` and `OUTER APPLY`: joins whose query can use the sources before it. */
export function isApply(p: ParserState, distance: number): boolean {
  const { kind, start, end } = p.peek(distance);
  return kind === 'word' && p.lexed.text.slice(start, end).toUpperCase() === 'APPLY';
}
