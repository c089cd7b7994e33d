import { parseDeclaredName } from './names.ts';
import { parseOrderItems } from './ordering.ts';
import type { ParserState } from './parserState.ts';
import type { CallExpr, CastExpr, Expr, Extent, SqlName, OrderItem, WindowSpec } from './tree.ts';
import { parseTypeName } from './types.ts';

const CAST_NAMES: ReadonlySet<string> = new Set(['CAST', 'TRY_CAST', 'SAFE_CAST']);
const CURRENT_TIME: ReadonlySet<string> = new Set([
  'CURRENT_DATE',
  'CURRENT_TIME',
  'CURRENT_TIMESTAMP',
  'LOCALTIME',
  'LOCALTIMESTAMP',
  'CURRENT_USER',
]);
/** Keywords that separate arguments in functions with special syntax, such as `EXTRACT(YEAR FROM x)`. */
const SEPARATORS: ReadonlyMap<string, readonly string[]> = new Map([
  ['EXTRACT', ['FROM']],
  ['TRIM', ['FROM']],
  ['SUBSTRING', ['FROM', 'FOR']],
  ['OVERLAY', ['PLACING', 'FROM', 'FOR']],
  ['CEIL', ['TO']],
  ['CEILING', ['TO']],
  ['FLOOR', ['TO']],
  ['CONVERT', ['USING']],
]);
const TRIM_SIDES: ReadonlySet<string> = new Set(['BOTH', 'LEADING', 'TRAILING']);

/** True at a function that is called without parentheses, such as `CURRENT_DATE`. */
export function isCurrentTime(p: ParserState): boolean {
  const { start, end } = p.token;
  return end - start >= 9 && CURRENT_TIME.has(p.lexed.text.slice(start, end).toUpperCase());
}

export function parseCurrentTime(p: ParserState): CallExpr {
  const name = p.toName(p.next());
  return { ...createEmptyCall([name], -1), end: name.end };
}

function createEmptyCall(path: readonly SqlName[], open: number): CallExpr {
  const name = path.at(-1) ?? { text: '', start: open, end: open, quote: '', open: false, missing: true };
  return {
    kind: 'call',
    start: path[0]?.start ?? name.start,
    end: name.end,
    name,
    qualifier: path.slice(0, -1),
    args: [],
    distinct: false,
    open,
    close: -1,
    orderBy: [],
    filter: undefined,
    over: undefined,
  };
}

/** Parses a call whose name has just been parsed and whose `(` is the current token. */
export function parseCall(p: ParserState, path: readonly SqlName[]): CallExpr | CastExpr {
  return p.nested(
    () => parseCallBody(p, path),
    () => createEmptyCall(path, -1),
  );
}

function parseCallBody(p: ParserState, path: readonly SqlName[]): CallExpr | CastExpr {
  const base = createEmptyCall(path, p.token.start);
  const upper = base.name.text.toUpperCase();
  p.openParen();
  const args: Expr[] = [];
  p.calls.push({ name: base.name, open: base.open, args });
  if (CAST_NAMES.has(upper)) {
    const cast = parseCastBody(p);
    p.calls.pop();
    p.closeParen();
    return { kind: 'cast', start: base.start, end: p.previousEnd, ...cast };
  }
  if (p.atCaret) {
    p.hint('operand', ...(path.length === 1 ? ['DISTINCT'] : []));
  }
  const distinct = p.accept('DISTINCT') !== undefined;
  if (!distinct && p.is('ALL') && p.peek().text !== ',' && p.peek().text !== ')') {
    p.next();
  }
  if (!p.is(')') || p.atCaret) {
    parseCallArguments(p, args, upper);
  }
  const orderBy = parseInnerOrder(p);
  parseSeparator(p);
  if (p.atCaret) {
    p.hint('after', ...(SEPARATORS.get(upper) ?? []));
  }
  p.calls.pop();
  const close = p.closeParen();
  return parseCallTail(p, { ...base, args, distinct, close, orderBy, end: p.previousEnd });
}

function parseCastBody(p: ParserState): { operand: Expr; type: Extent } {
  const operand = p.rules.parseExpr(p);
  p.hint('after', 'AS');
  const type = p.expect('AS') === undefined ? { start: operand.end, end: operand.end } : parseTypeName(p);
  return { operand, type };
}

function parseCallArguments(p: ParserState, args: Expr[], upper: string): void {
  if (upper === 'TRIM' && TRIM_SIDES.has(p.token.text) && p.peek().text !== ',' && p.peek().text !== ')') {
    p.next();
    if (p.accept('FROM') !== undefined) {
      args.push(p.rules.parseExpr(p));
      return;
    }
  }
  const separators = SEPARATORS.get(upper);
  for (;;) {
    if (p.is(')') && args.length === 0) {
      p.hint('operand', 'CASE', 'NOT', 'NULL', 'CAST', 'EXISTS');
      p.takePhantom();
      return;
    }
    args.push(parseArgument(p, upper, args.length));
    if (p.accept(',') !== undefined) {
      continue;
    }
    if (separators?.includes(p.token.text) === true) {
      p.next();
      continue;
    }
    if (!startsLostArgument(p)) {
      return;
    }
    p.reportMissing('missing-comma', ',');
  }
}

/** True at a second consecutive operand inside a call, before which a comma is missing. */
function startsLostArgument(p: ParserState): boolean {
  if (p.token.kind === 'string' || p.token.kind === 'number') {
    return true;
  }
  return (
    p.atName && (p.token.kind === 'name' || p.peek().text === '.' || p.peek().text === '(') && !p.is('ORDER')
  );
}

function parseArgument(p: ParserState, upper: string, index: number): Expr {
  const isUnit = upper === 'EXTRACT' && index === 0 && p.token.kind === 'word' && p.peek().text === 'FROM';
  if (isUnit) {
    const { start, end } = p.next();
    return { kind: 'word', start, end };
  }
  if (p.is('SELECT') || p.is('WITH')) {
    const { start } = p.token;
    const depth = p.parens;
    p.calls.push(undefined);
    const query = p.rules.parseQuery(p, 'expression');
    p.calls.pop();
    p.parens = depth;
    return { kind: 'subselect', start, end: p.previousEnd, query };
  }
  return p.rules.parseExpr(p);
}

/** Skips `IGNORE NULLS` or `RESPECT NULLS`: some dialects have it inside the parentheses, others after them. */
function parseNullsTreatment(p: ParserState): void {
  if ((p.is('IGNORE') || p.is('RESPECT')) && p.peek().text === 'NULLS') {
    p.next();
    p.next();
  }
}

function parseInnerOrder(p: ParserState): OrderItem[] {
  parseNullsTreatment(p);
  return p.is('ORDER') && p.peek().text === 'BY' ? parseOrderItems(p) : [];
}

/** Skips the separator in `GROUP_CONCAT(a ORDER BY b SEPARATOR ',')`. */
function parseSeparator(p: ParserState): void {
  const { start, end, kind } = p.token;
  const isSeparator = kind === 'word' && p.lexed.text.slice(start, end).toUpperCase() === 'SEPARATOR';
  if (isSeparator && p.peek().kind === 'string') {
    p.next();
    p.next();
  }
}

/** Parses `WITHIN GROUP (…)`, `FILTER (WHERE …)` and `OVER …` after the closing parenthesis of a call. */
function parseCallTail(p: ParserState, found: CallExpr): CallExpr {
  let result = found;
  if (p.is('WITHIN') && p.peek().text === 'GROUP') {
    p.next();
    p.next();
    if (p.is('(')) {
      p.openParen();
      const orderBy = p.is('ORDER') ? parseOrderItems(p) : [];
      p.closeParen();
      result = { ...result, orderBy, end: p.previousEnd };
    }
  }
  if (p.is('FILTER') && p.peek().text === '(') {
    p.next();
    p.openParen();
    p.expect('WHERE');
    const filter = p.rules.parseExpr(p);
    p.closeParen();
    result = { ...result, filter, end: p.previousEnd };
  }
  parseNullsTreatment(p);
  if (p.atCaret) {
    p.hint('after', 'OVER');
  }
  const overFollows = p.peek().text === '(' || p.peek().kind === 'word' || p.peek().kind === 'end';
  if (p.is('OVER') && overFollows && !p.isClause(1)) {
    p.next();
    const over = parseWindowSpec(p);
    result = { ...result, over, end: Math.max(over.end, p.previousEnd) };
  }
  return result;
}

/** Parses a window specification: the name of a window, or `( … )` with partition, order and frame. */
export function parseWindowSpec(p: ParserState): WindowSpec {
  const { start } = p.token;
  if (!p.is('(')) {
    p.hint('after', '(');
    const base = parseDeclaredName(p);
    return { start, end: base.end, base, partitionBy: [], orderBy: [], frame: undefined };
  }
  p.openParen();
  p.calls.push(undefined);
  p.hint('after', 'PARTITION BY', 'ORDER BY', 'ROWS', 'RANGE');
  p.takePhantom();
  const isBase = p.atName && !p.is('PARTITION') && !startsFrame(p);
  const base = isBase ? p.toName(p.next()) : undefined;
  const partitionBy: Expr[] = [];
  if (p.accept('PARTITION') !== undefined) {
    p.expect('BY');
    do {
      partitionBy.push(p.rules.parseExpr(p));
    } while (p.accept(',') !== undefined);
  }
  p.hint('after', 'ORDER BY');
  const orderBy = p.is('ORDER') ? parseOrderItems(p) : [];
  p.hint('after', 'ROWS', 'RANGE');
  const frame = startsFrame(p) ? parseFrame(p) : undefined;
  p.calls.pop();
  p.closeParen();
  return { start, end: p.previousEnd, base, partitionBy, orderBy, frame };
}

function startsFrame(p: ParserState): boolean {
  return p.is('ROWS') || p.is('RANGE') || p.is('GROUPS');
}

const BOUNDS = ['UNBOUNDED PRECEDING', 'UNBOUNDED FOLLOWING', 'CURRENT ROW'] as const;

function parseFrame(p: ParserState): Extent {
  const { start } = p.next();
  p.hint('after', 'BETWEEN', ...BOUNDS);
  if (p.accept('BETWEEN') !== undefined) {
    parseFrameBound(p);
    p.expect('AND');
  }
  parseFrameBound(p);
  if (p.accept('EXCLUDE') !== undefined) {
    while (p.token.kind === 'word' && !p.atClause) {
      p.next();
    }
  }
  return { start, end: p.previousEnd };
}

function parseFrameBound(p: ParserState): void {
  p.hint('after', ...BOUNDS);
  p.takePhantom();
  if (p.accept('CURRENT') !== undefined) {
    p.expect('ROW');
    return;
  }
  if (p.accept('UNBOUNDED') === undefined) {
    // With a precedence above AND, which belongs to the frame and not to the bound.
    p.rules.parseExpr(p, 5);
  }
  p.hint('after', 'PRECEDING', 'FOLLOWING');
  if (p.accept('PRECEDING') === undefined && p.accept('FOLLOWING') === undefined) {
    p.reportMissing('expected', 'PRECEDING');
  }
}
