import { parseOperand } from './operands.ts';
import type { ParserState } from './parserState.ts';
import { parseTypeName } from './typeName.ts';
import type { Expr } from './tree.ts';

// The precedence of operators, lowest first. `NOT` is 3 and signs are 9, see `operands.ts`.
const OR = 1;
const AND = 2;
const COMPARE = 4;
const BITWISE = 5;
const ADD = 6;
const MULTIPLY = 7;
const CONCATENATE = 8;
const POSTFIX = 10;

const OPERATOR_PRECEDENCE: ReadonlyMap<string, number> = new Map([
  ['OR', OR],
  ['AND', AND],
  ['=', COMPARE],
  ['==', COMPARE],
  ['<>', COMPARE],
  ['!=', COMPARE],
  ['<', COMPARE],
  ['>', COMPARE],
  ['<=', COMPARE],
  ['>=', COMPARE],
  ['&', BITWISE],
  ['|', BITWISE],
  ['<<', BITWISE],
  ['>>', BITWISE],
  ['+', ADD],
  ['-', ADD],
  ['*', MULTIPLY],
  ['/', MULTIPLY],
  ['%', MULTIPLY],
  ['^', MULTIPLY],
  ['||', CONCATENATE],
  ['->', CONCATENATE],
  ['->>', CONCATENATE],
]);

const WORD_OPERATORS: ReadonlySet<string> = new Set([
  'IS',
  'IN',
  'BETWEEN',
  'LIKE',
  'ILIKE',
  'GLOB',
  'REGEXP',
  'RLIKE',
  'SIMILAR',
]);

const NEGATABLE_OPERATORS: ReadonlySet<string> = new Set([...WORD_OPERATORS].filter((word) => word !== 'IS'));

const COMPARISON_KEYWORDS = [
  'IN',
  'NOT IN',
  'LIKE',
  'NOT LIKE',
  'BETWEEN',
  'NOT BETWEEN',
  'IS NULL',
  'IS NOT NULL',
] as const;

/** Parses an expression whose operators all have at least the precedence `minPrecedence`. */
export function parseExpr(parser: ParserState, minPrecedence = OR): Expr {
  let left: Expr = parseOperand(parser);
  if (left.kind === 'star') {
    return left;
  }
  for (;;) {
    hintOperators(parser, minPrecedence);
    const extendedExpr = parseInfix(parser, left, minPrecedence);
    if (extendedExpr === undefined) {
      return left;
    }
    left = extendedExpr;
  }
}

function hintOperators(parser: ParserState, minPrecedence: number): void {
  if (!parser.isAtCaret) {
    return;
  }
  parser.addHint('keyword', ...(minPrecedence <= AND ? ['AND', 'OR'] : []));
  if (minPrecedence <= COMPARE) {
    parser.addHint('keyword', ...COMPARISON_KEYWORDS);
  }
}

function parseInfix(parser: ParserState, left: Expr, minPrecedence: number): Expr | undefined {
  const { symbol } = parser.token;
  if (symbol === '') {
    return undefined;
  }
  const precedence = OPERATOR_PRECEDENCE.get(symbol);
  if (precedence !== undefined) {
    return precedence < minPrecedence ? undefined : parseBinary(parser, left, precedence);
  }
  if (minPrecedence <= COMPARE) {
    const comparison = parseWordOperator(parser, left);
    if (comparison !== undefined) {
      return comparison;
    }
  }
  return parsePostfix(parser, left);
}

function parseBinary(parser: ParserState, left: Expr, precedence: number): Expr {
  const operatorToken = parser.next();
  const right = parser.runNested(
    () => parseExpr(parser, precedence + 1),
    () => createMissingOperand(parser),
  );
  return {
    kind: 'binary',
    start: left.start,
    end: Math.max(right.end, operatorToken.end),
    operator: operatorToken.symbol,
    operatorStart: operatorToken.start,
    operatorEnd: operatorToken.end,
    left,
    right,
    escape: undefined,
  };
}

function createMissingOperand(parser: ParserState): Expr {
  return { kind: 'missing', start: parser.previousEnd, end: parser.previousEnd };
}

function parseWordOperator(parser: ParserState, left: Expr): Expr | undefined {
  const isNegated = parser.is('NOT');
  const word = isNegated ? parser.peek().symbol : parser.token.symbol;
  if (isNegated) {
    if (!NEGATABLE_OPERATORS.has(word)) {
      reportIncompleteNot(parser);
      return undefined;
    }
  } else if (!WORD_OPERATORS.has(word)) {
    return undefined;
  }
  const { start } = parser.token;
  if (isNegated) {
    parser.next();
  }
  switch (word) {
    case 'IS':
      return parseIsTest(parser, left);
    case 'IN':
      return parseInList(parser, left, isNegated);
    case 'BETWEEN':
      return parseBetween(parser, left, isNegated);
    default:
      return parseLike(parser, left, isNegated, start);
  }
}

/** Reports `x NOT` without the operator that must follow, and proposes the possible operators. */
function reportIncompleteNot(parser: ParserState): void {
  parser.next();
  parser.addHint('keyword', 'IN', 'LIKE', 'BETWEEN');
  parser.reportMissing('expected', 'IN');
}

function parseIsTest(parser: ParserState, left: Expr): Expr {
  const firstToken = parser.next();
  parser.addHint('keyword', 'NULL', 'NOT NULL', 'NOT', 'TRUE', 'FALSE');
  let operator = 'IS';
  let end = firstToken.end;
  if (parser.is('NOT')) {
    operator = 'IS NOT';
    ({ end } = parser.next());
    parser.addHint('keyword', 'NULL', 'TRUE', 'FALSE');
  }
  if (parser.is('DISTINCT') && parser.peek().symbol === 'FROM') {
    parser.next();
    ({ end } = parser.next());
    operator += ' DISTINCT FROM';
  }
  const right = parser.is('UNKNOWN') ? parseTruthValue(parser) : parseExpr(parser, BITWISE);
  return {
    kind: 'binary',
    start: left.start,
    end: Math.max(right.end, end),
    operator,
    operatorStart: firstToken.start,
    operatorEnd: end,
    left,
    right,
    escape: undefined,
  };
}

/** Parses UNKNOWN in `IS UNKNOWN`; anywhere else the word is a name. */
function parseTruthValue(parser: ParserState): Expr {
  const { start, end } = parser.next();
  return { kind: 'literal', type: 'boolean', start, end };
}

function parseLike(parser: ParserState, left: Expr, isNegated: boolean, operatorStart: number): Expr {
  let word = parser.next();
  let operator = isNegated ? `NOT ${word.symbol}` : word.symbol;
  if (word.symbol === 'SIMILAR' && parser.is('TO')) {
    word = parser.next();
    operator += ' TO';
  }
  const right = parseExpr(parser, BITWISE);
  const escape = parser.accept('ESCAPE') === undefined ? undefined : parseExpr(parser, BITWISE);
  return {
    kind: 'binary',
    start: left.start,
    end: Math.max(escape?.end ?? right.end, word.end),
    operator,
    operatorStart,
    operatorEnd: word.end,
    left,
    right,
    escape,
  };
}

function parseBetween(parser: ParserState, operandExpr: Expr, not: boolean): Expr {
  const word = parser.next();
  if (parser.is('SYMMETRIC') || parser.is('ASYMMETRIC')) {
    parser.next();
  }
  const low = parseExpr(parser, BITWISE);
  let high = createMissingOperand(parser);
  if (parser.expect('AND') !== undefined) {
    high = parseExpr(parser, BITWISE);
  }
  return {
    kind: 'between',
    start: operandExpr.start,
    end: Math.max(high.end, low.end, word.end),
    not,
    operand: operandExpr,
    low,
    high,
  };
}

function parseInList(parser: ParserState, operandExpr: Expr, not: boolean): Expr {
  const word = parser.next();
  const list: Expr[] = [];
  if (parser.is('(')) {
    const group = parseOperand(parser);
    list.push(...(group.kind === 'paren' ? group.items : [group]));
    return { kind: 'in', start: operandExpr.start, end: group.end, not, operand: operandExpr, list };
  }
  if (parser.openCalls.at(-1) === undefined) {
    // Only POSITION(a IN b) has IN without parentheses.
    parser.addHint('keyword', '(');
    parser.reportMissing('expected', '(');
  }
  list.push(parseExpr(parser, BITWISE));
  const end = Math.max(list[0]?.end ?? 0, word.end);
  return { kind: 'in', start: operandExpr.start, end, not, operand: operandExpr, list };
}

function parsePostfix(parser: ParserState, left: Expr): Expr | undefined {
  if (parser.is('::')) {
    parser.next();
    const type = parseTypeName(parser);
    return { kind: 'cast', start: left.start, end: type.end, operand: left, type };
  }
  if (parser.is('COLLATE') && (parser.peek().kind === 'word' || parser.peek().kind === 'quotedName')) {
    parser.next();
    const { end } = parser.next();
    return { ...left, end };
  }
  if (parser.is('AT') && parser.peek().symbol === 'TIME' && parser.peek(2).symbol === 'ZONE') {
    return parseAtTimeZone(parser, left);
  }
  return undefined;
}

function parseAtTimeZone(parser: ParserState, left: Expr): Expr {
  const atToken = parser.next();
  parser.next();
  const zoneToken = parser.next();
  const right = parseExpr(parser, POSTFIX);
  return {
    kind: 'binary',
    start: left.start,
    end: Math.max(right.end, zoneToken.end),
    operator: 'AT TIME ZONE',
    operatorStart: atToken.start,
    operatorEnd: zoneToken.end,
    left,
    right,
    escape: undefined,
  };
}
