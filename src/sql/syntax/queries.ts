import { parseDeclaredName, parseNameList, isAtContextualKeyword } from './names.ts';
import { parseOrderItems } from './ordering.ts';
import type { ParserState } from './parserState.ts';
import { FINAL_KEYWORDS, parseSelect } from './select.ts';
import type { Cte, Expr, SqlQuery, QueryBody, QueryRole } from './tree.ts';

const SET_OPERATORS: ReadonlyMap<string, number> = new Map([
  ['UNION', 1],
  ['EXCEPT', 1],
  ['MINUS', 1],
  ['INTERSECT', 2],
]);

/** Parses a query: WITH, selects combined with set operators, ORDER BY, LIMIT. Stops before `)` or `;`. */
export function parseQuery(parser: ParserState, role: QueryRole): SqlQuery {
  const query: SqlQuery = {
    kind: 'query',
    role,
    start: parser.token.start,
    end: parser.token.start,
    withOffset: -1,
    recursive: false,
    ctes: [],
    body: undefined,
    orderBy: [],
    limits: [],
    limitRange: undefined,
  };
  const { clause } = parser;
  parser.enclosingNodes.push(query);
  const outerCallCount = parser.openCalls.length;
  parser.openCalls.push(undefined);
  parser.runNested(
    () => parseQueryContent(parser, query, role),
    () => undefined,
  );
  parser.openCalls.length = outerCallCount;
  query.end = Math.max(query.start, parser.previousEnd);
  parser.enclosingNodes.pop();
  parser.clause = clause;
  return query;
}

function parseQueryContent(parser: ParserState, query: SqlQuery, role: QueryRole): void {
  if (parser.is('WITH')) {
    query.withOffset = parser.next().start;
    parseWithClause(parser, query);
  }
  parser.addHint('keyword', 'SELECT', ...(query.withOffset < 0 ? ['WITH'] : []));
  parser.acceptIncompleteWord();
  query.body = parseSetOperations(parser, role, 1);
  parser.clause = 'order';
  parseOrdering(parser, query, role);
}

function parseOrdering(parser: ParserState, query: SqlQuery, role: QueryRole): void {
  // If the query is a single select, ORDER BY can use its sources, so it counts as enclosing the caret here.
  const body = query.body;
  const select = body?.kind === 'select' ? body : undefined;
  if (select !== undefined) {
    parser.enclosingNodes.push(select);
  }
  if (role !== 'set-operand' || parser.parenDepth > 0) {
    if (parser.is('ORDER')) {
      query.orderBy.push(...parseOrderItems(parser));
      parser.addHint('keyword', 'LIMIT', 'OFFSET');
    }
    parseLimits(parser, query);
  }
  if (select !== undefined) {
    parser.enclosingNodes.pop();
  }
}

function parseWithClause(parser: ParserState, query: SqlQuery): void {
  parser.addHint('name', 'RECURSIVE');
  query.recursive = parser.is('RECURSIVE') && parser.peek().symbol !== 'AS' && parser.next().end > 0;
  do {
    if (parser.is('SELECT')) {
      parser.reportMissing('expected-name', '');
      return;
    }
    parseCte(parser, query.ctes);
    skipToCte(parser);
  } while (parser.accept(',') !== undefined || startsCteWithoutComma(parser));
}

function parseCte(parser: ParserState, ctes: Cte[]): void {
  const { start } = parser.token;
  const name = parseDeclaredName(parser);
  const columns = parser.is('(') && !startsQueryAt(parser, 1) ? parseNameList(parser, 'name') : [];
  const cte: Cte = { start, end: parser.previousEnd, name, columns, query: undefined };
  ctes.push(cte);
  parser.expect('AS');
  parser.addHint('keyword', '(');
  if (parser.is('NOT') && parser.peek().symbol === 'MATERIALIZED') {
    parser.next();
  }
  parser.accept('MATERIALIZED');
  parseCteBody(parser, cte);
  cte.end = Math.max(cte.start, parser.previousEnd);
}

function parseCteBody(parser: ParserState, cte: Cte): void {
  if (parser.is('(')) {
    parser.openParen();
  } else {
    parser.reportMissing('expected', '(');
    if (!parser.is('SELECT') && !parser.is('WITH')) {
      return;
    }
    parser.parenDepth++;
  }
  const parenDepth = parser.parenDepth;
  cte.query = parser.rules.parseQuery(parser, 'cte');
  parser.parenDepth = parenDepth - 1;
  parser.addHint('keyword');
  if (parser.accept(')') === undefined) {
    parser.reportMissing('expected', ')');
  }
}

function startsQueryAt(parser: ParserState, distance: number): boolean {
  const { symbol } = parser.peek(distance);
  return symbol === 'SELECT' || symbol === 'WITH';
}

/** Skips unexpected tokens after a CTE, up to the next CTE or the select. */
function skipToCte(parser: ParserState): void {
  while (
    !parser.is(',') &&
    !parser.is('SELECT') &&
    !parser.is('(') &&
    !parser.is(';') &&
    !parser.is('FROM') &&
    !parser.is('VALUES') &&
    !parser.isAtEnd
  ) {
    if (startsCteWithoutComma(parser)) {
      return;
    }
    if (parser.is(')') && parser.parenDepth > 0) {
      return;
    }
    parser.reportUnexpected();
    parser.skip();
  }
}

function startsCteWithoutComma(parser: ParserState): boolean {
  return parser.isAtName && parser.peek().symbol === 'AS' && parser.peek(2).symbol === '(';
}

function parseSetOperations(parser: ParserState, role: QueryRole, minPrecedence: number): QueryBody {
  let left = parseSetOperand(parser, role);
  for (;;) {
    const precedence = SET_OPERATORS.get(parser.token.symbol);
    if (
      precedence === undefined ||
      precedence < minPrecedence ||
      (parser.is('MINUS') && !isAtContextualKeyword(parser))
    ) {
      return left;
    }
    const operator = parser.next();
    parser.addHint('keyword', 'ALL', 'SELECT');
    const isAll = parser.is('ALL');
    if (isAll || parser.is('DISTINCT')) {
      parser.next();
    }
    const operatorEnd = parser.previousEnd;
    parser.addHint('keyword', 'SELECT');
    parser.acceptIncompleteWord();
    const right = parser.runNested(
      () => parseSetOperations(parser, role, precedence + 1),
      () => createMissingSetOperand(parser),
    );
    left = {
      kind: 'set',
      start: left.start,
      end: Math.max(right.end, operatorEnd),
      operator: operator.symbol,
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
function createMissingSetOperand(parser: ParserState): QueryBody {
  return { kind: 'values', start: parser.previousEnd, end: parser.previousEnd, rows: [] };
}

function parseSetOperand(parser: ParserState, role: QueryRole): QueryBody {
  if (parser.is('(')) {
    parser.openParen();
    const parenDepth = parser.parenDepth;
    const inner = parser.rules.parseQuery(parser, 'set-operand');
    parser.parenDepth = parenDepth;
    parser.closeParen();
    parser.addHint('keyword', ...FINAL_KEYWORDS);
    return inner;
  }
  if (parser.is('VALUES') && parser.peek().symbol === '(') {
    return parseValues(parser);
  }
  return parseSelect(parser, role);
}

function parseValues(parser: ParserState): QueryBody {
  const { start } = parser.next();
  const rows: Expr[] = [];
  do {
    rows.push(parser.rules.parseExpr(parser));
  } while (parser.accept(',') !== undefined);
  return { kind: 'values', start, end: parser.previousEnd, rows };
}

function parseLimits(parser: ParserState, query: SqlQuery): void {
  const { start } = parser.token;
  const previousCount = query.limits.length;
  parser.clause = 'limit';
  for (;;) {
    if (parser.accept('LIMIT') !== undefined) {
      query.limits.push(parser.rules.parseExpr(parser));
      parser.addHint('keyword', 'OFFSET');
      if (parser.accept(',') !== undefined) {
        query.limits.push(parser.rules.parseExpr(parser));
      }
    } else if (parser.is('OFFSET')) {
      parser.next();
      query.limits.push(parser.rules.parseExpr(parser));
      if (parser.is('ROWS') || parser.is('ROW')) {
        parser.next();
      }
      parser.addHint('keyword', 'FETCH');
    } else if (parser.is('FETCH')) {
      parseFetch(parser, query);
    } else {
      break;
    }
  }
  if (query.limits.length > previousCount) {
    query.limitRange = { start, end: parser.previousEnd };
  }
}

function parseFetch(parser: ParserState, query: SqlQuery): void {
  parser.next();
  parser.addHint('keyword', 'FIRST', 'NEXT');
  if (parser.is('FIRST') || parser.is('NEXT')) {
    parser.next();
  }
  if (!parser.is('ROW') && !parser.is('ROWS')) {
    query.limits.push(parser.rules.parseExpr(parser));
  }
  parser.addHint('keyword', 'ROWS ONLY');
  if (parser.is('ROW') || parser.is('ROWS')) {
    parser.next();
  }
  if (parser.accept('WITH') !== undefined) {
    parser.expect('TIES');
    return;
  }
  parser.expect('ONLY');
}
