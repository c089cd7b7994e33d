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
export function parseExpr(p: ParserState, minPrecedence = OR): Expr {
  let left: Expr = parseOperand(p);
  if (left.kind === 'star') {
    return left;
  }
  for (;;) {
    hintOperators(p, minPrecedence);
    const extendedExpr = parseInfix(p, left, minPrecedence);
    if (extendedExpr === undefined) {
      return left;
    }
    left = extendedExpr;
  }
}

function hintOperators(p: ParserState, minPrecedence: number): void {
  if (!p.isAtCaret) {
    return;
  }
  p.addHint('keyword', ...(minPrecedence <= AND ? ['AND', 'OR'] : []));
  if (minPrecedence <= COMPARE) {
    p.addHint('keyword', ...COMPARISON_KEYWORDS);
  }
}

function parseInfix(p: ParserState, left: Expr, minPrecedence: number): Expr | undefined {
  const { text } = p.token;
  if (text === '') {
    return undefined;
  }
  const precedence = OPERATOR_PRECEDENCE.get(text);
  if (precedence !== undefined) {
    return precedence < minPrecedence ? undefined : parseBinary(p, left, precedence);
  }
  if (minPrecedence <= COMPARE) {
    const comparison = parseWordOperator(p, left);
    if (comparison !== undefined) {
      return comparison;
    }
  }
  return minPrecedence <= POSTFIX ? parsePostfix(p, left) : undefined;
}

function parseBinary(p: ParserState, left: Expr, precedence: number): Expr {
  const operatorToken = p.next();
  const right = p.runNested(
    () => parseExpr(p, precedence + 1),
    () => createMissingOperand(p),
  );
  return {
    kind: 'binary',
    start: left.start,
    end: Math.max(right.end, operatorToken.end),
    operator: operatorToken.text,
    operatorStart: operatorToken.start,
    operatorEnd: operatorToken.end,
    left,
    right,
    escape: undefined,
  };
}

function createMissingOperand(p: ParserState): Expr {
  return { kind: 'missing', start: p.previousEnd, end: p.previousEnd };
}

function parseWordOperator(p: ParserState, left: Expr): Expr | undefined {
  const isNegated = p.is('NOT');
  const word = isNegated ? p.peek().text : p.token.text;
  if (isNegated) {
    if (!NEGATABLE_OPERATORS.has(word)) {
      reportIncompleteNot(p);
      return undefined;
    }
  } else if (!WORD_OPERATORS.has(word)) {
    return undefined;
  }
  const { start } = p.token;
  if (isNegated) {
    p.next();
  }
  switch (word) {
    case 'IS':
      return parseIsTest(p, left);
    case 'IN':
      return parseInList(p, left, isNegated);
    case 'BETWEEN':
      return parseBetween(p, left, isNegated);
    default:
      return parseLike(p, left, isNegated, start);
  }
}

/** Reports `x NOT` without the operator that must follow, and proposes the possible operators. */
function reportIncompleteNot(p: ParserState): void {
  p.next();
  p.addHint('keyword', 'IN', 'LIKE', 'BETWEEN');
  p.reportMissing('expected', 'IN');
}

function parseIsTest(p: ParserState, left: Expr): Expr {
  const firstToken = p.next();
  p.addHint('keyword', 'NULL', 'NOT NULL', 'NOT', 'TRUE', 'FALSE');
  let operator = 'IS';
  let end = firstToken.end;
  if (p.is('NOT')) {
    operator = 'IS NOT';
    ({ end } = p.next());
    p.addHint('keyword', 'NULL', 'TRUE', 'FALSE');
  }
  if (p.is('DISTINCT') && p.peek().text === 'FROM') {
    p.next();
    ({ end } = p.next());
    operator += ' DISTINCT FROM';
  }
  const right = p.is('UNKNOWN') ? parseTruthValue(p) : parseExpr(p, BITWISE);
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
function parseTruthValue(p: ParserState): Expr {
  const { start, end } = p.next();
  return { kind: 'literal', type: 'boolean', start, end };
}

function parseLike(p: ParserState, left: Expr, isNegated: boolean, operatorStart: number): Expr {
  let word = p.next();
  let operator = isNegated ? `NOT ${word.text}` : word.text;
  if (word.text === 'SIMILAR' && p.is('TO')) {
    word = p.next();
    operator += ' TO';
  }
  const right = parseExpr(p, BITWISE);
  const escape = p.accept('ESCAPE') === undefined ? undefined : parseExpr(p, BITWISE);
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

function parseBetween(p: ParserState, operandExpr: Expr, not: boolean): Expr {
  const word = p.next();
  if (p.is('SYMMETRIC') || p.is('ASYMMETRIC')) {
    p.next();
  }
  const low = parseExpr(p, BITWISE);
  let high = createMissingOperand(p);
  if (p.expect('AND') !== undefined) {
    high = parseExpr(p, BITWISE);
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

function parseInList(p: ParserState, operandExpr: Expr, not: boolean): Expr {
  const word = p.next();
  const list: Expr[] = [];
  if (p.is('(')) {
    const group = parseOperand(p);
    list.push(...(group.kind === 'paren' ? group.items : [group]));
    return { kind: 'in', start: operandExpr.start, end: group.end, not, operand: operandExpr, list };
  }
  p.addHint('keyword', '(');
  if (p.openCalls.at(-1) === undefined) {
    // Only POSITION(a IN b) has IN without parentheses.
    p.reportMissing('expected', '(');
  }
  list.push(parseExpr(p, BITWISE));
  const end = Math.max(list[0]?.end ?? 0, word.end);
  return { kind: 'in', start: operandExpr.start, end, not, operand: operandExpr, list };
}

function parsePostfix(p: ParserState, left: Expr): Expr | undefined {
  if (p.is('::')) {
    p.next();
    const type = parseTypeName(p);
    return { kind: 'cast', start: left.start, end: type.end, operand: left, type };
  }
  if (p.is('COLLATE') && (p.peek().kind === 'word' || p.peek().kind === 'name')) {
    p.next();
    const { end } = p.next();
    return { ...left, end };
  }
  if (p.is('AT') && p.peek().text === 'TIME' && p.peek(2).text === 'ZONE') {
    return parseAtTimeZone(p, left);
  }
  return undefined;
}

function parseAtTimeZone(p: ParserState, left: Expr): Expr {
  const atToken = p.next();
  p.next();
  const zoneToken = p.next();
  const right = parseExpr(p, POSTFIX);
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
