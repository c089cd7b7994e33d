import { parseCall, parseCurrentTime, isCurrentTime } from './calls.ts';
import { isReserved } from './keywords.ts';
import { parsePath } from './names.ts';
import type { ParserState } from './parserState.ts';
import type { Expr, LiteralExpr, SqlName } from './tree.ts';

const OPERAND_WORDS = ['CASE', 'NOT', 'NULL', 'CAST', 'EXISTS', 'TRUE', 'FALSE'] as const;
const NOT_BINDS = 3;
const SIGN_BINDS = 9;

/** Parses an operand: literal, name, call, sub-select, parenthesis or CASE, possibly with NOT or a sign before it. */
export function parseOperand(p: ParserState): Expr {
  if (p.atCaret) {
    p.hint('operand', ...OPERAND_WORDS);
  }
  const phantom = p.takePhantom();
  if (phantom !== undefined) {
    return p.is('(') ? parseCall(p, [phantom]) : parseReference(p, phantom);
  }
  const { token } = p;
  switch (token.kind) {
    case 'number':
      return parseLiteral(p, 'number');
    case 'string':
      return parseLiteral(p, 'string');
    case 'name':
      return parseNamed(p);
    case 'word':
      return parseWord(p);
    case 'operator':
      return parseSymbol(p);
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

function parseNamed(p: ParserState): Expr {
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
      return next.text === '.' ? parseNamed(p) : parseLiteral(p, 'boolean');
    case 'NOT':
      return parsePrefixed(p, NOT_BINDS);
    case 'CASE':
      return p.nested(
        () => parseCase(p),
        () => createMissingExpr(p),
      );
    case 'EXISTS':
      return next.text === '(' ? parseExists(p) : createMissingExpr(p);
    case 'DATE':
    case 'TIME':
    case 'TIMESTAMP':
      return next.kind === 'string' ? parseTypedLiteral(p, 'date') : parseNamed(p);
    case 'INTERVAL':
      return next.kind === 'string' || next.kind === 'number' ? parseInterval(p) : parseNamed(p);
    case 'ARRAY':
      return next.text === '[' ? parseArray(p) : parseNamed(p);
    case 'LEFT':
    case 'RIGHT':
      return next.text === '(' ? parseNamed(p) : createMissingExpr(p);
    default:
      return isReserved(text) && !p.atName ? createMissingExpr(p) : parseNamed(p);
  }
}

function parseBareWord(p: ParserState): Expr {
  if (p.peek().text !== '(' && p.peek().text !== '.' && isCurrentTime(p)) {
    return parseCurrentTime(p);
  }
  return parseNamed(p);
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

function parsePrefixed(p: ParserState, binds: number): Expr {
  const sign = p.next();
  const inner = p.nested(
    () => p.rules.parseExpr(p, binds),
    () => createMissingExpr(p),
  );
  return {
    kind: 'unary',
    operator: sign.text,
    start: sign.start,
    end: Math.max(inner.end, sign.end),
    operand: inner,
  };
}

function parseSymbol(p: ParserState): Expr {
  switch (p.token.text) {
    case '(':
      return p.nested(
        () => parseParenthesis(p),
        () => createMissingExpr(p),
      );
    case '-':
    case '+':
    case '~':
      return parsePrefixed(p, SIGN_BINDS);
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
  const open = p.openParen();
  p.hint('operand', 'SELECT', 'WITH');
  const depth = p.parens;
  if (startsQuery(p)) {
    const query = p.rules.parseQuery(p, 'expression');
    p.parens = depth;
    p.closeParen();
    return { kind: 'subselect', start: open.start, end: p.previousEnd, query };
  }
  if (p.is(')') && p.clause === 'group' && !p.atCaret) {
    // `()` in GROUPING SETS stands for the grand total.
    p.closeParen();
    return { kind: 'paren', start: open.start, end: p.previousEnd, items: [] };
  }
  const items: Expr[] = [];
  do {
    if (p.is(')') && items.length > 0 && !p.atCaret) {
      createMissingExpr(p);
      break;
    }
    items.push(p.rules.parseExpr(p));
  } while (p.accept(',') !== undefined);
  p.closeParen();
  return { kind: 'paren', start: open.start, end: p.previousEnd, items };
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
  p.hint('operand', 'WHEN');
  const value = p.is('WHEN') ? undefined : p.rules.parseExpr(p);
  const branches: { condition: Expr; result: Expr }[] = [];
  p.hint('after', 'WHEN');
  while (p.accept('WHEN') !== undefined) {
    const condition = p.rules.parseExpr(p);
    const result =
      p.expect('THEN') === undefined && !startsValue(p) ? createMissingExpr(p) : p.rules.parseExpr(p);
    branches.push({ condition, result });
    p.hint('after', 'WHEN', 'ELSE', 'END');
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
  return p.atName || p.token.kind === 'number' || p.token.kind === 'string';
}
