import { parseCall } from './calls.ts';
import { parseAlias, isApplyAt, parseNameList, parsePath, isAtContextualKeyword } from './names.ts';
import type { ParserState } from './parserState.ts';
import type { Expr, FromItem, Join, JoinKind, SqlName, TableSource } from './tree.ts';

/** A mutable {@link FromItem}: its join condition may come after the next source. */
type FromItemDraft = { -readonly [K in keyof FromItem]: FromItem[K] };

const JOIN_KEYWORDS = [
  'JOIN',
  'INNER JOIN',
  'LEFT JOIN',
  'RIGHT JOIN',
  'FULL JOIN',
  'CROSS JOIN',
  'NATURAL JOIN',
] as const;

/** The keywords of clauses that can follow FROM. */
export const KEYWORDS_AFTER_FROM = ['WHERE', 'GROUP BY', 'HAVING'] as const;

const JOIN_KINDS: ReadonlyMap<string, JoinKind> = new Map([
  ['INNER', 'inner'],
  ['LEFT', 'left'],
  ['RIGHT', 'right'],
  ['FULL', 'full'],
  ['CROSS', 'cross'],
]);

/** Parses all sources and joins of a FROM clause and adds them to `items`. */
export function parseSources(parser: ParserState, items: FromItem[]): void {
  parseSource(parser, items, undefined);
  parseMoreSources(parser, items);
}

/** Parses the rest of a FROM clause after a source: commas, joins and conditions, also of incomplete joins. */
export function parseMoreSources(parser: ParserState, items: FromItem[]): void {
  for (;;) {
    parser.clause = 'from';
    if (parser.isAtCaret) {
      parser.addHint('keyword', ...JOIN_KEYWORDS, ...(items.some(lacksCondition) ? ['ON', 'USING'] : []));
    }
    if (parser.is(',')) {
      parser.next();
      parseSource(parser, items, undefined);
    } else if (startsJoin(parser)) {
      parseSource(parser, items, parseJoin(parser));
    } else if (parser.is('ON') || parser.is('USING')) {
      parseDeferredCondition(parser, items);
    } else if (startsSourceWithoutJoin(parser)) {
      parser.reportMissing('missing-join', 'JOIN');
      parseSource(parser, items, {
        kind: 'inner',
        natural: false,
        start: parser.token.start,
        end: parser.token.start,
      });
    } else {
      return;
    }
  }
}

export function startsJoin(parser: ParserState): boolean {
  if (parser.is('JOIN') || parser.is('NATURAL')) {
    return true;
  }
  if (parser.is('OUTER')) {
    return parser.peek().symbol === 'JOIN' || isApplyAt(parser, 1);
  }
  return JOIN_KINDS.has(parser.token.symbol) && parser.isAtClause;
}

function parseJoin(parser: ParserState): Join {
  const { start } = parser.token;
  if ((parser.is('CROSS') || parser.is('OUTER')) && isApplyAt(parser, 1)) {
    parser.next();
    parser.next();
    return { kind: 'cross', natural: false, lateral: true, start, end: parser.previousEnd };
  }
  const natural = parser.accept('NATURAL') !== undefined;
  let kind: JoinKind = 'inner';
  const namedKind = JOIN_KINDS.get(parser.token.symbol);
  if (namedKind !== undefined) {
    kind = namedKind;
    parser.next();
  }
  if (parser.isAtCaret) {
    parser.addHint(
      'keyword',
      'JOIN',
      ...(kind === 'left' || kind === 'right' || kind === 'full' ? ['OUTER JOIN'] : []),
    );
  }
  for (const word of ['OUTER', 'SEMI', 'ANTI']) {
    parser.accept(word);
  }
  parser.addHint('keyword', 'JOIN');
  parser.expect('JOIN');
  return { kind, natural, start, end: parser.previousEnd };
}

function parseSource(parser: ParserState, items: FromItem[], join: Join | undefined): void {
  const { start } = parser.token;
  const source = parseTableSource(parser, join?.lateral === true);
  const draft: FromItemDraft = {
    start: join?.start ?? Math.min(start, source.start),
    end: source.end,
    join,
    source,
    alias: parseAliasAndHints(parser, source, needsCondition(join)),
    columns: [],
    on: undefined,
    using: [],
  };
  items.push(draft);
  if (parser.is('(') && draft.alias !== undefined) {
    draft.columns = parseNameList(parser, 'name');
  }
  draft.end = Math.max(draft.end, parser.previousEnd);
  if (join !== undefined) {
    parseJoinCondition(parser, draft);
  }
}

/** Returns whether ON or USING follows the source: not after CROSS JOIN and NATURAL JOIN, nor without a join. */
const needsCondition = (join: Join | undefined): boolean =>
  join !== undefined && join.kind !== 'cross' && !join.natural;

/** Returns whether the condition of a join is missing; it may come after further joins. */
const lacksCondition = ({ join, on, using }: FromItem): boolean =>
  needsCondition(join) && on === undefined && using.length === 0;

/** Parses an alias with table hints before or after it: `Orders o WITH (NOLOCK)`. */
function parseAliasAndHints(
  parser: ParserState,
  source: TableSource,
  isConditionExpected: boolean,
): SqlName | undefined {
  parseTableHints(parser);
  const alias = parseSourceAlias(parser, source, isConditionExpected);
  parseTableHints(parser);
  return alias;
}

function parseTableHints(parser: ParserState): void {
  if (parser.is('WITH') && parser.peek().symbol === '(') {
    parser.next();
    parser.skip();
  }
}

function parseTableSource(parser: ParserState, isLateral: boolean): TableSource {
  if (parser.isAtCaret) {
    parser.addHint('table', '(');
  }
  const incompleteWord = parser.acceptIncompleteWord();
  if (incompleteWord !== undefined) {
    return parseTablePath(parser, incompleteWord);
  }
  const { start } = parser.token;
  if (parser.is('LATERAL') && parser.peek().symbol === '(') {
    parser.next();
    const source = parser.runNested(
      () => parseParenthesizedSource(parser, 'lateral'),
      () => createMissingTable(parser),
    );
    return { ...source, start };
  }
  // LATERAL before a call of a table function: LATERAL name(…).
  if (parser.is('LATERAL') && parser.peek(2).symbol === '(') {
    parser.next();
  }
  if (parser.is('(')) {
    return parser.runNested(
      () => parseParenthesizedSource(parser, isLateral ? 'lateral' : 'derived'),
      () => createMissingTable(parser),
    );
  }
  if (parser.isAtName && !isAtContextualKeyword(parser)) {
    return parseTablePath(parser, parser.toName(parser.next()));
  }
  return createMissingTable(parser);
}

function createMissingTable(parser: ParserState): TableSource {
  parser.reportMissing('expected-table', '');
  return {
    kind: 'table',
    path: [parser.createMissingName(parser.previousEnd)],
    start: parser.previousEnd,
    end: parser.previousEnd,
  };
}

function parseTablePath(parser: ParserState, first: SqlName): TableSource {
  const path = parsePath(parser, first);
  const last = path.at(-1) ?? first;
  if (parser.is('(') && last.quote === '' && path.length === 1) {
    const parsedCall = parseCall(parser, path);
    if (parsedCall.kind === 'call') {
      return { kind: 'function', call: parsedCall, start: parsedCall.start, end: parsedCall.end };
    }
  }
  return { kind: 'table', path, start: first.start, end: last.end };
}

function parseParenthesizedSource(parser: ParserState, role: 'derived' | 'lateral'): TableSource {
  const openParen = parser.openParen();
  parser.addHint('table', 'SELECT', 'WITH');
  const parenDepth = parser.parenDepth;
  if (parser.is('SELECT') || parser.is('WITH') || parser.is('VALUES')) {
    const clause = parser.clause;
    const query = parser.rules.parseQuery(parser, role);
    parser.clause = clause;
    parser.parenDepth = parenDepth;
    parser.closeParen();
    return {
      kind: 'derived',
      query,
      lateral: role === 'lateral',
      start: openParen.start,
      end: parser.previousEnd,
    };
  }
  const items: FromItem[] = [];
  parseSources(parser, items);
  parser.closeParen();
  return { kind: 'group', items, start: openParen.start, end: parser.previousEnd };
}

function parseSourceAlias(
  parser: ParserState,
  source: TableSource,
  isConditionExpected: boolean,
): SqlName | undefined {
  if (parser.isAtCaret) {
    parser.addHint(
      'keyword',
      ...(isConditionExpected ? ['ON', 'USING'] : []),
      ...JOIN_KEYWORDS,
      ...KEYWORDS_AFTER_FROM,
    );
  }
  const alias = parseAlias(parser, (state) => !isAtContextualKeyword(state));
  if (alias !== undefined || source.kind === 'group') {
    return parseDottedAlias(parser) ?? alias;
  }
  return parseStrayAlias(parser);
}

/** Parses `Orders AS o. x JOIN`, where another name was typed before the alias: the last name is the alias. */
function parseDottedAlias(parser: ParserState): SqlName | undefined {
  if (!parser.is('.') || !isSourceEnd(parser, 2)) {
    return undefined;
  }
  parser.reportUnexpected();
  parser.next();
  return parser.toName(parser.next());
}

/** Parses `Orders x. o JOIN`, like {@link parseDottedAlias}, but without AS. */
function parseStrayAlias(parser: ParserState): SqlName | undefined {
  const isStray =
    parser.isAtName && parser.peek().symbol === '.' && isPlainName(parser, 2) && isSourceEnd(parser, 3);
  if (!isStray || parser.peek(2).start === parser.peek().end) {
    return undefined;
  }
  parser.reportUnexpected();
  parser.next();
  parser.next();
  return parser.toName(parser.next());
}

function isPlainName(parser: ParserState, distance: number): boolean {
  const token = parser.peek(distance);
  return token.kind === 'quotedName' || (token.kind === 'word' && token.symbol === '');
}

function isSourceEnd(parser: ParserState, distance: number): boolean {
  const token = parser.peek(distance);
  return parser.isClauseAt(distance) || token.kind === 'end' || token.symbol === ',' || token.symbol === ')';
}

function parseJoinCondition(parser: ParserState, draft: FromItemDraft): void {
  parser.joinedItem = draft;
  if (needsCondition(draft.join)) {
    parser.addHint('keyword', 'ON', 'USING');
  }
  if (parser.is('ON') || parser.is('USING')) {
    parseOnOrUsing(parser, draft);
  } else if (startsConditionWithoutOn(parser)) {
    parser.reportMissing('missing-on', 'ON');
    draft.on = parseCondition(parser);
    draft.end = Math.max(draft.end, draft.on.end);
  }
  parser.joinedItem = undefined;
}

function parseOnOrUsing(parser: ParserState, draft: FromItemDraft): void {
  const word = parser.next();
  if (word.symbol === 'ON') {
    draft.on = parseCondition(parser);
  } else if (parser.is('(')) {
    draft.using = parseNameList(parser, 'using');
  } else {
    parser.reportMissing('expected', '(');
  }
  draft.end = Math.max(draft.end, parser.previousEnd);
}

function parseCondition(parser: ParserState): Expr {
  parser.clause = 'on';
  const isCaretAtStart = parser.addHint('operand');
  if (isCaretAtStart) {
    parser.hints.isConditionStart = true;
  }
  const condition = parser.rules.parseExpr(parser);
  parser.clause = 'from';
  return condition;
}

/** Parses the second condition in `a JOIN b JOIN c ON … ON …`, which belongs to an earlier join. */
function parseDeferredCondition(parser: ParserState, items: FromItem[]): void {
  const draft = items.findLast(
    (item) => item.join !== undefined && item.on === undefined && item.using.length === 0,
  );
  if (draft === undefined) {
    parser.reportUnexpected();
    parser.next();
    parser.rules.parseExpr(parser);
    return;
  }
  parser.joinedItem = draft;
  parseOnOrUsing(parser, draft);
  parser.joinedItem = undefined;
}

/** True at a join condition without ON: `JOIN Customers c c.x = o.x`. */
function startsConditionWithoutOn(parser: ParserState): boolean {
  if (parser.isAtName && parser.peek().symbol === '.') {
    return true;
  }
  return parser.is('NOT') || parser.is('EXISTS');
}

/** True at a source without JOIN or a comma before it: `FROM Orders o Customers c ON`. */
function startsSourceWithoutJoin(parser: ParserState): boolean {
  if (!parser.isAtName || isAtContextualKeyword(parser)) {
    return parser.is('(') && (parser.peek().symbol === 'SELECT' || parser.peek().symbol === 'WITH');
  }
  const next = parser.peek();
  const hasAlias = isPlainName(parser, 1) || next.symbol === 'AS';
  return (
    isSourceEnd(parser, hasAlias ? 2 : 1) ||
    next.symbol === 'AS' ||
    // A dotted name with an alias: the name, the dot, the second name, and the alias.
    (next.symbol === '.' && isSourceEnd(parser, 4))
  );
}
