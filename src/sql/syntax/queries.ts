import { parseDeclaredName, parseNameList, startsContextClause } from './names.ts';
import { parseOrderItems } from './ordering.ts';
import type { ParserState } from './parserState.ts';
import { parseSelect } from './select.ts';
import type { Cte, Expr, SqlQuery, QueryBody, QueryRole } from './tree.ts';

const SET_OPERATORS: ReadonlyMap<string, number> = new Map([
  ['UNION', 1],
  ['EXCEPT', 1],
  ['MINUS', 1],
  ['INTERSECT', 2],
]);

/** Parses a query: WITH, selects combined with set operators, ORDER BY, LIMIT. Stops before `)` or `;`. */
export function parseQuery(p: ParserState, role: QueryRole): SqlQuery {
  const found: SqlQuery = {
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
    () => parseQueryContent(p, found, role),
    () => undefined,
  );
  p.calls.length = opensOwnCalls;
  found.end = Math.max(found.start, p.previousEnd);
  p.open.pop();
  p.clause = clause;
  return found;
}

function parseQueryContent(p: ParserState, found: SqlQuery, role: QueryRole): void {
  if (p.is('WITH')) {
    found.withKeyword = p.next().start;
    parseWithClause(p, found);
  }
  p.hint('after', 'SELECT', ...(found.withKeyword < 0 ? ['WITH'] : []));
  p.takePhantom();
  found.body = parseSetOperations(p, role, 1);
  p.clause = 'order';
  parseOrdering(p, found, role);
}

function parseOrdering(p: ParserState, found: SqlQuery, role: QueryRole): void {
  // If the query is a single select, ORDER BY can use its sources, so it counts as enclosing the caret here.
  const body = found.body;
  const single = body?.kind === 'select' ? body : undefined;
  if (single !== undefined) {
    p.open.push(single);
  }
  if (role !== 'arm' || p.parens > 0) {
    if (p.is('ORDER')) {
      found.orderBy.push(...parseOrderItems(p));
      p.hint('after', 'LIMIT', 'OFFSET');
    }
    parseLimits(p, found);
  }
  if (single !== undefined) {
    p.open.pop();
  }
}

function parseWithClause(p: ParserState, found: SqlQuery): void {
  p.hint('name', 'RECURSIVE');
  found.recursive = p.is('RECURSIVE') && p.peek().text !== 'AS' && p.next().end > 0;
  do {
    if (p.is('SELECT')) {
      p.reportMissing('expected-name', '');
      return;
    }
    parseCte(p, found.ctes);
    skipToCte(p);
  } while (p.accept(',') !== undefined || startsLostCte(p));
}

function parseCte(p: ParserState, ctes: Cte[]): void {
  const { start } = p.token;
  const name = parseDeclaredName(p);
  const columns = p.is('(') && !startsQueryAt(p, 1) ? parseNameList(p, 'name') : [];
  const found: Cte = { start, end: p.previousEnd, name, columns, query: undefined };
  ctes.push(found);
  p.expect('AS');
  p.hint('after', '(');
  if (p.is('NOT') && p.peek().text === 'MATERIALIZED') {
    p.next();
  }
  p.accept('MATERIALIZED');
  parseCteBody(p, found);
  found.end = Math.max(found.start, p.previousEnd);
}

function parseCteBody(p: ParserState, found: Cte): void {
  if (p.is('(')) {
    p.openParen();
  } else {
    p.reportMissing('expected', '(');
    if (!p.is('SELECT') && !p.is('WITH')) {
      return;
    }
    p.parens++;
  }
  const depth = p.parens;
  found.query = p.rules.parseQuery(p, 'cte');
  p.parens = depth - 1;
  p.hint('after');
  if (p.accept(')') === undefined) {
    p.reportMissing('expected', ')');
  }
}

function startsQueryAt(p: ParserState, distance: number): boolean {
  const { text } = p.peek(distance);
  return text === 'SELECT' || text === 'WITH';
}

/** Skips unexpected tokens after a CTE, up to the next CTE or the select. */
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
    p.reportUnexpected();
    p.skip();
  }
}

function startsLostCte(p: ParserState): boolean {
  return p.atName && p.peek().text === 'AS' && p.peek(2).text === '(';
}

function parseSetOperations(p: ParserState, role: QueryRole, minPrecedence: number): QueryBody {
  let left = parsePrimary(p, role);
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
      () => parseSetOperations(p, role, precedence + 1),
      () => createMissingArm(p),
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

/**
 * Creates an empty arm to replace one that is nested too deeply. Using the left arm again would double the tree with
 * each operator.
 */
function createMissingArm(p: ParserState): QueryBody {
  return { kind: 'values', start: p.previousEnd, end: p.previousEnd, rows: [] };
}

function parsePrimary(p: ParserState, role: QueryRole): QueryBody {
  if (p.is('(')) {
    p.openParen();
    const depth = p.parens;
    const inner = p.rules.parseQuery(p, 'arm');
    p.parens = depth;
    p.closeParen();
    return inner;
  }
  if (p.is('VALUES') && p.peek().text === '(') {
    return parseValues(p);
  }
  return parseSelect(p, role);
}

function parseValues(p: ParserState): QueryBody {
  const { start } = p.next();
  const rows: Expr[] = [];
  do {
    rows.push(p.rules.parseExpr(p));
  } while (p.accept(',') !== undefined);
  return { kind: 'values', start, end: p.previousEnd, rows };
}

function parseLimits(p: ParserState, found: SqlQuery): void {
  const { start } = p.token;
  const count = found.limits.length;
  p.clause = 'limit';
  for (;;) {
    if (p.accept('LIMIT') !== undefined) {
      found.limits.push(p.rules.parseExpr(p));
      p.hint('after', 'OFFSET');
      if (p.accept(',') !== undefined) {
        found.limits.push(p.rules.parseExpr(p));
      }
    } else if (p.is('OFFSET')) {
      p.next();
      found.limits.push(p.rules.parseExpr(p));
      if (p.is('ROWS') || p.is('ROW')) {
        p.next();
      }
      p.hint('after', 'FETCH');
    } else if (p.is('FETCH')) {
      parseFetch(p, found);
    } else {
      break;
    }
  }
  if (found.limits.length > count) {
    found.limitExtent = { start, end: p.previousEnd };
  }
}

function parseFetch(p: ParserState, found: SqlQuery): void {
  p.next();
  p.hint('after', 'FIRST', 'NEXT');
  if (p.is('FIRST') || p.is('NEXT')) {
    p.next();
  }
  if (!p.is('ROW') && !p.is('ROWS')) {
    found.limits.push(p.rules.parseExpr(p));
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
