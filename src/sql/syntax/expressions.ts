import { parseOperand } from './operands.ts';
import type { ParserState } from './parserState.ts';
import { parseTypeName } from './types.ts';
import type { Expr } from './tree.ts';

// The precedence of operators, lowest first. `NOT` is 3 and signs are 9, see `operands.ts`.
const OR = 1;
const AND = 2;
const COMPARE = 4;
const BITS = 5;
const ADD = 6;
const MULTIPLY = 7;
const JOIN = 8;
const POSTFIX = 10;

const SYMBOLS: ReadonlyMap<string, number> = new Map([
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
  ['&', BITS],
  ['|', BITS],
  ['<<', BITS],
  ['>>', BITS],
  ['+', ADD],
  ['-', ADD],
  ['*', MULTIPLY],
  ['/', MULTIPLY],
  ['%', MULTIPLY],
  ['^', MULTIPLY],
  ['||', JOIN],
  ['->', JOIN],
  ['->>', JOIN],
]);

const WORDS: ReadonlySet<string> = new Set([
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

const NEGATABLE: ReadonlySet<string> = new Set([...WORDS].filter((word) => word !== 'IS'));

const COMPARE_WORDS = [
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
    const longer = parseInfix(p, left, minPrecedence);
    if (longer === undefined) {
      return left;
    }
    left = longer;
  }
}

function hintOperators(p: ParserState, minPrecedence: number): void {
  if (!p.atCaret) {
    return;
  }
  p.hint('after', ...(minPrecedence <= AND ? ['AND', 'OR'] : []));
  if (minPrecedence <= COMPARE) {
    p.hint('after', ...COMPARE_WORDS);
  }
}

function parseInfix(p: ParserState, left: Expr, minPrecedence: number): Expr | undefined {
  const { text } = p.token;
  if (text === '') {
    return undefined;
  }
  const precedence = SYMBOLS.get(text);
  if (precedence !== undefined) {
    return precedence < minPrecedence ? undefined : parseBinary(p, left, precedence);
  }
  if (minPrecedence <= COMPARE) {
    const compared = parseWordOperator(p, left);
    if (compared !== undefined) {
      return compared;
    }
  }
  return minPrecedence <= POSTFIX ? parsePostfix(p, left) : undefined;
}

function parseBinary(p: ParserState, left: Expr, precedence: number): Expr {
  const sign = p.next();
  const right = p.nested(
    () => parseExpr(p, precedence + 1),
    () => createMissingOperand(p),
  );
  return {
    kind: 'binary',
    start: left.start,
    end: Math.max(right.end, sign.end),
    operator: sign.text,
    operatorStart: sign.start,
    operatorEnd: sign.end,
    left,
    right,
    escape: undefined,
  };
}

function createMissingOperand(p: ParserState): Expr {
  return { kind: 'missing', start: p.previousEnd, end: p.previousEnd };
}

function parseWordOperator(p: ParserState, left: Expr): Expr | undefined {
  const negated = p.is('NOT');
  const word = negated ? p.peek().text : p.token.text;
  if (negated) {
    if (!NEGATABLE.has(word)) {
      hintNegated(p);
      return undefined;
    }
  } else if (!WORDS.has(word)) {
    return undefined;
  }
  const { start } = p.token;
  if (negated) {
    p.next();
  }
  switch (word) {
    case 'IS':
      return parseIsTest(p, left);
    case 'IN':
      return parseInList(p, left, negated);
    case 'BETWEEN':
      return parseBetween(p, left, negated);
    default:
      return parseLike(p, left, negated, start);
  }
}

/** Reports `x NOT` without the operator that must follow, and proposes the possible operators. */
function hintNegated(p: ParserState): void {
  p.next();
  p.hint('after', 'IN', 'LIKE', 'BETWEEN');
  p.reportMissing('expected', 'IN');
}

function parseIsTest(p: ParserState, left: Expr): Expr {
  const first = p.next();
  p.hint('after', 'NULL', 'NOT NULL', 'NOT', 'TRUE', 'FALSE');
  let operator = 'IS';
  let end = first.end;
  if (p.is('NOT')) {
    operator = 'IS NOT';
    ({ end } = p.next());
    p.hint('after', 'NULL', 'TRUE', 'FALSE');
  }
  if (p.is('DISTINCT') && p.peek().text === 'FROM') {
    p.next();
    ({ end } = p.next());
    operator += ' DISTINCT FROM';
  }
  const right = p.is('UNKNOWN') ? parseTruthValue(p) : parseExpr(p, BITS);
  return {
    kind: 'binary',
    start: left.start,
    end: Math.max(right.end, end),
    operator,
    operatorStart: first.start,
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

function parseLike(p: ParserState, left: Expr, negated: boolean, operatorStart: number): Expr {
  let word = p.next();
  let operator = negated ? `NOT ${word.text}` : word.text;
  if (word.text === 'SIMILAR' && p.is('TO')) {
    word = p.next();
    operator += ' TO';
  }
  const right = parseExpr(p, BITS);
  const escape = p.accept('ESCAPE') === undefined ? undefined : parseExpr(p, BITS);
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
  const low = parseExpr(p, BITS);
  let high = createMissingOperand(p);
  if (p.expect('AND') !== undefined) {
    high = parseExpr(p, BITS);
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
  p.hint('after', '(');
  if (p.calls.at(-1) === undefined) {
    // Only POSITION(a IN b) has IN without parentheses.
    p.reportMissing('expected', '(');
  }
  list.push(parseExpr(p, BITS));
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
  const at = p.next();
  p.next();
  const zone = p.next();
  const right = parseExpr(p, POSTFIX);
  return {
    kind: 'binary',
    start: left.start,
    end: Math.max(right.end, zone.end),
    operator: 'AT TIME ZONE',
    operatorStart: at.start,
    operatorEnd: zone.end,
    left,
    right,
    escape: undefined,
  };
}
