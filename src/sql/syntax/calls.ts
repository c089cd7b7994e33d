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
/** The words that compare with all or some rows of a query: `Amount > ALL (SELECT …)`. */
const QUANTIFIERS: ReadonlySet<string> = new Set(['ALL', 'ANY', 'SOME']);
const TRIM_SIDES: ReadonlySet<string> = new Set(['BOTH', 'LEADING', 'TRAILING']);

/** True at a function that is called without parentheses, such as `CURRENT_DATE`. */
export function isKeywordFunction(parser: ParserState): boolean {
  const { start, end } = parser.token;
  // The shortest of these names, LOCALTIME, has 9 letters: most words need no lookup.
  return end - start >= 9 && KEYWORD_FUNCTIONS.has(parser.lexed.text.slice(start, end).toUpperCase());
}

export function parseKeywordFunction(parser: ParserState): CallExpr {
  const name = parser.toName(parser.next());
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
export function parseCall(parser: ParserState, path: readonly SqlName[]): CallExpr | CastExpr {
  return parser.runNested(
    () => parseCallBody(parser, path),
    () => createEmptyCall(path, -1),
  );
}

function parseCallBody(parser: ParserState, path: readonly SqlName[]): CallExpr | CastExpr {
  const call = createEmptyCall(path, parser.token.start);
  const upperName = call.name.text.toUpperCase();
  parser.openParen();
  const args: Expr[] = [];
  parser.openCalls.push({ name: call.name, openParenOffset: call.openParenOffset, args });
  if (CAST_NAMES.has(upperName)) {
    const cast = parseCastBody(parser);
    parser.openCalls.pop();
    parser.closeParen();
    return { kind: 'cast', start: call.start, end: parser.previousEnd, ...cast };
  }
  if (parser.isAtCaret) {
    const words = QUANTIFIERS.has(upperName) ? ['SELECT'] : ['DISTINCT'];
    parser.addHint('operand', ...(path.length === 1 ? words : []));
  }
  const isDistinct = parser.accept('DISTINCT') !== undefined;
  if (!isDistinct && parser.is('ALL') && parser.peek().symbol !== ',' && parser.peek().symbol !== ')') {
    parser.next();
  }
  if (!parser.is(')') || parser.isAtCaret) {
    parseCallArguments(parser, args, upperName);
  }
  const orderBy = parseArgumentOrder(parser);
  parseSeparator(parser);
  if (parser.isAtCaret) {
    parser.addHint('keyword', ...(ARGUMENT_SEPARATORS.get(upperName) ?? []));
  }
  parser.openCalls.pop();
  const closeParenOffset = parser.closeParen();
  return parseCallTail(parser, {
    ...call,
    args,
    distinct: isDistinct,
    closeParenOffset,
    orderBy,
    end: parser.previousEnd,
  });
}

function parseCastBody(parser: ParserState): { operand: Expr; type: TextRange } {
  const operand = parser.rules.parseExpr(parser);
  parser.addHint('keyword', 'AS');
  const type =
    parser.expect('AS') === undefined ? { start: operand.end, end: operand.end } : parseTypeName(parser);
  return { operand, type };
}

function parseCallArguments(parser: ParserState, args: Expr[], upperName: string): void {
  if (
    upperName === 'TRIM' &&
    TRIM_SIDES.has(parser.token.symbol) &&
    parser.peek().symbol !== ',' &&
    parser.peek().symbol !== ')'
  ) {
    parser.next();
    if (parser.accept('FROM') !== undefined) {
      args.push(parser.rules.parseExpr(parser));
      return;
    }
  }
  const separators = ARGUMENT_SEPARATORS.get(upperName);
  for (;;) {
    args.push(parseArgument(parser, upperName, args.length));
    if (parser.accept(',') !== undefined) {
      continue;
    }
    if (separators?.includes(parser.token.symbol) === true) {
      parser.next();
      continue;
    }
    if (!startsArgumentWithoutComma(parser)) {
      return;
    }
    parser.reportMissing('missing-comma', ',');
  }
}

/** True at a second consecutive operand inside a call, before which a comma is missing. */
function startsArgumentWithoutComma(parser: ParserState): boolean {
  if (parser.token.kind === 'string' || parser.token.kind === 'number') {
    return true;
  }
  return (
    parser.isAtName &&
    (parser.token.kind === 'quotedName' || parser.peek().symbol === '.' || parser.peek().symbol === '(') &&
    !parser.is('ORDER')
  );
}

function parseArgument(parser: ParserState, upperName: string, index: number): Expr {
  const isUnit =
    upperName === 'EXTRACT' && index === 0 && parser.token.kind === 'word' && parser.peek().symbol === 'FROM';
  if (isUnit) {
    const { start, end } = parser.next();
    return { kind: 'word', start, end };
  }
  if (parser.is('SELECT') || parser.is('WITH')) {
    const { start } = parser.token;
    const parenDepth = parser.parenDepth;
    parser.openCalls.push(undefined);
    const query = parser.rules.parseQuery(parser, 'expression');
    parser.openCalls.pop();
    parser.parenDepth = parenDepth;
    return { kind: 'subselect', start, end: parser.previousEnd, query };
  }
  return parser.rules.parseExpr(parser);
}

/** Skips `IGNORE NULLS` or `RESPECT NULLS`: some dialects have it inside the parentheses, others after them. */
function parseNullsTreatment(parser: ParserState): void {
  if ((parser.is('IGNORE') || parser.is('RESPECT')) && parser.peek().symbol === 'NULLS') {
    parser.next();
    parser.next();
  }
}

function parseArgumentOrder(parser: ParserState): OrderItem[] {
  parseNullsTreatment(parser);
  return parser.is('ORDER') && parser.peek().symbol === 'BY' ? parseOrderItems(parser) : [];
}

/** Skips the separator in `GROUP_CONCAT(a ORDER BY b SEPARATOR ',')`. */
function parseSeparator(parser: ParserState): void {
  const { start, end, kind } = parser.token;
  const isSeparator = kind === 'word' && parser.lexed.text.slice(start, end).toUpperCase() === 'SEPARATOR';
  if (isSeparator && parser.peek().kind === 'string') {
    parser.next();
    parser.next();
  }
}

/** Parses `WITHIN GROUP (…)`, `FILTER (WHERE …)` and `OVER …` after the closing parenthesis of a call. */
function parseCallTail(parser: ParserState, call: CallExpr): CallExpr {
  let result = call;
  if (parser.is('WITHIN') && parser.peek().symbol === 'GROUP') {
    parser.next();
    parser.next();
    if (parser.is('(')) {
      parser.openParen();
      const orderBy = parser.is('ORDER') ? parseOrderItems(parser) : [];
      parser.closeParen();
      result = { ...result, orderBy, end: parser.previousEnd };
    }
  }
  if (parser.is('FILTER') && parser.peek().symbol === '(') {
    parser.next();
    parser.openParen();
    parser.expect('WHERE');
    const filter = parser.rules.parseExpr(parser);
    parser.closeParen();
    result = { ...result, filter, end: parser.previousEnd };
  }
  parseNullsTreatment(parser);
  if (parser.isAtCaret) {
    parser.addHint('keyword', 'OVER');
  }
  const canWindowSpecFollow =
    parser.peek().symbol === '(' || parser.peek().kind === 'word' || parser.peek().kind === 'end';
  if (parser.is('OVER') && canWindowSpecFollow && !parser.isClauseAt(1)) {
    parser.next();
    const over = parseWindowSpec(parser);
    result = { ...result, over, end: Math.max(over.end, parser.previousEnd) };
  }
  return result;
}

/** Parses a window specification: the name of a window, or `( … )` with partition, order and frame. */
export function parseWindowSpec(parser: ParserState): WindowSpec {
  const { start } = parser.token;
  if (!parser.is('(')) {
    parser.addHint('keyword', '(');
    const base = parseDeclaredName(parser);
    return { start, end: base.end, base, partitionBy: [], orderBy: [], frame: undefined };
  }
  parser.openParen();
  parser.openCalls.push(undefined);
  parser.addHint('keyword', 'PARTITION BY', 'ORDER BY', 'ROWS', 'RANGE');
  parser.acceptIncompleteWord();
  const hasBaseWindow = parser.isAtName && !parser.is('PARTITION') && !startsFrame(parser);
  const base = hasBaseWindow ? parser.toName(parser.next()) : undefined;
  const partitionBy: Expr[] = [];
  if (parser.accept('PARTITION') !== undefined) {
    parser.expect('BY');
    do {
      partitionBy.push(parser.rules.parseExpr(parser));
    } while (parser.accept(',') !== undefined);
  }
  parser.addHint('keyword', 'ORDER BY');
  const orderBy = parser.is('ORDER') ? parseOrderItems(parser) : [];
  parser.addHint('keyword', 'ROWS', 'RANGE');
  const frame = startsFrame(parser) ? parseFrame(parser) : undefined;
  parser.openCalls.pop();
  parser.closeParen();
  return { start, end: parser.previousEnd, base, partitionBy, orderBy, frame };
}

function startsFrame(parser: ParserState): boolean {
  return parser.is('ROWS') || parser.is('RANGE') || parser.is('GROUPS');
}

const FRAME_BOUNDS = ['UNBOUNDED PRECEDING', 'UNBOUNDED FOLLOWING', 'CURRENT ROW'] as const;

function parseFrame(parser: ParserState): TextRange {
  const { start } = parser.next();
  parser.addHint('keyword', 'BETWEEN', ...FRAME_BOUNDS);
  if (parser.accept('BETWEEN') !== undefined) {
    parseFrameBound(parser);
    parser.expect('AND');
  }
  parseFrameBound(parser);
  if (parser.accept('EXCLUDE') !== undefined) {
    while (parser.token.kind === 'word' && !parser.isAtClause) {
      parser.next();
    }
  }
  return { start, end: parser.previousEnd };
}

function parseFrameBound(parser: ParserState): void {
  parser.addHint('keyword', ...FRAME_BOUNDS);
  parser.acceptIncompleteWord();
  if (parser.accept('CURRENT') !== undefined) {
    parser.expect('ROW');
    return;
  }
  if (parser.accept('UNBOUNDED') === undefined) {
    // The minimum precedence is above that of AND, because the AND after a bound belongs to BETWEEN.
    parser.rules.parseExpr(parser, 5);
  }
  parser.addHint('keyword', 'PRECEDING', 'FOLLOWING');
  if (parser.accept('PRECEDING') === undefined && parser.accept('FOLLOWING') === undefined) {
    parser.reportMissing('expected', 'PRECEDING');
  }
}
