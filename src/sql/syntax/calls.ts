import { parseDeclaredName } from './names.ts';
import { parseOrderItems } from './ordering.ts';
import type { ParserState } from './parserState.ts';
import type { CallExpr, CastExpr, Expr, TextRange, SqlName, OrderItem, WindowSpec } from './tree.ts';
import { parseTypeName } from './typeName.ts';

const CAST_NAMES: ReadonlySet<string> = new Set(['CAST', 'TRY_CAST', 'SAFE_CAST']);
const KEYWORD_FUNCTIONS: ReadonlySet<string> = new Set([
  'CURRENT_DATE',
  'CURRENT_TIME',
  'CURRENT_TIMESTAMP',
  'LOCALTIME',
  'LOCALTIMESTAMP',
  'CURRENT_USER',
]);
/** Keywords that separate arguments in functions with special syntax, such as `EXTRACT(YEAR FROM x)`. */
const ARGUMENT_SEPARATORS: ReadonlyMap<string, readonly string[]> = new Map([
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
export function isKeywordFunction(p: ParserState): boolean {
  const { start, end } = p.token;
  return end - start >= 9 && KEYWORD_FUNCTIONS.has(p.lexed.text.slice(start, end).toUpperCase());
}

export function parseKeywordFunction(p: ParserState): CallExpr {
  const name = p.toName(p.next());
  return { ...createEmptyCall([name], -1), end: name.end };
}

function createEmptyCall(path: readonly SqlName[], openParenOffset: number): CallExpr {
  const name = path.at(-1) ?? {
    text: '',
    start: openParenOffset,
    end: openParenOffset,
    quote: '',
    unclosed: false,
    missing: true,
  };
  return {
    kind: 'call',
    start: path[0]?.start ?? name.start,
    end: name.end,
    name,
    qualifier: path.slice(0, -1),
    args: [],
    distinct: false,
    openParenOffset,
    closeParenOffset: -1,
    orderBy: [],
    filter: undefined,
    over: undefined,
  };
}

/** Parses a call whose name has just been parsed and whose `(` is the current token. */
export function parseCall(p: ParserState, path: readonly SqlName[]): CallExpr | CastExpr {
  return p.runNested(
    () => parseCallBody(p, path),
    () => createEmptyCall(path, -1),
  );
}

function parseCallBody(p: ParserState, path: readonly SqlName[]): CallExpr | CastExpr {
  const call = createEmptyCall(path, p.token.start);
  const upperName = call.name.text.toUpperCase();
  p.openParen();
  const args: Expr[] = [];
  p.openCalls.push({ name: call.name, openParenOffset: call.openParenOffset, args });
  if (CAST_NAMES.has(upperName)) {
    const cast = parseCastBody(p);
    p.openCalls.pop();
    p.closeParen();
    return { kind: 'cast', start: call.start, end: p.previousEnd, ...cast };
  }
  if (p.isAtCaret) {
    p.addHint('operand', ...(path.length === 1 ? ['DISTINCT'] : []));
  }
  const isDistinct = p.accept('DISTINCT') !== undefined;
  if (!isDistinct && p.is('ALL') && p.peek().text !== ',' && p.peek().text !== ')') {
    p.next();
  }
  if (!p.is(')') || p.isAtCaret) {
    parseCallArguments(p, args, upperName);
  }
  const orderBy = parseArgumentOrder(p);
  parseSeparator(p);
  if (p.isAtCaret) {
    p.addHint('keyword', ...(ARGUMENT_SEPARATORS.get(upperName) ?? []));
  }
  p.openCalls.pop();
  const closeParenOffset = p.closeParen();
  return parseCallTail(p, {
    ...call,
    args,
    distinct: isDistinct,
    closeParenOffset,
    orderBy,
    end: p.previousEnd,
  });
}

function parseCastBody(p: ParserState): { operand: Expr; type: TextRange } {
  const operand = p.rules.parseExpr(p);
  p.addHint('keyword', 'AS');
  const type = p.expect('AS') === undefined ? { start: operand.end, end: operand.end } : parseTypeName(p);
  return { operand, type };
}

function parseCallArguments(p: ParserState, args: Expr[], upperName: string): void {
  if (
    upperName === 'TRIM' &&
    TRIM_SIDES.has(p.token.text) &&
    p.peek().text !== ',' &&
    p.peek().text !== ')'
  ) {
    p.next();
    if (p.accept('FROM') !== undefined) {
      args.push(p.rules.parseExpr(p));
      return;
    }
  }
  const separators = ARGUMENT_SEPARATORS.get(upperName);
  for (;;) {
    if (p.is(')') && args.length === 0) {
      p.addHint('operand', 'CASE', 'NOT', 'NULL', 'CAST', 'EXISTS');
      p.acceptIncompleteWord();
      return;
    }
    args.push(parseArgument(p, upperName, args.length));
    if (p.accept(',') !== undefined) {
      continue;
    }
    if (separators?.includes(p.token.text) === true) {
      p.next();
      continue;
    }
    if (!startsArgumentWithoutComma(p)) {
      return;
    }
    p.reportMissing('missing-comma', ',');
  }
}

/** True at a second consecutive operand inside a call, before which a comma is missing. */
function startsArgumentWithoutComma(p: ParserState): boolean {
  if (p.token.kind === 'string' || p.token.kind === 'number') {
    return true;
  }
  return (
    p.isAtName &&
    (p.token.kind === 'name' || p.peek().text === '.' || p.peek().text === '(') &&
    !p.is('ORDER')
  );
}

function parseArgument(p: ParserState, upperName: string, index: number): Expr {
  const isUnit =
    upperName === 'EXTRACT' && index === 0 && p.token.kind === 'word' && p.peek().text === 'FROM';
  if (isUnit) {
    const { start, end } = p.next();
    return { kind: 'word', start, end };
  }
  if (p.is('SELECT') || p.is('WITH')) {
    const { start } = p.token;
    const parenDepth = p.parenDepth;
    p.openCalls.push(undefined);
    const query = p.rules.parseQuery(p, 'expression');
    p.openCalls.pop();
    p.parenDepth = parenDepth;
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

function parseArgumentOrder(p: ParserState): OrderItem[] {
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
function parseCallTail(p: ParserState, call: CallExpr): CallExpr {
  let result = call;
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
  if (p.isAtCaret) {
    p.addHint('keyword', 'OVER');
  }
  const canWindowSpecFollow = p.peek().text === '(' || p.peek().kind === 'word' || p.peek().kind === 'end';
  if (p.is('OVER') && canWindowSpecFollow && !p.isClauseAt(1)) {
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
    p.addHint('keyword', '(');
    const base = parseDeclaredName(p);
    return { start, end: base.end, base, partitionBy: [], orderBy: [], frame: undefined };
  }
  p.openParen();
  p.openCalls.push(undefined);
  p.addHint('keyword', 'PARTITION BY', 'ORDER BY', 'ROWS', 'RANGE');
  p.acceptIncompleteWord();
  const hasBaseWindow = p.isAtName && !p.is('PARTITION') && !startsFrame(p);
  const base = hasBaseWindow ? p.toName(p.next()) : undefined;
  const partitionBy: Expr[] = [];
  if (p.accept('PARTITION') !== undefined) {
    p.expect('BY');
    do {
      partitionBy.push(p.rules.parseExpr(p));
    } while (p.accept(',') !== undefined);
  }
  p.addHint('keyword', 'ORDER BY');
  const orderBy = p.is('ORDER') ? parseOrderItems(p) : [];
  p.addHint('keyword', 'ROWS', 'RANGE');
  const frame = startsFrame(p) ? parseFrame(p) : undefined;
  p.openCalls.pop();
  p.closeParen();
  return { start, end: p.previousEnd, base, partitionBy, orderBy, frame };
}

function startsFrame(p: ParserState): boolean {
  return p.is('ROWS') || p.is('RANGE') || p.is('GROUPS');
}

const FRAME_BOUNDS = ['UNBOUNDED PRECEDING', 'UNBOUNDED FOLLOWING', 'CURRENT ROW'] as const;

function parseFrame(p: ParserState): TextRange {
  const { start } = p.next();
  p.addHint('keyword', 'BETWEEN', ...FRAME_BOUNDS);
  if (p.accept('BETWEEN') !== undefined) {
    parseFrameBound(p);
    p.expect('AND');
  }
  parseFrameBound(p);
  if (p.accept('EXCLUDE') !== undefined) {
    while (p.token.kind === 'word' && !p.isAtClause) {
      p.next();
    }
  }
  return { start, end: p.previousEnd };
}

function parseFrameBound(p: ParserState): void {
  p.addHint('keyword', ...FRAME_BOUNDS);
  p.acceptIncompleteWord();
  if (p.accept('CURRENT') !== undefined) {
    p.expect('ROW');
    return;
  }
  if (p.accept('UNBOUNDED') === undefined) {
    // The minimum precedence is above that of AND, because the AND after a bound belongs to BETWEEN.
    p.rules.parseExpr(p, 5);
  }
  p.addHint('keyword', 'PRECEDING', 'FOLLOWING');
  if (p.accept('PRECEDING') === undefined && p.accept('FOLLOWING') === undefined) {
    p.reportMissing('expected', 'PRECEDING');
  }
}
