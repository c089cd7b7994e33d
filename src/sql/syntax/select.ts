import { parseWindowSpec } from './calls.ts';
import { AFTER_FROM, parseMoreSources, parseSources, startsJoin } from './from.ts';
import type { Clause } from './hints.ts';
import { parseAlias, parseDeclaredName, startsContextClause } from './names.ts';
import type { ParserState } from './parserState.ts';
import type { Expr, FromItem, QueryRole, SelectQuery, SelectItem } from './tree.ts';

const SET_WORDS = ['UNION', 'UNION ALL', 'INTERSECT', 'EXCEPT'] as const;
const LAST_WORDS = ['ORDER BY', 'LIMIT', ...SET_WORDS] as const;
const AFTER: Readonly<Partial<Record<Clause, readonly string[]>>> = {
  select: ['FROM', ...SET_WORDS],
  from: [...AFTER_FROM, ...LAST_WORDS],
  where: ['GROUP BY', 'HAVING', ...LAST_WORDS],
  group: ['HAVING', ...LAST_WORDS],
  having: LAST_WORDS,
  qualify: LAST_WORDS,
  window: LAST_WORDS,
};

/** Parses a select, also if the keyword SELECT is missing. */
export function parseSelect(p: ParserState, role: QueryRole): SelectQuery {
  const known = p.findCachedSelect(role);
  if (known !== undefined) {
    return known;
  }
  const from = p.index;
  const found = parseSelectContent(p, role);
  p.cacheSelect(found, role, from);
  return found;
}

function parseSelectContent(p: ParserState, role: QueryRole): SelectQuery {
  const found: SelectQuery = {
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
  const outer = { clause: p.clause, joined: p.joined };
  p.open.push(found);
  p.calls.push(undefined);
  p.joined = undefined;
  p.clause = 'select';
  parseSelectHead(p, found);
  parseClauses(p, found, role);
  found.end = Math.max(found.start, p.previousEnd);
  p.calls.pop();
  p.open.pop();
  p.clause = outer.clause;
  p.joined = outer.joined;
  return found;
}

function parseSelectHead(p: ParserState, found: SelectQuery): void {
  const keyword = p.accept('SELECT');
  if (keyword === undefined) {
    p.reportMissing('expected-select', 'SELECT');
    if (p.is('FROM')) {
      return;
    }
  } else {
    found.keyword = keyword.start;
  }
  if (p.atCaret) {
    p.hint('operand', 'DISTINCT', 'TOP');
  }
  if (p.accept('DISTINCT') !== undefined) {
    found.distinct = true;
  } else if (p.is('ALL') && p.peek().text !== ',' && p.peek().text !== '.') {
    p.next();
  }
  const topFollows = p.peek().kind === 'number' || p.peek().text === '(';
  if (p.is('TOP') && topFollows) {
    p.next();
    found.top = parseTopCount(p);
    p.accept('PERCENT');
  }
  parseSelectItems(p, found);
}

/** Parses a number or a parenthesis, not a longer expression: an operator after it belongs to the first item. */
function parseTopCount(p: ParserState): Expr {
  if (p.is('(')) {
    return p.rules.parseExpr(p, 10);
  }
  const { start, end } = p.next();
  return { kind: 'literal', type: 'number', start, end };
}

function parseSelectItems(p: ParserState, found: SelectQuery): void {
  for (;;) {
    p.clause = 'select';
    found.items.push(parseSelectItem(p));
    if (p.accept(',') !== undefined) {
      continue;
    }
    if (recoverSwallowedTable(p, found) || !startsLostItem(p)) {
      return;
    }
    p.reportMissing('missing-comma', ',');
  }
}

function parseSelectItem(p: ParserState): SelectItem {
  const expr = p.rules.parseExpr(p);
  // A word at the caret would become the alias, but it may also be FROM.
  if (p.atCaret) {
    p.hint('after', 'FROM');
  }
  if (expr.kind === 'star') {
    return { expr, alias: undefined, start: expr.start, end: expr.end };
  }
  const alias = parseAlias(p, (at) => !startsContextClause(at) && at.peek().text !== '(');
  return { expr, alias, start: expr.start, end: Math.max(expr.end, p.previousEnd) };
}

/** True at a second consecutive item, before which a comma is missing. */
function startsLostItem(p: ParserState): boolean {
  if (p.token.kind === 'string' || p.token.kind === 'number' || p.is('CASE')) {
    return true;
  }
  return p.atName && !startsContextClause(p);
}

/**
 * Recovers from a missing FROM, as in `SELECT a Orders o JOIN …`, where the table was parsed as an alias: parses the
 * sources. Returns false if FROM is not missing.
 */
function recoverSwallowedTable(p: ParserState, found: SelectQuery): boolean {
  const last = found.items.at(-1);
  const table = last?.alias;
  if (last === undefined || table === undefined || last.expr.end === table.start) {
    return false;
  }
  const hasAlias = p.atName && p.peek().text !== '.' && (p.isClause(1) || p.peek().text === ',');
  if (p.peek(1).text === 'FROM' || (!hasAlias && !startsJoin(p))) {
    return false;
  }
  if (hasAlias && !isFollowedByJoinOrClause(p)) {
    return false;
  }
  p.reportMissing('missing-from', 'FROM');
  found.items[found.items.length - 1] = { ...last, alias: undefined, end: last.expr.end };
  const alias = hasAlias ? p.toName(p.next()) : undefined;
  const stolen: FromItem = {
    start: table.start,
    end: alias?.end ?? table.end,
    join: undefined,
    source: { kind: 'table', path: [table], start: table.start, end: table.end },
    alias,
    columns: [],
    on: undefined,
    using: [],
  };
  found.from.push(stolen);
  parseMoreSources(p, found.from);
  return true;
}

function isFollowedByJoinOrClause(p: ParserState): boolean {
  return p.isClause(1) && p.peek(1).text !== 'ON';
}

/** Parses the clauses in any order. A repeated or misplaced clause is reported but does not end the select. */
function parseClauses(p: ParserState, found: SelectQuery, role: QueryRole): void {
  let last: Clause = found.from.length > 0 ? 'from' : 'select';
  for (;;) {
    p.clause = last;
    if (p.atCaret) {
      p.hint('after', ...(AFTER[last] ?? []));
    }
    const read = parseClause(p, found, role, last);
    if (read !== undefined) {
      last = read;
    } else if (endsSelect(p, found, role)) {
      return;
    } else {
      p.reportUnexpected();
      p.skip();
      last = resumeClause(p, found, last);
    }
  }
}

function parseClause(p: ParserState, found: SelectQuery, role: QueryRole, last: Clause): Clause | undefined {
  switch (p.token.text) {
    case 'FROM':
      return parseFromClause(p, found, role);
    case 'WHERE':
      p.clause = 'where';
      p.next();
      found.where = mergeConditions(found.where, p.rules.parseExpr(p));
      return 'where';
    case 'GROUP':
      parseGroupBy(p, found);
      return 'group';
    case 'HAVING':
      p.clause = 'having';
      p.next();
      found.having = mergeConditions(found.having, p.rules.parseExpr(p));
      return 'having';
    case 'WINDOW':
      return startsContextClause(p) ? parseWindows(p, found) : undefined;
    case 'QUALIFY':
      return startsContextClause(p) ? parseQualify(p, found) : undefined;
    case ',':
      return parseContinuedList(p, found, last);
    default:
      return recoverJoin(p, found, role, last);
  }
}

/** Combines the conditions of a repeated clause with AND, so that the names of both are resolved. */
function mergeConditions(before: Expr | undefined, now: Expr): Expr {
  if (before === undefined) {
    return now;
  }
  const at = now.start;
  return {
    kind: 'binary',
    operator: 'AND',
    operatorStart: at,
    operatorEnd: at,
    start: before.start,
    end: Math.max(before.end, now.end),
    left: before,
    right: now,
    escape: undefined,
  };
}

function parseFromClause(p: ParserState, found: SelectQuery, role: QueryRole): Clause | undefined {
  const parent = p.open.findLast((node): node is SelectQuery => node.kind === 'select' && node !== found);
  const closesSubSelect = role === 'expression' && found.fromKeyword >= 0 && parent?.fromKeyword === -1;
  if (closesSubSelect) {
    return undefined;
  }
  if (found.fromKeyword >= 0) {
    p.reportUnexpected();
  }
  p.clause = 'from';
  found.fromKeyword = p.next().start;
  parseSources(p, found.from);
  return 'from';
}

function parseGroupBy(p: ParserState, found: SelectQuery): void {
  p.clause = 'group';
  p.next();
  p.expect('BY');
  do {
    found.groupBy.push(parseGroupItem(p));
  } while (p.accept(',') !== undefined);
  if (p.is('WITH') && (p.peek().text === 'ROLLUP' || p.peek().text === 'CUBE')) {
    p.next();
    p.next();
  }
}

function parseGroupItem(p: ParserState): Expr {
  if (p.is('GROUPING') && p.peek().text === 'SETS') {
    p.next();
    p.next();
  }
  return p.rules.parseExpr(p);
}

function parseWindows(p: ParserState, found: SelectQuery): Clause {
  p.next();
  do {
    const name = parseDeclaredName(p);
    p.expect('AS');
    found.windows.push({ name, spec: parseWindowSpec(p) });
  } while (p.accept(',') !== undefined);
  return 'window';
}

function parseQualify(p: ParserState, found: SelectQuery): Clause {
  p.clause = 'qualify';
  p.next();
  found.qualify = p.rules.parseExpr(p);
  return 'qualify';
}

function parseContinuedList(p: ParserState, found: SelectQuery, last: Clause): Clause | undefined {
  if (last !== 'select' && last !== 'group') {
    return undefined;
  }
  p.next();
  if (last === 'select') {
    parseSelectItems(p, found);
    return found.from.length > 0 ? 'from' : 'select';
  }
  found.groupBy.push(p.rules.parseExpr(p));
  return 'group';
}

function recoverJoin(p: ParserState, found: SelectQuery, role: QueryRole, last: Clause): Clause | undefined {
  if (!startsJoin(p) && !p.is('ON')) {
    return undefined;
  }
  if (last !== 'from' && (role === 'derived' || role === 'lateral')) {
    return undefined;
  }
  if (!startsJoin(p) && found.from.length === 0) {
    return undefined;
  }
  if (last !== 'from') {
    p.reportUnexpected();
  }
  if (found.from.length === 0) {
    recoverSwallowedTable(p, found);
  }
  const before = p.index;
  parseMoreSources(p, found.from);
  return p.index > before || found.from.length > 0 ? 'from' : undefined;
}

const ENDS: ReadonlySet<string> = new Set([
  ';',
  'ORDER',
  'LIMIT',
  'UNION',
  'INTERSECT',
  'EXCEPT',
  'SELECT',
  'WITH',
]);

function endsSelect(p: ParserState, found: SelectQuery, role: QueryRole): boolean {
  if (p.atEnd || ENDS.has(p.token.text)) {
    return true;
  }
  if (p.is(')')) {
    return p.parens > 0 && !isSpuriousParen(p, found, role);
  }
  if (p.is('FROM')) {
    return true;
  }
  if (startsContextClause(p)) {
    return p.is('OFFSET') || p.is('FETCH') || p.is('MINUS');
  }
  const isOuterPart = role === 'derived' || role === 'lateral';
  return (p.is(',') && p.parens > 0) || (isOuterPart && p.atClause);
}

/** True at a `)` whose `(` is missing, as in `WITH a AS (SELECT COUNT x) AS n FROM T)`: it must not end the CTE. */
function isSpuriousParen(p: ParserState, found: SelectQuery, role: QueryRole): boolean {
  if (found.fromKeyword >= 0) {
    return false;
  }
  const next = p.peek();
  if (role === 'cte') {
    return next.kind === 'word' && next.text !== 'SELECT' && next.text !== 'WITH';
  }
  return (role === 'derived' || role === 'lateral') && next.text === 'FROM';
}

/** Continues the last clause after a skipped token, if the next token belongs to it. */
function resumeClause(p: ParserState, found: SelectQuery, last: Clause): Clause {
  if (last === 'select' && found.from.length === 0 && startsLostItem(p)) {
    parseSelectItems(p, found);
    return found.from.length > 0 ? 'from' : 'select';
  }
  if (last === 'select' && p.is('AS')) {
    parseSelectItems(p, found);
    return 'select';
  }
  if (last === 'from') {
    parseMoreSources(p, found.from);
  }
  const goesOn = (last === 'where' || last === 'having') && isOperator(p);
  if (goesOn) {
    p.next();
    const expr = p.rules.parseExpr(p);
    if (last === 'where') {
      found.where = mergeConditions(found.where, expr);
    } else {
      found.having = mergeConditions(found.having, expr);
    }
  }
  return last;
}

function isOperator(p: ParserState): boolean {
  return p.is('AND') || p.is('OR') || p.is('=') || p.is('<') || p.is('>') || p.is('<>');
}
