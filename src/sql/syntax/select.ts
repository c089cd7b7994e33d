import { windowSpec } from './calls.ts';
import { AFTER_FROM, moreSources, sources, startsJoin } from './from.ts';
import type { Clause } from './hints.ts';
import { aliasOf, declaredName, startsContextClause } from './names.ts';
import type { ParserState } from './parserState.ts';
import type { Expr, FromItem, QueryRole, Select, SelectItem } from './tree.ts';

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

/** Reads a select; its first word may be missing, then the items or FROM come first. */
export function select(p: ParserState, role: QueryRole): Select {
  const known = p.knownSelect(role);
  if (known !== undefined) {
    return known;
  }
  const from = p.index;
  const found = read(p, role);
  p.keepSelect(found, role, from);
  return found;
}

function read(p: ParserState, role: QueryRole): Select {
  const found: Select = {
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
  head(p, found);
  clauses(p, found, role);
  found.end = Math.max(found.start, p.previousEnd);
  p.calls.pop();
  p.open.pop();
  p.clause = outer.clause;
  p.joined = outer.joined;
  return found;
}

function head(p: ParserState, found: Select): void {
  const keyword = p.accept('SELECT');
  if (keyword === undefined) {
    p.missing('expected-select', 'SELECT');
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
    found.top = topCount(p);
    p.accept('PERCENT');
  }
  items(p, found);
}

/** A number or a parenthesis; a sign after it would belong to the first item. */
function topCount(p: ParserState): Expr {
  if (p.is('(')) {
    return p.rules.expression(p, 10);
  }
  const { start, end } = p.next();
  return { kind: 'literal', type: 'number', start, end };
}

function items(p: ParserState, found: Select): void {
  for (;;) {
    p.clause = 'select';
    found.items.push(item(p));
    if (p.accept(',') !== undefined) {
      continue;
    }
    if (stealsTable(p, found) || !startsLostItem(p)) {
      return;
    }
    p.missing('missing-comma', ',');
  }
}

function item(p: ParserState): SelectItem {
  const expr = p.rules.expression(p);
  // A word that follows would be read as the alias; FROM can stand here as well.
  if (p.atCaret) {
    p.hint('after', 'FROM');
  }
  if (expr.kind === 'star') {
    return { expr, alias: undefined, start: expr.start, end: expr.end };
  }
  const alias = aliasOf(p, (at) => !startsContextClause(at) && at.peek().text !== '(');
  return { expr, alias, start: expr.start, end: Math.max(expr.end, p.previousEnd) };
}

/** Two items in a row: the comma between them was lost. */
function startsLostItem(p: ParserState): boolean {
  if (p.token.kind === 'string' || p.token.kind === 'number' || p.is('CASE')) {
    return true;
  }
  return p.atName && !startsContextClause(p);
}

/**
 * `SELECT a Orders o JOIN …`: FROM was lost and the table's name read as an alias. Gives it back: the answer
 * is true when the sources have been read.
 */
function stealsTable(p: ParserState, found: Select): boolean {
  const last = found.items.at(-1);
  const table = last?.alias;
  if (last === undefined || table === undefined || last.expr.end === table.start) {
    return false;
  }
  const hasAlias = p.atName && p.peek().text !== '.' && (p.isClause(1) || p.peek().text === ',');
  if (p.peek(1).text === 'FROM' || (!hasAlias && !startsJoin(p))) {
    return false;
  }
  if (hasAlias && !laterJoinOrClause(p)) {
    return false;
  }
  p.missing('missing-from', 'FROM');
  found.items[found.items.length - 1] = { ...last, alias: undefined, end: last.expr.end };
  const alias = hasAlias ? p.nameOf(p.next()) : undefined;
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
  moreSources(p, found.from);
  return true;
}

function laterJoinOrClause(p: ParserState): boolean {
  return p.isClause(1) && p.peek(1).text !== 'ON';
}

/** Reads the clauses in whatever order they come; a repeated or misplaced one is a fault, not the end. */
function clauses(p: ParserState, found: Select, role: QueryRole): void {
  let last: Clause = found.from.length > 0 ? 'from' : 'select';
  for (;;) {
    p.clause = last;
    if (p.atCaret) {
      p.hint('after', ...(AFTER[last] ?? []));
    }
    const read = clause(p, found, role, last);
    if (read !== undefined) {
      last = read;
    } else if (endsSelect(p, found, role)) {
      return;
    } else {
      p.unexpected();
      p.skip();
      last = resume(p, found, last);
    }
  }
}

function clause(p: ParserState, found: Select, role: QueryRole, last: Clause): Clause | undefined {
  switch (p.token.text) {
    case 'FROM':
      return fromClause(p, found, role);
    case 'WHERE':
      p.clause = 'where';
      p.next();
      found.where = merged(found.where, p.rules.expression(p));
      return 'where';
    case 'GROUP':
      groupBy(p, found);
      return 'group';
    case 'HAVING':
      p.clause = 'having';
      p.next();
      found.having = merged(found.having, p.rules.expression(p));
      return 'having';
    case 'WINDOW':
      return startsContextClause(p) ? windows(p, found) : undefined;
    case 'QUALIFY':
      return startsContextClause(p) ? qualify(p, found) : undefined;
    case ',':
      return listGoesOn(p, found, last);
    default:
      return lateJoin(p, found, role, last);
  }
}

/** A second condition in broken text must not hide the names of the first. */
function merged(before: Expr | undefined, now: Expr): Expr {
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

function fromClause(p: ParserState, found: Select, role: QueryRole): Clause | undefined {
  const parent = p.open.findLast((node): node is Select => node.kind === 'select' && node !== found);
  const closesSubSelect = role === 'expression' && found.fromKeyword >= 0 && parent?.fromKeyword === -1;
  if (closesSubSelect) {
    return undefined;
  }
  if (found.fromKeyword >= 0) {
    p.unexpected();
  }
  p.clause = 'from';
  found.fromKeyword = p.next().start;
  sources(p, found.from);
  return 'from';
}

function groupBy(p: ParserState, found: Select): void {
  p.clause = 'group';
  p.next();
  p.expect('BY');
  do {
    found.groupBy.push(groupItem(p));
  } while (p.accept(',') !== undefined);
  if (p.is('WITH') && (p.peek().text === 'ROLLUP' || p.peek().text === 'CUBE')) {
    p.next();
    p.next();
  }
}

function groupItem(p: ParserState): Expr {
  if (p.is('GROUPING') && p.peek().text === 'SETS') {
    p.next();
    p.next();
  }
  return p.rules.expression(p);
}

function windows(p: ParserState, found: Select): Clause {
  p.next();
  do {
    const name = declaredName(p);
    p.expect('AS');
    found.windows.push({ name, spec: windowSpec(p) });
  } while (p.accept(',') !== undefined);
  return 'window';
}

function qualify(p: ParserState, found: Select): Clause {
  p.clause = 'qualify';
  p.next();
  found.qualify = p.rules.expression(p);
  return 'qualify';
}

function listGoesOn(p: ParserState, found: Select, last: Clause): Clause | undefined {
  if (last !== 'select' && last !== 'group') {
    return undefined;
  }
  p.next();
  if (last === 'select') {
    items(p, found);
    return found.from.length > 0 ? 'from' : 'select';
  }
  found.groupBy.push(p.rules.expression(p));
  return 'group';
}

function lateJoin(p: ParserState, found: Select, role: QueryRole, last: Clause): Clause | undefined {
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
    p.unexpected();
  }
  if (found.from.length === 0) {
    stealsTable(p, found);
  }
  const before = p.index;
  moreSources(p, found.from);
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

function endsSelect(p: ParserState, found: Select, role: QueryRole): boolean {
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

/** `WITH a AS (SELECT COUNT x) AS n FROM T)`: a `)` whose `(` was lost must not end the CTE. */
function isSpuriousParen(p: ParserState, found: Select, role: QueryRole): boolean {
  if (found.fromKeyword >= 0) {
    return false;
  }
  const next = p.peek();
  if (role === 'cte') {
    return next.kind === 'word' && next.text !== 'SELECT' && next.text !== 'WITH';
  }
  return (role === 'derived' || role === 'lateral') && next.text === 'FROM';
}

/** After a skipped token: go on with the clause it broke, if that is what follows. */
function resume(p: ParserState, found: Select, last: Clause): Clause {
  if (last === 'select' && found.from.length === 0 && startsLostItem(p)) {
    items(p, found);
    return found.from.length > 0 ? 'from' : 'select';
  }
  if (last === 'select' && p.is('AS')) {
    items(p, found);
    return 'select';
  }
  if (last === 'from') {
    moreSources(p, found.from);
  }
  const goesOn = (last === 'where' || last === 'having') && isOperator(p);
  if (goesOn) {
    p.next();
    const expr = p.rules.expression(p);
    if (last === 'where') {
      found.where = merged(found.where, expr);
    } else {
      found.having = merged(found.having, expr);
    }
  }
  return last;
}

function isOperator(p: ParserState): boolean {
  return p.is('AND') || p.is('OR') || p.is('=') || p.is('<') || p.is('>') || p.is('<>');
}
