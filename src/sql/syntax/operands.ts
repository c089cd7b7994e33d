import { parseCall, parseKeywordFunction, isKeywordFunction } from './calls.ts';
import { isReserved } from './keywords.ts';
import { parsePath } from './names.ts';
import type { ParserState } from './parserState.ts';
import type { Expr, LiteralExpr, SqlName } from './tree.ts';

const OPERAND_WORDS = ['CASE', 'NOT', 'NULL', 'CAST', 'EXISTS', 'TRUE', 'FALSE'] as const;
const NOT_PRECEDENCE = 3;
const SIGN_PRECEDENCE = 9;

/** Parses an operand: literal, name, call, sub-select, parenthesis or CASE, possibly with NOT or a sign before it. */
export function parseOperand(p: ParserState): Expr {
  if (p.isAtCaret) {
    p.addHint('operand', ...OPERAND_WORDS);
  }
  const incompleteWord = p.acceptIncompleteWord();
  if (incompleteWord !== undefined) {
    return p.is('(') ? parseCall(p, [incompleteWord]) : parseReference(p, incompleteWord);
  }
  const { token } = p;
  switch (token.kind) {
    case 'number':
      return parseLiteral(p, 'number');
    case 'string':
      return parseLiteral(p, 'string');
    case 'name':
      return parseNameOrCall(p);
    case 'word':
      return parseWord(p);
    case 'operator':
      return parseOperator(p);
    case 'end':
      return createMissingExpr(p);
  }
}

function parseLiteral(p: ParserState, type: LiteralExpr['type']): LiteralExpr {
  const { start, end } = p.next();
  return { kind: 'literal', type, start, end };
}

function createMissingExpr(p: ParserState): Expr {
  p.reportMissing('expected-expression', '');
  return { kind: 'missing', start: p.previousEnd, end: p.previousEnd };
}

function parseReference(p: ParserState, first: SqlName): Expr {
  const path = parsePath(p, first);
  if (p.is('.') && p.peek().text === '*') {
    p.next();
    return { kind: 'star', start: first.start, end: p.next().end, qualifier: path };
  }
  if (p.is('(') && path.length > 1) {
    return parseCall(p, path);
  }
  return { kind: 'column', start: first.start, end: path.at(-1)?.end ?? first.end, path };
}

function parseNameOrCall(p: ParserState): Expr {
  const first = p.toName(p.next());
  return p.is('(') ? parseCall(p, [first]) : parseReference(p, first);
}

function parseWord(p: ParserState): Expr {
  const { text } = p.token;
  const next = p.peek();
  switch (text) {
    case '':
      return parseBareWord(p);
    case 'NULL':
      return parseLiteral(p, 'null');
    case 'TRUE':
    case 'FALSE':
      return next.text === '.' ? parseNameOrCall(p) : parseLiteral(p, 'boolean');
    case 'NOT':
      return parseUnary(p, NOT_PRECEDENCE);
    case 'CASE':
      return p.runNested(
        () => parseCase(p),
        () => createMissingExpr(p),
      );
    case 'EXISTS':
      return next.text === '(' ? parseExists(p) : createMissingExpr(p);
    case 'DATE':
    case 'TIME':
    case 'TIMESTAMP':
      return next.kind === 'string' ? parseTypedLiteral(p, 'date') : parseNameOrCall(p);
    case 'INTERVAL':
      return next.kind === 'string' || next.kind === 'number' ? parseInterval(p) : parseNameOrCall(p);
    case 'ARRAY':
      return next.text === '[' ? parseArray(p) : parseNameOrCall(p);
    case 'LEFT':
    case 'RIGHT':
      return next.text === '(' ? parseNameOrCall(p) : createMissingExpr(p);
    default:
      return isReserved(text) && !p.isAtName ? createMissingExpr(p) : parseNameOrCall(p);
  }
}

function parseBareWord(p: ParserState): Expr {
  if (p.peek().text !== '(' && p.peek().text !== '.' && isKeywordFunction(p)) {
    return parseKeywordFunction(p);
  }
  return parseNameOrCall(p);
}

function parseTypedLiteral(p: ParserState, type: LiteralExpr['type']): Expr {
  const { start } = p.next();
  return { ...parseLiteral(p, type), start };
}

function parseInterval(p: ParserState): Expr {
  const { start } = p.next();
  const value = parseLiteral(p, 'interval');
  let { end } = value;
  while (
    p.token.kind === 'word' &&
    /^(year|month|day|hour|minute|second|week|quarter|to)s?$/i.test(getTokenText(p))
  ) {
    ({ end } = p.next());
  }
  return { ...value, start, end };
}

function getTokenText(p: ParserState): string {
  return p.lexed.text.slice(p.token.start, p.token.end);
}

function parseUnary(p: ParserState, precedence: number): Expr {
  const operatorToken = p.next();
  const inner = p.runNested(
    () => p.rules.parseExpr(p, precedence),
    () => createMissingExpr(p),
  );
  return {
    kind: 'unary',
    operator: operatorToken.text,
    start: operatorToken.start,
    end: Math.max(inner.end, operatorToken.end),
    operand: inner,
  };
}

function parseOperator(p: ParserState): Expr {
  switch (p.token.text) {
    case '(':
      return p.runNested(
        () => parseParenthesis(p),
        () => createMissingExpr(p),
      );
    case '-':
    case '+':
    case '~':
      return parseUnary(p, SIGN_PRECEDENCE);
    case '*': {
      const { start, end } = p.next();
      return { kind: 'star', start, end, qualifier: [] };
    }
    case '?':
      return parseLiteral(p, 'parameter');
    case ':':
      if (p.peek().kind === 'word' && p.peek().start === p.token.end) {
        return parseTypedLiteral(p, 'parameter');
      }
      return createMissingExpr(p);
    case '.':
      // The name before the dot is missing.
      return parseReference(p, p.createMissingName(p.token.start));
    default:
      return createMissingExpr(p);
  }
}

function startsQuery(p: ParserState): boolean {
  return p.is('SELECT') || p.is('WITH') || (p.is('VALUES') && p.peek().text === '(');
}

function parseParenthesis(p: ParserState): Expr {
  const openParen = p.openParen();
  p.addHint('operand', 'SELECT', 'WITH');
  const parenDepth = p.parenDepth;
  if (startsQuery(p)) {
    const query = p.rules.parseQuery(p, 'expression');
    p.parenDepth = parenDepth;
    p.closeParen();
    return { kind: 'subselect', start: openParen.start, end: p.previousEnd, query };
  }
  if (p.is(')') && p.clause === 'group' && !p.isAtCaret) {
    // `()` in GROUPING SETS stands for the grand total.
    p.closeParen();
    return { kind: 'paren', start: openParen.start, end: p.previousEnd, items: [] };
  }
  const items: Expr[] = [];
  do {
    if (p.is(')') && items.length > 0 && !p.isAtCaret) {
      createMissingExpr(p);
      break;
    }
    items.push(p.rules.parseExpr(p));
  } while (p.accept(',') !== undefined);
  p.closeParen();
  return { kind: 'paren', start: openParen.start, end: p.previousEnd, items };
}

/** Parses an array literal: `ARRAY[a, b]`. */
function parseArray(p: ParserState): Expr {
  const { start } = p.next();
  p.next();
  const items: Expr[] = [];
  if (!p.is(']')) {
    do {
      items.push(p.rules.parseExpr(p));
    } while (p.accept(',') !== undefined);
  }
  p.expect(']');
  return { kind: 'paren', start, end: p.previousEnd, items };
}

function parseExists(p: ParserState): Expr {
  const { start } = p.next();
  const inner = parseOperand(p);
  if (inner.kind === 'subselect') {
    return { kind: 'exists', start, end: inner.end, query: inner.query };
  }
  return { ...inner, start };
}

function parseCase(p: ParserState): Expr {
  const { start } = p.next();
  p.addHint('operand', 'WHEN');
  const value = p.is('WHEN') ? undefined : p.rules.parseExpr(p);
  const branches: { condition: Expr; result: Expr }[] = [];
  p.addHint('keyword', 'WHEN');
  while (p.accept('WHEN') !== undefined) {
    const condition = p.rules.parseExpr(p);
    const result =
      p.expect('THEN') === undefined && !startsValue(p) ? createMissingExpr(p) : p.rules.parseExpr(p);
    branches.push({ condition, result });
    p.addHint('keyword', 'WHEN', 'ELSE', 'END');
  }
  const otherwise = p.accept('ELSE') === undefined ? undefined : p.rules.parseExpr(p);
  if (branches.length === 0) {
    p.reportMissing('expected', 'WHEN');
  }
  p.expect('END');
  return { kind: 'case', start, end: p.previousEnd, operand: value, branches, otherwise };
}

/** True at a value, which can only be the result if THEN is missing before it. */
function startsValue(p: ParserState): boolean {
  return p.isAtName || p.token.kind === 'number' || p.token.kind === 'string';
}
