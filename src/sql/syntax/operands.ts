import { call, currentTime, isCurrentTime } from './calls.ts';
import { isReserved } from './keywords.ts';
import { pathFrom } from './names.ts';
import type { ParserState } from './parserState.ts';
import type { Expr, Literal, Name } from './tree.ts';

const OPERAND_WORDS = ['CASE', 'NOT', 'NULL', 'CAST', 'EXISTS', 'TRUE', 'FALSE'] as const;
const NOT_BINDS = 3;
const SIGN_BINDS = 9;

/** Reads one operand: literal, name, call, sub-select, parenthesis, CASE, or a sign before one of them. */
export function operand(p: ParserState): Expr {
  if (p.atCaret) {
    p.hint('operand', ...OPERAND_WORDS);
  }
  const phantom = p.takePhantom();
  if (phantom !== undefined) {
    return p.is('(') ? call(p, [phantom]) : reference(p, phantom);
  }
  const { token } = p;
  switch (token.kind) {
    case 'number':
      return literal(p, 'number');
    case 'string':
      return literal(p, 'string');
    case 'name':
      return named(p);
    case 'word':
      return word(p);
    case 'operator':
      return symbol(p);
    case 'end':
      return missing(p);
  }
}

function literal(p: ParserState, type: Literal['type']): Literal {
  const { start, end } = p.next();
  return { kind: 'literal', type, start, end };
}

function missing(p: ParserState): Expr {
  p.missing('expected-expression', '');
  return { kind: 'missing', start: p.previousEnd, end: p.previousEnd };
}

function reference(p: ParserState, first: Name): Expr {
  const path = pathFrom(p, first);
  if (p.is('.') && p.peek().text === '*') {
    p.next();
    return { kind: 'star', start: first.start, end: p.next().end, qualifier: path };
  }
  if (p.is('(') && path.length > 1) {
    return call(p, path);
  }
  return { kind: 'column', start: first.start, end: path.at(-1)?.end ?? first.end, path };
}

function named(p: ParserState): Expr {
  const first = p.nameOf(p.next());
  return p.is('(') ? call(p, [first]) : reference(p, first);
}

function word(p: ParserState): Expr {
  const { text } = p.token;
  const next = p.peek();
  switch (text) {
    case '':
      return bareWord(p);
    case 'NULL':
      return literal(p, 'null');
    case 'TRUE':
    case 'FALSE':
      return next.text === '.' ? named(p) : literal(p, 'boolean');
    case 'NOT':
      return prefixed(p, NOT_BINDS);
    case 'CASE':
      return p.nested(
        () => caseOf(p),
        () => missing(p),
      );
    case 'EXISTS':
      return next.text === '(' ? exists(p) : missing(p);
    case 'DATE':
    case 'TIME':
    case 'TIMESTAMP':
      return next.kind === 'string' ? typedLiteral(p, 'date') : named(p);
    case 'INTERVAL':
      return next.kind === 'string' || next.kind === 'number' ? interval(p) : named(p);
    case 'ARRAY':
      return next.text === '[' ? array(p) : named(p);
    case 'LEFT':
    case 'RIGHT':
      return next.text === '(' ? named(p) : missing(p);
    default:
      return isReserved(text) && !p.atName ? missing(p) : named(p);
  }
}

function bareWord(p: ParserState): Expr {
  if (p.peek().text !== '(' && p.peek().text !== '.' && isCurrentTime(p)) {
    return currentTime(p);
  }
  return named(p);
}

function typedLiteral(p: ParserState, type: Literal['type']): Expr {
  const { start } = p.next();
  return { ...literal(p, type), start };
}

function interval(p: ParserState): Expr {
  const { start } = p.next();
  const value = literal(p, 'interval');
  let { end } = value;
  while (
    p.token.kind === 'word' &&
    /^(year|month|day|hour|minute|second|week|quarter|to)s?$/i.test(sliceOf(p))
  ) {
    ({ end } = p.next());
  }
  return { ...value, start, end };
}

function sliceOf(p: ParserState): string {
  return p.lexed.text.slice(p.token.start, p.token.end);
}

function prefixed(p: ParserState, binds: number): Expr {
  const sign = p.next();
  const inner = p.nested(
    () => p.rules.expression(p, binds),
    () => missing(p),
  );
  return {
    kind: 'unary',
    operator: sign.text,
    start: sign.start,
    end: Math.max(inner.end, sign.end),
    operand: inner,
  };
}

function symbol(p: ParserState): Expr {
  switch (p.token.text) {
    case '(':
      return p.nested(
        () => parenthesis(p),
        () => missing(p),
      );
    case '-':
    case '+':
    case '~':
      return prefixed(p, SIGN_BINDS);
    case '*': {
      const { start, end } = p.next();
      return { kind: 'star', start, end, qualifier: [] };
    }
    case '?':
      return literal(p, 'parameter');
    case ':':
      if (p.peek().kind === 'word' && p.peek().start === p.token.end) {
        return typedLiteral(p, 'parameter');
      }
      return missing(p);
    case '.':
      // Half a name: the part before the dot is still to be typed.
      return reference(p, p.noName(p.token.start));
    default:
      return missing(p);
  }
}

function startsQuery(p: ParserState): boolean {
  return p.is('SELECT') || p.is('WITH') || (p.is('VALUES') && p.peek().text === '(');
}

function parenthesis(p: ParserState): Expr {
  const open = p.openParen();
  p.hint('operand', 'SELECT', 'WITH');
  const depth = p.parens;
  if (startsQuery(p)) {
    const query = p.rules.query(p, 'expression');
    p.parens = depth;
    p.closeParen();
    return { kind: 'subselect', start: open.start, end: p.previousEnd, query };
  }
  if (p.is(')') && p.clause === 'group' && !p.atCaret) {
    // The grand total of GROUPING SETS.
    p.closeParen();
    return { kind: 'paren', start: open.start, end: p.previousEnd, items: [] };
  }
  const items: Expr[] = [];
  do {
    if (p.is(')') && items.length > 0 && !p.atCaret) {
      missing(p);
      break;
    }
    items.push(p.rules.expression(p));
  } while (p.accept(',') !== undefined);
  p.closeParen();
  return { kind: 'paren', start: open.start, end: p.previousEnd, items };
}

/** `ARRAY[a, b]`. */
function array(p: ParserState): Expr {
  const { start } = p.next();
  p.next();
  const items: Expr[] = [];
  if (!p.is(']')) {
    do {
      items.push(p.rules.expression(p));
    } while (p.accept(',') !== undefined);
  }
  p.expect(']');
  return { kind: 'paren', start, end: p.previousEnd, items };
}

function exists(p: ParserState): Expr {
  const { start } = p.next();
  const inner = operand(p);
  if (inner.kind === 'subselect') {
    return { kind: 'exists', start, end: inner.end, query: inner.query };
  }
  return { ...inner, start };
}

function caseOf(p: ParserState): Expr {
  const { start } = p.next();
  p.hint('operand', 'WHEN');
  const value = p.is('WHEN') ? undefined : p.rules.expression(p);
  const branches: { condition: Expr; result: Expr }[] = [];
  p.hint('after', 'WHEN');
  while (p.accept('WHEN') !== undefined) {
    const condition = p.rules.expression(p);
    const result = p.expect('THEN') === undefined && !startsValue(p) ? missing(p) : p.rules.expression(p);
    branches.push({ condition, result });
    p.hint('after', 'WHEN', 'ELSE', 'END');
  }
  const otherwise = p.accept('ELSE') === undefined ? undefined : p.rules.expression(p);
  if (branches.length === 0) {
    p.missing('expected', 'WHEN');
  }
  p.expect('END');
  return { kind: 'case', start, end: p.previousEnd, operand: value, branches, otherwise };
}

/** After a missing THEN: a value that can only be its result. */
function startsValue(p: ParserState): boolean {
  return p.atName || p.token.kind === 'number' || p.token.kind === 'string';
}
