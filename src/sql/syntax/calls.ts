import { declaredName } from './names.ts';
import { orderItems } from './ordering.ts';
import type { ParserState } from './parserState.ts';
import type { Call, Cast, Expr, Extent, Name, OrderItem, WindowSpec } from './tree.ts';
import { typeName } from './types.ts';

const CAST_NAMES: ReadonlySet<string> = new Set(['CAST', 'TRY_CAST', 'SAFE_CAST']);
const CURRENT_TIME: ReadonlySet<string> = new Set([
  'CURRENT_DATE',
  'CURRENT_TIME',
  'CURRENT_TIMESTAMP',
  'LOCALTIME',
  'LOCALTIMESTAMP',
  'CURRENT_USER',
]);
/** Words that part the arguments of the functions that SQL writes as prose. */
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

/** `CURRENT_DATE` and its like: calls without parentheses. */
export function isCurrentTime(p: ParserState): boolean {
  const { start, end } = p.token;
  return end - start >= 9 && CURRENT_TIME.has(p.lexed.text.slice(start, end).toUpperCase());
}

export function currentTime(p: ParserState): Call {
  const name = p.nameOf(p.next());
  return { ...emptyCall([name], -1), end: name.end };
}

function emptyCall(path: readonly Name[], open: number): Call {
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

/** Reads a call whose name has just been read and whose `(` is the current token. */
export function call(p: ParserState, path: readonly Name[]): Call | Cast {
  return p.nested(
    () => callInside(p, path),
    () => emptyCall(path, -1),
  );
}

function callInside(p: ParserState, path: readonly Name[]): Call | Cast {
  const base = emptyCall(path, p.token.start);
  const upper = base.name.text.toUpperCase();
  p.openParen();
  const args: Expr[] = [];
  p.calls.push({ name: base.name, open: base.open, args });
  if (CAST_NAMES.has(upper)) {
    const cast = castInside(p);
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
    readArguments(p, args, upper);
  }
  const orderBy = orderInside(p);
  separatorInside(p);
  if (p.atCaret) {
    p.hint('after', ...(SEPARATORS.get(upper) ?? []));
  }
  p.calls.pop();
  const close = p.closeParen();
  return withTail(p, { ...base, args, distinct, close, orderBy, end: p.previousEnd });
}

function castInside(p: ParserState): { operand: Expr; type: Extent } {
  const operand = p.rules.expression(p);
  p.hint('after', 'AS');
  const type = p.expect('AS') === undefined ? { start: operand.end, end: operand.end } : typeName(p);
  return { operand, type };
}

function readArguments(p: ParserState, args: Expr[], upper: string): void {
  if (upper === 'TRIM' && TRIM_SIDES.has(p.token.text) && p.peek().text !== ',' && p.peek().text !== ')') {
    p.next();
    if (p.accept('FROM') !== undefined) {
      args.push(p.rules.expression(p));
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
    args.push(argument(p, upper, args.length));
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
    p.missing('missing-comma', ',');
  }
}

/** Two operands in a row inside a call: the comma between them was lost. */
function startsLostArgument(p: ParserState): boolean {
  if (p.token.kind === 'string' || p.token.kind === 'number') {
    return true;
  }
  return (
    p.atName && (p.token.kind === 'name' || p.peek().text === '.' || p.peek().text === '(') && !p.is('ORDER')
  );
}

function argument(p: ParserState, upper: string, index: number): Expr {
  const isUnit = upper === 'EXTRACT' && index === 0 && p.token.kind === 'word' && p.peek().text === 'FROM';
  if (isUnit) {
    const { start, end } = p.next();
    return { kind: 'word', start, end };
  }
  if (p.is('SELECT') || p.is('WITH')) {
    const { start } = p.token;
    const depth = p.parens;
    p.calls.push(undefined);
    const query = p.rules.query(p, 'expression');
    p.calls.pop();
    p.parens = depth;
    return { kind: 'subselect', start, end: p.previousEnd, query };
  }
  return p.rules.expression(p);
}

/** `IGNORE NULLS`: some dialects have it inside the parentheses, some behind them. */
function nullsRule(p: ParserState): void {
  if ((p.is('IGNORE') || p.is('RESPECT')) && p.peek().text === 'NULLS') {
    p.next();
    p.next();
  }
}

function orderInside(p: ParserState): OrderItem[] {
  nullsRule(p);
  return p.is('ORDER') && p.peek().text === 'BY' ? orderItems(p) : [];
}

/** `GROUP_CONCAT(a ORDER BY b SEPARATOR ',')`. */
function separatorInside(p: ParserState): void {
  const { start, end, kind } = p.token;
  const isSeparator = kind === 'word' && p.lexed.text.slice(start, end).toUpperCase() === 'SEPARATOR';
  if (isSeparator && p.peek().kind === 'string') {
    p.next();
    p.next();
  }
}

/** `WITHIN GROUP (…)`, `FILTER (WHERE …)` and `OVER …` after the closing parenthesis. */
function withTail(p: ParserState, found: Call): Call {
  let result = found;
  if (p.is('WITHIN') && p.peek().text === 'GROUP') {
    p.next();
    p.next();
    if (p.is('(')) {
      p.openParen();
      const orderBy = p.is('ORDER') ? orderItems(p) : [];
      p.closeParen();
      result = { ...result, orderBy, end: p.previousEnd };
    }
  }
  if (p.is('FILTER') && p.peek().text === '(') {
    p.next();
    p.openParen();
    p.expect('WHERE');
    const filter = p.rules.expression(p);
    p.closeParen();
    result = { ...result, filter, end: p.previousEnd };
  }
  nullsRule(p);
  if (p.atCaret) {
    p.hint('after', 'OVER');
  }
  const overFollows = p.peek().text === '(' || p.peek().kind === 'word' || p.peek().kind === 'end';
  if (p.is('OVER') && overFollows && !p.isClause(1)) {
    p.next();
    const over = windowSpec(p);
    result = { ...result, over, end: Math.max(over.end, p.previousEnd) };
  }
  return result;
}

/** A window: the name of one, or `( … )` with partition, order and frame. */
export function windowSpec(p: ParserState): WindowSpec {
  const { start } = p.token;
  if (!p.is('(')) {
    p.hint('after', '(');
    const base = declaredName(p);
    return { start, end: base.end, base, partitionBy: [], orderBy: [], frame: undefined };
  }
  p.openParen();
  p.calls.push(undefined);
  p.hint('after', 'PARTITION BY', 'ORDER BY', 'ROWS', 'RANGE');
  p.takePhantom();
  const isBase = p.atName && !p.is('PARTITION') && !startsFrame(p);
  const base = isBase ? p.nameOf(p.next()) : undefined;
  const partitionBy: Expr[] = [];
  if (p.accept('PARTITION') !== undefined) {
    p.expect('BY');
    do {
      partitionBy.push(p.rules.expression(p));
    } while (p.accept(',') !== undefined);
  }
  p.hint('after', 'ORDER BY');
  const orderBy = p.is('ORDER') ? orderItems(p) : [];
  p.hint('after', 'ROWS', 'RANGE');
  const frame = startsFrame(p) ? frameOf(p) : undefined;
  p.calls.pop();
  p.closeParen();
  return { start, end: p.previousEnd, base, partitionBy, orderBy, frame };
}

function startsFrame(p: ParserState): boolean {
  return p.is('ROWS') || p.is('RANGE') || p.is('GROUPS');
}

const BOUNDS = ['UNBOUNDED PRECEDING', 'UNBOUNDED FOLLOWING', 'CURRENT ROW'] as const;

function frameOf(p: ParserState): Extent {
  const { start } = p.next();
  p.hint('after', 'BETWEEN', ...BOUNDS);
  if (p.accept('BETWEEN') !== undefined) {
    bound(p);
    p.expect('AND');
  }
  bound(p);
  if (p.accept('EXCLUDE') !== undefined) {
    while (p.token.kind === 'word' && !p.atClause) {
      p.next();
    }
  }
  return { start, end: p.previousEnd };
}

function bound(p: ParserState): void {
  p.hint('after', ...BOUNDS);
  p.takePhantom();
  if (p.accept('CURRENT') !== undefined) {
    p.expect('ROW');
    return;
  }
  if (p.accept('UNBOUNDED') === undefined) {
    // The tight level: AND belongs to the frame, not to its bound.
    p.rules.expression(p, 5);
  }
  p.hint('after', 'PRECEDING', 'FOLLOWING');
  if (p.accept('PRECEDING') === undefined && p.accept('FOLLOWING') === undefined) {
    p.missing('expected', 'PRECEDING');
  }
}
