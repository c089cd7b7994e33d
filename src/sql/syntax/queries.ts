import { parseDeclaredName, parseNameList, isAtContextualKeyword } from './names.ts';
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
  const query: SqlQuery = {
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
    limitRange: undefined,
  };
  const { clause } = p;
  p.enclosingNodes.push(query);
  const outerCallCount = p.openCalls.length;
  p.openCalls.push(undefined);
  p.runNested(
    () => parseQueryContent(p, query, role),
    () => undefined,
  );
  p.openCalls.length = outerCallCount;
  query.end = Math.max(query.start, p.previousEnd);
  p.enclosingNodes.pop();
  p.clause = clause;
  return query;
}

function parseQueryContent(p: ParserState, query: SqlQuery, role: QueryRole): void {
  if (p.is('WITH')) {
    query.withKeyword = p.next().start;
    parseWithClause(p, query);
  }
  p.addHint('keyword', 'SELECT', ...(query.withKeyword < 0 ? ['WITH'] : []));
  p.acceptIncompleteWord();
  query.body = parseSetOperations(p, role, 1);
  p.clause = 'order';
  parseOrdering(p, query, role);
}

function parseOrdering(p: ParserState, query: SqlQuery, role: QueryRole): void {
  // If the query is a single select, ORDER BY can use its sources, so it counts as enclosing the caret here.
  const body = query.body;
  const select = body?.kind === 'select' ? body : undefined;
  if (select !== undefined) {
    p.enclosingNodes.push(select);
  }
  if (role !== 'set-operand' || p.parenDepth > 0) {
    if (p.is('ORDER')) {
      query.orderBy.push(...parseOrderItems(p));
      p.addHint('keyword', 'LIMIT', 'OFFSET');
    }
    parseLimits(p, query);
  }
  if (select !== undefined) {
    p.enclosingNodes.pop();
  }
}

function parseWithClause(p: ParserState, query: SqlQuery): void {
  p.addHint('name', 'RECURSIVE');
  query.recursive = p.is('RECURSIVE') && p.peek().text !== 'AS' && p.next().end > 0;
  do {
    if (p.is('SELECT')) {
      p.reportMissing('expected-name', '');
      return;
    }
    parseCte(p, query.ctes);
    skipToCte(p);
  } while (p.accept(',') !== undefined || startsCteWithoutComma(p));
}

function parseCte(p: ParserState, ctes: Cte[]): void {
  const { start } = p.token;
  const name = parseDeclaredName(p);
  const columns = p.is('(') && !startsQueryAt(p, 1) ? parseNameList(p, 'name') : [];
  const cte: Cte = { start, end: p.previousEnd, name, columns, query: undefined };
  ctes.push(cte);
  p.expect('AS');
  p.addHint('keyword', '(');
  if (p.is('NOT') && p.peek().text === 'MATERIALIZED') {
    p.next();
  }
  p.accept('MATERIALIZED');
  parseCteBody(p, cte);
  cte.end = Math.max(cte.start, p.previousEnd);
}

function parseCteBody(p: ParserState, cte: Cte): void {
  if (p.is('(')) {
    p.openParen();
  } else {
    p.reportMissing('expected', '(');
    if (!p.is('SELECT') && !p.is('WITH')) {
      return;
    }
    p.parenDepth++;
  }
  const parenDepth = p.parenDepth;
  cte.query = p.rules.parseQuery(p, 'cte');
  p.parenDepth = parenDepth - 1;
  p.addHint('keyword');
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
    !p.isAtEnd
  ) {
    if (startsCteWithoutComma(p)) {
      return;
    }
    if (p.is(')') && p.parenDepth > 0) {
      return;
    }
    p.reportUnexpected();
    p.skip();
  }
}

function startsCteWithoutComma(p: ParserState): boolean {
  return p.isAtName && p.peek().text === 'AS' && p.peek(2).text === '(';
}

function parseSetOperations(p: ParserState, role: QueryRole, minPrecedence: number): QueryBody {
  let left = parseSetOperand(p, role);
  for (;;) {
    const precedence = SET_OPERATORS.get(p.token.text);
    if (
      precedence === undefined ||
      precedence < minPrecedence ||
      (p.is('MINUS') && !isAtContextualKeyword(p))
    ) {
      return left;
    }
    const operator = p.next();
    p.addHint('keyword', 'ALL', 'SELECT');
    const isAll = p.is('ALL');
    if (isAll || p.is('DISTINCT')) {
      p.next();
    }
    const operatorEnd = p.previousEnd;
    p.addHint('keyword', 'SELECT');
    p.acceptIncompleteWord();
    const right = p.runNested(
      () => parseSetOperations(p, role, precedence + 1),
      () => createMissingSetOperand(p),
    );
    left = {
      kind: 'set',
      start: left.start,
      end: Math.max(right.end, operatorEnd),
      operator: operator.text,
      all: isAll,
      operatorStart: operator.start,
      operatorEnd,
      left,
      right,
    };
  }
}

/**
 * Creates an empty operand of UNION to replace one that is nested too deeply. Using the left operand again would double
 * the tree with each operator.
 */
function createMissingSetOperand(p: ParserState): QueryBody {
  return { kind: 'values', start: p.previousEnd, end: p.previousEnd, rows: [] };
}

function parseSetOperand(p: ParserState, role: QueryRole): QueryBody {
  if (p.is('(')) {
    p.openParen();
    const parenDepth = p.parenDepth;
    const inner = p.rules.parseQuery(p, 'set-operand');
    p.parenDepth = parenDepth;
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

function parseLimits(p: ParserState, query: SqlQuery): void {
  const { start } = p.token;
  const previousCount = query.limits.length;
  p.clause = 'limit';
  for (;;) {
    if (p.accept('LIMIT') !== undefined) {
      query.limits.push(p.rules.parseExpr(p));
      p.addHint('keyword', 'OFFSET');
      if (p.accept(',') !== undefined) {
        query.limits.push(p.rules.parseExpr(p));
      }
    } else if (p.is('OFFSET')) {
      p.next();
      query.limits.push(p.rules.parseExpr(p));
      if (p.is('ROWS') || p.is('ROW')) {
        p.next();
      }
      p.addHint('keyword', 'FETCH');
    } else if (p.is('FETCH')) {
      parseFetch(p, query);
    } else {
      break;
    }
  }
  if (query.limits.length > previousCount) {
    query.limitRange = { start, end: p.previousEnd };
  }
}

function parseFetch(p: ParserState, query: SqlQuery): void {
  p.next();
  p.addHint('keyword', 'FIRST', 'NEXT');
  if (p.is('FIRST') || p.is('NEXT')) {
    p.next();
  }
  if (!p.is('ROW') && !p.is('ROWS')) {
    query.limits.push(p.rules.parseExpr(p));
  }
  p.addHint('keyword', 'ROWS ONLY');
  if (p.is('ROW') || p.is('ROWS')) {
    p.next();
  }
  if (p.accept('WITH') !== undefined) {
    p.expect('TIES');
    return;
  }
  p.expect('ONLY');
}
