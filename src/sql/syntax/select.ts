import { parseWindowSpec } from './calls.ts';
import { reportMisplacedClause } from './clauseOrder.ts';
import { KEYWORDS_AFTER_FROM, parseMoreSources, parseSources, startsJoin } from './from.ts';
import { parseGroupBy } from './groupBy.ts';
import type { Clause } from './caretHints.ts';
import { parseAlias, parseDeclaredName, isAtContextualKeyword } from './names.ts';
import type { ParserState } from './parserState.ts';
import type { Expr, FromItem, QueryRole, SelectQuery, SelectItem } from './tree.ts';

const SET_OPERATOR_KEYWORDS = ['UNION', 'UNION ALL', 'INTERSECT', 'EXCEPT'] as const;
const FINAL_KEYWORDS = ['ORDER BY', 'LIMIT', ...SET_OPERATOR_KEYWORDS] as const;
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
export function parseSelect(p: ParserState, role: QueryRole): SelectQuery {
  const cached = p.findCachedSelect(role);
  if (cached !== undefined) {
    return cached;
  }
  const startIndex = p.index;
  const select = parseSelectContent(p, role);
  p.cacheSelect(select, role, startIndex);
  return select;
}

function parseSelectContent(p: ParserState, role: QueryRole): SelectQuery {
  const select: SelectQuery = {
    kind: 'select',
    start: p.token.start,
    end: p.token.start,
    keyword: -1,
    distinct: false,
    top: undefined,
    items: [],
    fromKeyword: -1,
    from: [],
    where: undefined,
    groupBy: [],
    having: undefined,
    qualify: undefined,
    windows: [],
  };
  const outer = { clause: p.clause, joined: p.joinedItem };
  p.enclosingNodes.push(select);
  p.openCalls.push(undefined);
  p.joinedItem = undefined;
  p.clause = 'select';
  parseSelectHead(p, select);
  parseClauses(p, select, role);
  select.end = Math.max(select.start, p.previousEnd);
  p.openCalls.pop();
  p.enclosingNodes.pop();
  p.clause = outer.clause;
  p.joinedItem = outer.joined;
  return select;
}

function parseSelectHead(p: ParserState, select: SelectQuery): void {
  const keyword = p.accept('SELECT');
  if (keyword === undefined) {
    p.reportMissing('expected-select', 'SELECT');
    if (p.is('FROM')) {
      return;
    }
  } else {
    select.keyword = keyword.start;
  }
  if (p.isAtCaret) {
    p.addHint('operand', 'DISTINCT', 'TOP');
  }
  if (p.accept('DISTINCT') !== undefined) {
    select.distinct = true;
  } else if (p.is('ALL') && p.peek().text !== ',' && p.peek().text !== '.') {
    p.next();
  }
  const hasTopCount = p.peek().kind === 'number' || p.peek().text === '(';
  if (p.is('TOP') && hasTopCount) {
    p.next();
    select.top = parseTopCount(p);
    p.accept('PERCENT');
  }
  parseSelectItems(p, select);
}

/** Parses a number or a parenthesis, not a longer expression: an operator after it belongs to the first item. */
function parseTopCount(p: ParserState): Expr {
  if (p.is('(')) {
    return p.rules.parseExpr(p, 10);
  }
  const { start, end } = p.next();
  return { kind: 'literal', type: 'number', start, end };
}

function parseSelectItems(p: ParserState, select: SelectQuery): void {
  for (;;) {
    p.clause = 'select';
    select.items.push(parseSelectItem(p));
    if (p.accept(',') !== undefined) {
      continue;
    }
    if (recoverMissingFrom(p, select) || !startsItemWithoutComma(p)) {
      return;
    }
    p.reportMissing('missing-comma', ',');
  }
}

function parseSelectItem(p: ParserState): SelectItem {
  const expr = p.rules.parseExpr(p);
  // A word at the caret would become the alias, but it may also be FROM.
  if (p.isAtCaret) {
    p.addHint('keyword', 'FROM');
  }
  if (expr.kind === 'star') {
    return { expr, alias: undefined, start: expr.start, end: expr.end };
  }
  const alias = parseAlias(p, (state) => !isAtContextualKeyword(state) && state.peek().text !== '(');
  return { expr, alias, start: expr.start, end: Math.max(expr.end, p.previousEnd) };
}

/** True at a second consecutive item, before which a comma is missing. */
function startsItemWithoutComma(p: ParserState): boolean {
  if (p.token.kind === 'string' || p.token.kind === 'number' || p.is('CASE')) {
    return true;
  }
  return p.isAtName && !isAtContextualKeyword(p);
}

/**
 * Recovers from a missing FROM, as in `SELECT a Orders o JOIN …`, where the table was parsed as an alias: parses the
 * sources. Returns false if FROM is not missing.
 */
function recoverMissingFrom(p: ParserState, select: SelectQuery): boolean {
  const lastItem = select.items.at(-1);
  const table = lastItem?.alias;
  if (lastItem === undefined || table === undefined || lastItem.expr.end === table.start) {
    return false;
  }
  const hasAlias = p.isAtName && p.peek().text !== '.' && (p.isClauseAt(1) || p.peek().text === ',');
  if (p.peek(1).text === 'FROM' || (!hasAlias && !startsJoin(p))) {
    return false;
  }
  if (hasAlias && !isFollowedByJoinOrClause(p)) {
    return false;
  }
  p.reportMissing('missing-from', 'FROM');
  select.items[select.items.length - 1] = { ...lastItem, alias: undefined, end: lastItem.expr.end };
  const alias = hasAlias ? p.toName(p.next()) : undefined;
  const recoveredItem: FromItem = {
    start: table.start,
    end: alias?.end ?? table.end,
    join: undefined,
    source: { kind: 'table', path: [table], start: table.start, end: table.end },
    alias,
    columns: [],
    on: undefined,
    using: [],
  };
  select.from.push(recoveredItem);
  parseMoreSources(p, select.from);
  return true;
}

function isFollowedByJoinOrClause(p: ParserState): boolean {
  return p.isClauseAt(1) && p.peek(1).text !== 'ON';
}

/**
 * Parses the clauses in any order. A repeated or misplaced clause is reported but does not end the select, except for a
 * FROM that may belong to the outer select.
 */
function parseClauses(p: ParserState, select: SelectQuery, role: QueryRole): void {
  let lastClause: Clause = select.from.length > 0 ? 'from' : 'select';
  for (;;) {
    p.clause = lastClause;
    if (p.isAtCaret) {
      p.addHint('keyword', ...(KEYWORDS_AFTER_CLAUSE[lastClause] ?? []));
    }
    const parsedClause = parseClause(p, select, role, lastClause);
    if (parsedClause !== undefined) {
      lastClause = parsedClause;
    } else if (endsSelect(p, select, role)) {
      return;
    } else {
      p.reportUnexpected();
      p.skip();
      lastClause = resumeClause(p, select, lastClause);
    }
  }
}

function parseClause(
  p: ParserState,
  select: SelectQuery,
  role: QueryRole,
  lastClause: Clause,
): Clause | undefined {
  switch (p.token.text) {
    case 'FROM':
      return parseFromClause(p, select, role);
    case 'WHERE':
      reportMisplacedClause(p, select, 'where');
      p.clause = 'where';
      p.next();
      select.where = mergeConditions(select.where, p.rules.parseExpr(p));
      return 'where';
    case 'GROUP':
      reportMisplacedClause(p, select, 'group');
      parseGroupBy(p, select);
      return 'group';
    case 'HAVING':
      reportMisplacedClause(p, select, 'having');
      p.clause = 'having';
      p.next();
      select.having = mergeConditions(select.having, p.rules.parseExpr(p));
      return 'having';
    case 'WINDOW':
      return isAtContextualKeyword(p) ? parseWindows(p, select) : undefined;
    case 'QUALIFY':
      return isAtContextualKeyword(p) ? parseQualify(p, select) : undefined;
    case ',':
      return parseContinuedList(p, select, lastClause);
    default:
      return recoverJoin(p, select, role, lastClause);
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

function parseFromClause(p: ParserState, select: SelectQuery, role: QueryRole): Clause | undefined {
  const parent = p.enclosingNodes.findLast(
    (node): node is SelectQuery => node.kind === 'select' && node !== select,
  );
  const closesSubSelect = role === 'expression' && select.fromKeyword >= 0 && parent?.fromKeyword === -1;
  if (closesSubSelect) {
    return undefined;
  }
  reportMisplacedClause(p, select, 'from');
  p.clause = 'from';
  select.fromKeyword = p.next().start;
  parseSources(p, select.from);
  return 'from';
}

function parseWindows(p: ParserState, select: SelectQuery): Clause {
  reportMisplacedClause(p, select, 'window');
  p.next();
  do {
    const name = parseDeclaredName(p);
    p.expect('AS');
    select.windows.push({ name, spec: parseWindowSpec(p) });
  } while (p.accept(',') !== undefined);
  return 'window';
}

function parseQualify(p: ParserState, select: SelectQuery): Clause {
  reportMisplacedClause(p, select, 'qualify');
  p.clause = 'qualify';
  p.next();
  select.qualify = mergeConditions(select.qualify, p.rules.parseExpr(p));
  return 'qualify';
}

function parseContinuedList(p: ParserState, select: SelectQuery, lastClause: Clause): Clause | undefined {
  if (lastClause !== 'select' && lastClause !== 'group') {
    return undefined;
  }
  p.next();
  if (lastClause === 'select') {
    parseSelectItems(p, select);
    return select.from.length > 0 ? 'from' : 'select';
  }
  select.groupBy.push(p.rules.parseExpr(p));
  return 'group';
}

function recoverJoin(
  p: ParserState,
  select: SelectQuery,
  role: QueryRole,
  lastClause: Clause,
): Clause | undefined {
  if (!startsJoin(p) && !p.is('ON')) {
    return undefined;
  }
  if (lastClause !== 'from' && (role === 'derived' || role === 'lateral')) {
    return undefined;
  }
  if (!startsJoin(p) && select.from.length === 0) {
    return undefined;
  }
  if (lastClause !== 'from') {
    p.reportUnexpected();
  }
  if (select.from.length === 0) {
    recoverMissingFrom(p, select);
  }
  const startIndex = p.index;
  parseMoreSources(p, select.from);
  return p.index > startIndex || select.from.length > 0 ? 'from' : undefined;
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

function endsSelect(p: ParserState, select: SelectQuery, role: QueryRole): boolean {
  if (p.isAtEnd || END_TOKENS.has(p.token.text)) {
    return true;
  }
  if (p.is(')')) {
    return p.parenDepth > 0 && !isSpuriousParen(p, select, role);
  }
  if (p.is('FROM')) {
    return true;
  }
  if (isAtContextualKeyword(p)) {
    return p.is('OFFSET') || p.is('FETCH') || p.is('MINUS');
  }
  const endsAtOuterClause = role === 'derived' || role === 'lateral';
  return (p.is(',') && p.parenDepth > 0) || (endsAtOuterClause && p.isAtClause);
}

/** True at a `)` whose `(` is missing, as in `WITH a AS (SELECT COUNT x) AS n FROM T)`: it must not end the CTE. */
function isSpuriousParen(p: ParserState, select: SelectQuery, role: QueryRole): boolean {
  if (select.fromKeyword >= 0) {
    return false;
  }
  const next = p.peek();
  if (role === 'cte') {
    return next.kind === 'word' && next.text !== 'SELECT' && next.text !== 'WITH';
  }
  return (role === 'derived' || role === 'lateral') && next.text === 'FROM';
}

/** Continues the last clause after a skipped token, if the next token belongs to it. */
function resumeClause(p: ParserState, select: SelectQuery, lastClause: Clause): Clause {
  if (lastClause === 'select' && select.from.length === 0 && startsItemWithoutComma(p)) {
    parseSelectItems(p, select);
    return select.from.length > 0 ? 'from' : 'select';
  }
  if (lastClause === 'select' && p.is('AS')) {
    parseSelectItems(p, select);
    return 'select';
  }
  if (lastClause === 'from') {
    parseMoreSources(p, select.from);
  }
  const continuesCondition = (lastClause === 'where' || lastClause === 'having') && isOperator(p);
  if (continuesCondition) {
    p.next();
    const expr = p.rules.parseExpr(p);
    if (lastClause === 'where') {
      select.where = mergeConditions(select.where, expr);
    } else {
      select.having = mergeConditions(select.having, expr);
    }
  }
  return lastClause;
}

function isOperator(p: ParserState): boolean {
  return p.is('AND') || p.is('OR') || p.is('=') || p.is('<') || p.is('>') || p.is('<>');
}
