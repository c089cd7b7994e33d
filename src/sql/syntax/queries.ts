import { declaredName, nameList, startsContextClause } from './names.ts';
import { orderItems } from './ordering.ts';
import type { ParserState } from './parserState.ts';
import { select } from './select.ts';
import type { Cte, Expr, Query, QueryBody, QueryRole } from './tree.ts';

const SET_OPERATORS: ReadonlyMap<string, number> = new Map([
  ['UNION', 1],
  ['EXCEPT', 1],
  ['MINUS', 1],
  ['INTERSECT', 2],
]);

/** Reads a query: WITH, selects joined by set operators, ORDER BY, LIMIT. Ends before `)`, `;` or the end. */
export function query(p: ParserState, role: QueryRole): Query {
  const found: Query = {
    kind: 'query',
    role,
    start: p.token.start,
    end: p.token.start,
    withKeyword: -1,
    recursive: false,
    ctes: [],
    body: undefined,
    orderBy: [],
    limits: [],
    limitExtent: undefined,
  };
  const { clause } = p;
  p.open.push(found);
  const opensOwnCalls = p.calls.length;
  p.calls.push(undefined);
  p.nested(
    () => inside(p, found, role),
    () => undefined,
  );
  p.calls.length = opensOwnCalls;
  found.end = Math.max(found.start, p.previousEnd);
  p.open.pop();
  p.clause = clause;
  return found;
}

function inside(p: ParserState, found: Query, role: QueryRole): void {
  if (p.is('WITH')) {
    found.withKeyword = p.next().start;
    withClause(p, found);
  }
  p.hint('after', 'SELECT', ...(found.withKeyword < 0 ? ['WITH'] : []));
  p.takePhantom();
  found.body = setOperations(p, role, 1);
  p.clause = 'order';
  ordering(p, found, role);
}

function ordering(p: ParserState, found: Query, role: QueryRole): void {
  // The select of an expression is as open as its query here: the caret may stand in ORDER BY.
  const body = found.body;
  const single = body?.kind === 'select' ? body : undefined;
  if (single !== undefined) {
    p.open.push(single);
  }
  if (role !== 'arm' || p.parens > 0) {
    if (p.is('ORDER')) {
      found.orderBy.push(...orderItems(p));
      p.hint('after', 'LIMIT', 'OFFSET');
    }
    limits(p, found);
  }
  if (single !== undefined) {
    p.open.pop();
  }
}

function withClause(p: ParserState, found: Query): void {
  p.hint('name', 'RECURSIVE');
  found.recursive = p.is('RECURSIVE') && p.peek().text !== 'AS' && p.next().end > 0;
  do {
    if (p.is('SELECT')) {
      p.missing('expected-name', '');
      return;
    }
    cte(p, found.ctes);
    skipToCte(p);
  } while (p.accept(',') !== undefined || startsLostCte(p));
}

function cte(p: ParserState, ctes: Cte[]): void {
  const { start } = p.token;
  const name = declaredName(p);
  const columns = p.is('(') && !startsQueryAt(p, 1) ? nameList(p, 'name') : [];
  const found: Cte = { start, end: p.previousEnd, name, columns, query: undefined };
  ctes.push(found);
  p.expect('AS');
  p.hint('after', '(');
  if (p.is('NOT') && p.peek().text === 'MATERIALIZED') {
    p.next();
  }
  p.accept('MATERIALIZED');
  cteBody(p, found);
  found.end = Math.max(found.start, p.previousEnd);
}

function cteBody(p: ParserState, found: Cte): void {
  if (p.is('(')) {
    p.openParen();
  } else {
    p.missing('expected', '(');
    if (!p.is('SELECT') && !p.is('WITH')) {
      return;
    }
    p.parens++;
  }
  const depth = p.parens;
  found.query = p.rules.query(p, 'cte');
  p.parens = depth - 1;
  p.hint('after');
  if (p.accept(')') === undefined) {
    p.missing('expected', ')');
  }
}

function startsQueryAt(p: ParserState, distance: number): boolean {
  const { text } = p.peek(distance);
  return text === 'SELECT' || text === 'WITH';
}

/** Skips what cannot stand between CTEs. */
function skipToCte(p: ParserState): void {
  while (
    !p.is(',') &&
    !p.is('SELECT') &&
    !p.is('(') &&
    !p.is(';') &&
    !p.is('FROM') &&
    !p.is('VALUES') &&
    !p.atEnd
  ) {
    if (startsLostCte(p)) {
      return;
    }
    if (p.is(')') && p.parens > 0) {
      return;
    }
    p.unexpected();
    p.skip();
  }
}

function startsLostCte(p: ParserState): boolean {
  return p.atName && p.peek().text === 'AS' && p.peek(2).text === '(';
}

function setOperations(p: ParserState, role: QueryRole, minPrecedence: number): QueryBody {
  let left = primary(p, role);
  for (;;) {
    const precedence = SET_OPERATORS.get(p.token.text);
    if (
      precedence === undefined ||
      precedence < minPrecedence ||
      (p.is('MINUS') && !startsContextClause(p))
    ) {
      return left;
    }
    const operator = p.next();
    p.hint('after', 'ALL', 'SELECT');
    const all = p.is('ALL');
    if (all || p.is('DISTINCT')) {
      p.next();
    }
    const operatorEnd = p.previousEnd;
    p.hint('after', 'SELECT');
    p.takePhantom();
    const right = p.nested(
      () => setOperations(p, role, precedence + 1),
      () => noArm(p),
    );
    left = {
      kind: 'set',
      start: left.start,
      end: Math.max(right.end, operatorEnd),
      operator: operator.text,
      all,
      operatorStart: operator.start,
      operatorEnd,
      left,
      right,
    };
  }
}

/** The arm that is skipped in a text that nests too deep. Not the left one again: a chain of them would double with each. */
function noArm(p: ParserState): QueryBody {
  return { kind: 'values', start: p.previousEnd, end: p.previousEnd, rows: [] };
}

function primary(p: ParserState, role: QueryRole): QueryBody {
  if (p.is('(')) {
    p.openParen();
    const depth = p.parens;
    const inner = p.rules.query(p, 'arm');
    p.parens = depth;
    p.closeParen();
    return inner;
  }
  if (p.is('VALUES') && p.peek().text === '(') {
    return values(p);
  }
  return select(p, role);
}

function values(p: ParserState): QueryBody {
  const { start } = p.next();
  const rows: Expr[] = [];
  do {
    rows.push(p.rules.expression(p));
  } while (p.accept(',') !== undefined);
  return { kind: 'values', start, end: p.previousEnd, rows };
}

function limits(p: ParserState, found: Query): void {
  const { start } = p.token;
  const count = found.limits.length;
  p.clause = 'limit';
  for (;;) {
    if (p.accept('LIMIT') !== undefined) {
      found.limits.push(p.rules.expression(p));
      p.hint('after', 'OFFSET');
      if (p.accept(',') !== undefined) {
        found.limits.push(p.rules.expression(p));
      }
    } else if (p.is('OFFSET')) {
      p.next();
      found.limits.push(p.rules.expression(p));
      if (p.is('ROWS') || p.is('ROW')) {
        p.next();
      }
      p.hint('after', 'FETCH');
    } else if (p.is('FETCH')) {
      fetch(p, found);
    } else {
      break;
    }
  }
  if (found.limits.length > count) {
    found.limitExtent = { start, end: p.previousEnd };
  }
}

function fetch(p: ParserState, found: Query): void {
  p.next();
  p.hint('after', 'FIRST', 'NEXT');
  if (p.is('FIRST') || p.is('NEXT')) {
    p.next();
  }
  if (!p.is('ROW') && !p.is('ROWS')) {
    found.limits.push(p.rules.expression(p));
  }
  p.hint('after', 'ROWS ONLY');
  if (p.is('ROW') || p.is('ROWS')) {
    p.next();
  }
  if (p.accept('WITH') !== undefined) {
    p.expect('TIES');
    return;
  }
  p.expect('ONLY');
}
