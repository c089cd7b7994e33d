import { parseWindowSpec } from './calls.ts';
import { reportMisplacedClause } from './clauseOrder.ts';
import { KEYWORDS_AFTER_FROM, parseMoreSources, parseSources, startsJoin } from './from.ts';
import { parseGroupBy } from './groupBy.ts';
import type { Clause } from './caretHints.ts';
import { recoverMissingFrom } from './missingFrom.ts';
import { parseAlias, parseDeclaredName, isAtContextualKeyword } from './names.ts';
import { parseOperand } from './operands.ts';
import type { ParserState } from './parserState.ts';
import type { Expr, QueryRole, SelectQuery, SelectItem } from './tree.ts';

const SET_OPERATOR_KEYWORDS = ['UNION', 'UNION ALL', 'INTERSECT', 'EXCEPT'] as const;
/** The keywords that can follow all other clauses of a query. */
export const FINAL_KEYWORDS = ['ORDER BY', 'LIMIT', ...SET_OPERATOR_KEYWORDS] as const;
const KEYWORDS_AFTER_CLAUSE: Readonly<Partial<Record<Clause, readonly string[]>>> = {
  select: ['FROM', ...SET_OPERATOR_KEYWORDS],
  from: [...KEYWORDS_AFTER_FROM, ...FINAL_KEYWORDS],
  where: ['GROUP BY', 'HAVING', ...FINAL_KEYWORDS],
  group: ['HAVING', ...FINAL_KEYWORDS],
  having: FINAL_KEYWORDS,
  qualify: FINAL_KEYWORDS,
  window: FINAL_KEYWORDS,
};

/** Parses a select, also if the keyword SELECT is missing. */
export function parseSelect(parser: ParserState, role: QueryRole): SelectQuery {
  const cached = parser.acceptCachedSelect(role);
  if (cached !== undefined) {
    return cached;
  }
  const startIndex = parser.index;
  const select = parseSelectContent(parser, role);
  parser.cacheSelect(select, role, startIndex);
  return select;
}

function parseSelectContent(parser: ParserState, role: QueryRole): SelectQuery {
  const select: SelectQuery = {
    kind: 'select',
    start: parser.token.start,
    end: parser.token.start,
    keywordOffset: -1,
    distinct: false,
    top: undefined,
    items: [],
    fromOffset: -1,
    from: [],
    where: undefined,
    groupBy: [],
    having: undefined,
    qualify: undefined,
    windows: [],
  };
  const outer = { clause: parser.clause, joined: parser.joinedItem };
  parser.enclosingNodes.push(select);
  parser.openCalls.push(undefined);
  parser.joinedItem = undefined;
  parser.clause = 'select';
  parseSelectHead(parser, select);
  parseClauses(parser, select, role);
  select.end = Math.max(select.start, parser.previousEnd);
  parser.openCalls.pop();
  parser.enclosingNodes.pop();
  parser.clause = outer.clause;
  parser.joinedItem = outer.joined;
  return select;
}

function parseSelectHead(parser: ParserState, select: SelectQuery): void {
  const keyword = parser.accept('SELECT');
  if (keyword === undefined) {
    parser.reportMissing('expected-select', 'SELECT');
    if (parser.is('FROM')) {
      return;
    }
  } else {
    select.keywordOffset = keyword.start;
  }
  if (parser.isAtCaret) {
    parser.addHint('operand', 'DISTINCT', 'TOP');
  }
  if (parser.accept('DISTINCT') !== undefined) {
    select.distinct = true;
  } else if (parser.is('ALL') && parser.peek().symbol !== ',' && parser.peek().symbol !== '.') {
    parser.next();
  }
  const hasTopCount = parser.peek().kind === 'number' || parser.peek().symbol === '(';
  if (parser.is('TOP') && hasTopCount) {
    parser.next();
    select.top = parseTopCount(parser);
    parser.accept('PERCENT');
  }
  parseSelectItems(parser, select);
}

/** Parses a number or a parenthesis, not a longer expression: an operator after it belongs to the first item. */
function parseTopCount(parser: ParserState): Expr {
  if (parser.is('(')) {
    return parseOperand(parser);
  }
  const { start, end } = parser.next();
  return { kind: 'literal', type: 'number', start, end };
}

function parseSelectItems(parser: ParserState, select: SelectQuery): void {
  for (;;) {
    parser.clause = 'select';
    select.items.push(parseSelectItem(parser));
    if (parser.accept(',') !== undefined) {
      continue;
    }
    if (recoverMissingFrom(parser, select) || !startsItemWithoutComma(parser)) {
      return;
    }
    parser.reportMissing('missing-comma', ',');
  }
}

function parseSelectItem(parser: ParserState): SelectItem {
  const expr = parser.rules.parseExpr(parser);
  // A word at the caret would become the alias, but it may also be FROM.
  if (parser.isAtCaret) {
    parser.addHint('keyword', 'FROM');
  }
  if (expr.kind === 'star') {
    return { expr, alias: undefined, start: expr.start, end: expr.end };
  }
  const alias = parseAlias(parser, (state) => !isAtContextualKeyword(state) && state.peek().symbol !== '(');
  return { expr, alias, start: expr.start, end: Math.max(expr.end, parser.previousEnd) };
}

/** True at a second consecutive item, before which a comma is missing. */
function startsItemWithoutComma(parser: ParserState): boolean {
  if (parser.token.kind === 'string' || parser.token.kind === 'number' || parser.is('CASE')) {
    return true;
  }
  return parser.isAtName && !isAtContextualKeyword(parser);
}

/**
 * Parses the clauses in any order. A repeated or misplaced clause is reported but does not end the select, except for a
 * FROM that may belong to the outer select.
 */
function parseClauses(parser: ParserState, select: SelectQuery, role: QueryRole): void {
  let lastClause: Clause = select.from.length > 0 ? 'from' : 'select';
  for (;;) {
    parser.clause = lastClause;
    if (parser.isAtCaret) {
      parser.addHint('keyword', ...(KEYWORDS_AFTER_CLAUSE[lastClause] ?? []));
    }
    const parsedClause = parseClause(parser, select, role, lastClause);
    if (parsedClause !== undefined) {
      lastClause = parsedClause;
    } else if (endsSelect(parser, select, role)) {
      return;
    } else {
      parser.reportUnexpected();
      parser.skip();
      lastClause = resumeClause(parser, select, lastClause);
    }
  }
}

function parseClause(
  parser: ParserState,
  select: SelectQuery,
  role: QueryRole,
  lastClause: Clause,
): Clause | undefined {
  switch (parser.token.symbol) {
    case 'FROM':
      return parseFromClause(parser, select, role);
    case 'WHERE':
      reportMisplacedClause(parser, select, 'where');
      parser.clause = 'where';
      parser.next();
      select.where = mergeConditions(select.where, parser.rules.parseExpr(parser));
      return 'where';
    case 'GROUP':
      reportMisplacedClause(parser, select, 'group');
      parseGroupBy(parser, select);
      return 'group';
    case 'HAVING':
      reportMisplacedClause(parser, select, 'having');
      parser.clause = 'having';
      parser.next();
      select.having = mergeConditions(select.having, parser.rules.parseExpr(parser));
      return 'having';
    case 'WINDOW':
      return isAtContextualKeyword(parser) ? parseWindows(parser, select) : undefined;
    case 'QUALIFY':
      return isAtContextualKeyword(parser) ? parseQualify(parser, select) : undefined;
    case ',':
      return parseContinuedList(parser, select, lastClause);
    default:
      return recoverJoin(parser, select, role, lastClause);
  }
}

/** Combines the conditions of a repeated clause with AND, so that the names of both are resolved. */
function mergeConditions(first: Expr | undefined, second: Expr): Expr {
  if (first === undefined) {
    return second;
  }
  const offset = second.start;
  return {
    kind: 'binary',
    operator: 'AND',
    operatorStart: offset,
    operatorEnd: offset,
    start: first.start,
    end: Math.max(first.end, second.end),
    left: first,
    right: second,
    escape: undefined,
  };
}

function parseFromClause(parser: ParserState, select: SelectQuery, role: QueryRole): Clause | undefined {
  const parent = parser.enclosingNodes.findLast(
    (node): node is SelectQuery => node.kind === 'select' && node !== select,
  );
  const closesSubSelect = role === 'expression' && select.fromOffset >= 0 && parent?.fromOffset === -1;
  if (closesSubSelect) {
    return undefined;
  }
  reportMisplacedClause(parser, select, 'from');
  parser.clause = 'from';
  select.fromOffset = parser.next().start;
  parseSources(parser, select.from);
  return 'from';
}

function parseWindows(parser: ParserState, select: SelectQuery): Clause {
  reportMisplacedClause(parser, select, 'window');
  parser.next();
  do {
    const name = parseDeclaredName(parser);
    parser.expect('AS');
    select.windows.push({ name, spec: parseWindowSpec(parser) });
  } while (parser.accept(',') !== undefined);
  return 'window';
}

function parseQualify(parser: ParserState, select: SelectQuery): Clause {
  reportMisplacedClause(parser, select, 'qualify');
  parser.clause = 'qualify';
  parser.next();
  select.qualify = mergeConditions(select.qualify, parser.rules.parseExpr(parser));
  return 'qualify';
}

function parseContinuedList(
  parser: ParserState,
  select: SelectQuery,
  lastClause: Clause,
): Clause | undefined {
  if (lastClause !== 'select' && lastClause !== 'group') {
    return undefined;
  }
  parser.next();
  if (lastClause === 'select') {
    parseSelectItems(parser, select);
    return select.from.length > 0 ? 'from' : 'select';
  }
  select.groupBy.push(parser.rules.parseExpr(parser));
  return 'group';
}

function recoverJoin(
  parser: ParserState,
  select: SelectQuery,
  role: QueryRole,
  lastClause: Clause,
): Clause | undefined {
  if (!startsJoin(parser) && !parser.is('ON')) {
    return undefined;
  }
  if (lastClause !== 'from' && (role === 'derived' || role === 'lateral')) {
    return undefined;
  }
  if (!startsJoin(parser) && select.from.length === 0) {
    return undefined;
  }
  if (lastClause !== 'from') {
    parser.reportUnexpected();
  }
  if (select.from.length === 0) {
    recoverMissingFrom(parser, select);
  }
  const startIndex = parser.index;
  parseMoreSources(parser, select.from);
  return parser.index > startIndex || select.from.length > 0 ? 'from' : undefined;
}

const END_TOKENS: ReadonlySet<string> = new Set([
  ';',
  'ORDER',
  'LIMIT',
  'UNION',
  'INTERSECT',
  'EXCEPT',
  'SELECT',
  'WITH',
]);

function endsSelect(parser: ParserState, select: SelectQuery, role: QueryRole): boolean {
  if (parser.isAtEnd || END_TOKENS.has(parser.token.symbol)) {
    return true;
  }
  if (parser.is(')')) {
    return parser.parenDepth > 0 && !isSpuriousParen(parser, select, role);
  }
  if (parser.is('FROM')) {
    return true;
  }
  if (isAtContextualKeyword(parser)) {
    return parser.is('OFFSET') || parser.is('FETCH') || parser.is('MINUS');
  }
  const endsAtOuterClause = role === 'derived' || role === 'lateral';
  return (parser.is(',') && parser.parenDepth > 0) || (endsAtOuterClause && parser.isAtClause);
}

/** True at a `)` whose `(` is missing, as in `WITH a AS (SELECT COUNT x) AS n FROM T)`: it must not end the CTE. */
function isSpuriousParen(parser: ParserState, select: SelectQuery, role: QueryRole): boolean {
  if (select.fromOffset >= 0) {
    return false;
  }
  const next = parser.peek();
  if (role === 'cte') {
    return next.kind === 'word' && next.symbol !== 'SELECT' && next.symbol !== 'WITH';
  }
  return (role === 'derived' || role === 'lateral') && next.symbol === 'FROM';
}

/** Continues the last clause after a skipped token, if the next token belongs to it. */
function resumeClause(parser: ParserState, select: SelectQuery, lastClause: Clause): Clause {
  if (lastClause === 'select' && select.from.length === 0 && startsItemWithoutComma(parser)) {
    parseSelectItems(parser, select);
    return select.from.length > 0 ? 'from' : 'select';
  }
  if (lastClause === 'select' && parser.is('AS')) {
    parseSelectItems(parser, select);
    return 'select';
  }
  if (lastClause === 'from') {
    parseMoreSources(parser, select.from);
  }
  const continuesCondition =
    (lastClause === 'where' || lastClause === 'having') && isAtConditionOperator(parser);
  if (continuesCondition) {
    parser.next();
    const expr = parser.rules.parseExpr(parser);
    if (lastClause === 'where') {
      select.where = mergeConditions(select.where, expr);
    } else {
      select.having = mergeConditions(select.having, expr);
    }
  }
  return lastClause;
}

/** True at a logical or comparison operator, with which a condition can go on after skipped tokens. */
function isAtConditionOperator(parser: ParserState): boolean {
  return (
    parser.is('AND') ||
    parser.is('OR') ||
    parser.is('=') ||
    parser.is('<') ||
    parser.is('>') ||
    parser.is('<>')
  );
}
