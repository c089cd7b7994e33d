import { parseCall, parseKeywordFunction, isKeywordFunction } from './calls.ts';
import { isReserved } from './keywords.ts';
import { parsePath } from './names.ts';
import type { ParserState } from './parserState.ts';
import type { Expr, LiteralExpr, SqlName } from './tree.ts';

const OPERAND_WORDS = ['CASE', 'NOT', 'NULL', 'CAST', 'EXISTS', 'TRUE', 'FALSE'] as const;
const NOT_PRECEDENCE = 3;
const SIGN_PRECEDENCE = 9;

/** Parses an operand: literal, name, call, sub-select, parenthesis or CASE, possibly with NOT or a sign before it. */
export function parseOperand(parser: ParserState): Expr {
  if (parser.isAtCaret) {
    parser.addHint('operand', ...OPERAND_WORDS);
  }
  const incompleteWord = parser.acceptIncompleteWord();
  if (incompleteWord !== undefined) {
    return parser.is('(') ? parseCall(parser, [incompleteWord]) : parseReference(parser, incompleteWord);
  }
  const { token } = parser;
  switch (token.kind) {
    case 'number':
      return parseLiteral(parser, 'number');
    case 'string':
      return parseLiteral(parser, 'string');
    case 'quotedName':
      return parseNameOrCall(parser);
    case 'word':
      return parseWord(parser);
    case 'operator':
      return parseOperator(parser);
    case 'end':
      return createMissingExpr(parser);
  }
}

function parseLiteral(parser: ParserState, type: LiteralExpr['type']): LiteralExpr {
  const { start, end } = parser.next();
  return { kind: 'literal', type, start, end };
}

function createMissingExpr(parser: ParserState): Expr {
  parser.reportMissing('expected-expression', '');
  return { kind: 'missing', start: parser.previousEnd, end: parser.previousEnd };
}

function parseReference(parser: ParserState, first: SqlName): Expr {
  const path = parsePath(parser, first);
  if (parser.is('.') && parser.peek().symbol === '*') {
    parser.next();
    return { kind: 'star', start: first.start, end: parser.next().end, qualifier: path };
  }
  if (parser.is('(') && path.length > 1) {
    return parseCall(parser, path);
  }
  return { kind: 'column', start: first.start, end: path.at(-1)?.end ?? first.end, path };
}

function parseNameOrCall(parser: ParserState): Expr {
  const first = parser.toName(parser.next());
  return parser.is('(') ? parseCall(parser, [first]) : parseReference(parser, first);
}

function parseWord(parser: ParserState): Expr {
  const { symbol } = parser.token;
  const next = parser.peek();
  switch (symbol) {
    case '':
      return parseBareWord(parser);
    case 'NULL':
      return parseLiteral(parser, 'null');
    case 'TRUE':
    case 'FALSE':
      return next.symbol === '.' ? parseNameOrCall(parser) : parseLiteral(parser, 'boolean');
    case 'NOT':
      return parseUnary(parser, NOT_PRECEDENCE);
    case 'CASE':
      return parser.runNested(
        () => parseCase(parser),
        () => createMissingExpr(parser),
      );
    case 'EXISTS':
      return next.symbol === '(' ? parseExists(parser) : createMissingExpr(parser);
    case 'DATE':
    case 'TIME':
    case 'TIMESTAMP':
      return next.kind === 'string' ? parseTypedLiteral(parser, 'date') : parseNameOrCall(parser);
    case 'INTERVAL':
      return next.kind === 'string' || next.kind === 'number'
        ? parseInterval(parser)
        : parseNameOrCall(parser);
    case 'ARRAY':
      return next.symbol === '[' ? parseArray(parser) : parseNameOrCall(parser);
    case 'LEFT':
    case 'RIGHT':
      return next.symbol === '(' ? parseNameOrCall(parser) : createMissingExpr(parser);
    default:
      return isReserved(symbol) && !parser.isAtName ? createMissingExpr(parser) : parseNameOrCall(parser);
  }
}

function parseBareWord(parser: ParserState): Expr {
  if (parser.peek().symbol !== '(' && parser.peek().symbol !== '.' && isKeywordFunction(parser)) {
    return parseKeywordFunction(parser);
  }
  return parseNameOrCall(parser);
}

function parseTypedLiteral(parser: ParserState, type: LiteralExpr['type']): Expr {
  const { start } = parser.next();
  return { ...parseLiteral(parser, type), start };
}

function parseInterval(parser: ParserState): Expr {
  const { start } = parser.next();
  const value = parseLiteral(parser, 'interval');
  let { end } = value;
  while (
    parser.token.kind === 'word' &&
    /^(year|month|day|hour|minute|second|week|quarter|to)s?$/i.test(getTokenText(parser))
  ) {
    ({ end } = parser.next());
  }
  return { ...value, start, end };
}

function getTokenText(parser: ParserState): string {
  return parser.lexed.text.slice(parser.token.start, parser.token.end);
}

function parseUnary(parser: ParserState, precedence: number): Expr {
  const operatorToken = parser.next();
  const inner = parser.runNested(
    () => parser.rules.parseExpr(parser, precedence),
    () => createMissingExpr(parser),
  );
  return {
    kind: 'unary',
    operator: operatorToken.symbol,
    start: operatorToken.start,
    end: Math.max(inner.end, operatorToken.end),
    operand: inner,
  };
}

function parseOperator(parser: ParserState): Expr {
  switch (parser.token.symbol) {
    case '(':
      return parser.runNested(
        () => parseParenthesis(parser),
        () => createMissingExpr(parser),
      );
    case '-':
    case '+':
    case '~':
      return parseUnary(parser, SIGN_PRECEDENCE);
    case '*': {
      const { start, end } = parser.next();
      return { kind: 'star', start, end, qualifier: [] };
    }
    case '?':
      return parseLiteral(parser, 'parameter');
    case ':':
      if (parser.peek().kind === 'word' && parser.peek().start === parser.token.end) {
        return parseTypedLiteral(parser, 'parameter');
      }
      return createMissingExpr(parser);
    case '.':
      // The name before the dot is missing.
      return parseReference(parser, parser.createMissingName(parser.token.start));
    default:
      return createMissingExpr(parser);
  }
}

function startsQuery(parser: ParserState): boolean {
  return parser.is('SELECT') || parser.is('WITH') || (parser.is('VALUES') && parser.peek().symbol === '(');
}

function parseParenthesis(parser: ParserState): Expr {
  const openParen = parser.openParen();
  parser.addHint('operand', 'SELECT', 'WITH');
  const parenDepth = parser.parenDepth;
  if (startsQuery(parser)) {
    const query = parser.rules.parseQuery(parser, 'expression');
    parser.parenDepth = parenDepth;
    parser.closeParen();
    return { kind: 'subselect', start: openParen.start, end: parser.previousEnd, query };
  }
  if (parser.is(')') && parser.clause === 'group' && !parser.isAtCaret) {
    // `()` in GROUPING SETS stands for the grand total.
    parser.closeParen();
    return { kind: 'paren', start: openParen.start, end: parser.previousEnd, items: [] };
  }
  const items: Expr[] = [];
  do {
    if (parser.is(')') && items.length > 0 && !parser.isAtCaret) {
      createMissingExpr(parser);
      break;
    }
    items.push(parser.rules.parseExpr(parser));
  } while (parser.accept(',') !== undefined);
  parser.closeParen();
  return { kind: 'paren', start: openParen.start, end: parser.previousEnd, items };
}

/** Parses an array literal: `ARRAY[a, b]`. */
function parseArray(parser: ParserState): Expr {
  const { start } = parser.next();
  parser.next();
  const items: Expr[] = [];
  if (!parser.is(']')) {
    do {
      items.push(parser.rules.parseExpr(parser));
    } while (parser.accept(',') !== undefined);
  }
  parser.expect(']');
  return { kind: 'paren', start, end: parser.previousEnd, items };
}

function parseExists(parser: ParserState): Expr {
  const { start } = parser.next();
  const inner = parseOperand(parser);
  if (inner.kind === 'subselect') {
    return { kind: 'exists', start, end: inner.end, query: inner.query };
  }
  return { ...inner, start };
}

function parseCase(parser: ParserState): Expr {
  const { start } = parser.next();
  parser.addHint('operand', 'WHEN');
  const value = parser.is('WHEN') ? undefined : parser.rules.parseExpr(parser);
  const branches: { condition: Expr; result: Expr }[] = [];
  parser.addHint('keyword', 'WHEN');
  while (parser.accept('WHEN') !== undefined) {
    const condition = parser.rules.parseExpr(parser);
    const result =
      parser.expect('THEN') === undefined && !startsValue(parser)
        ? createMissingExpr(parser)
        : parser.rules.parseExpr(parser);
    branches.push({ condition, result });
    parser.addHint('keyword', 'WHEN', 'ELSE', 'END');
  }
  const otherwise = parser.accept('ELSE') === undefined ? undefined : parser.rules.parseExpr(parser);
  if (branches.length === 0) {
    parser.reportMissing('expected', 'WHEN');
  }
  parser.expect('END');
  return { kind: 'case', start, end: parser.previousEnd, operand: value, branches, otherwise };
}

/** True at a value, which can only be the result if THEN is missing before it. */
function startsValue(parser: ParserState): boolean {
  return parser.isAtName || parser.token.kind === 'number' || parser.token.kind === 'string';
}
