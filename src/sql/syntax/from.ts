import { parseCall } from './calls.ts';
import { parseAlias, isApply, parseNameList, parsePath, isAtContextualKeyword } from './names.ts';
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
export function parseSources(p: ParserState, items: FromItem[]): void {
  parseSource(p, items, undefined);
  parseMoreSources(p, items);
}

/** Parses the rest of a FROM clause after a source: commas, joins and conditions, also of incomplete joins. */
export function parseMoreSources(p: ParserState, items: FromItem[]): void {
  for (;;) {
    p.clause = 'from';
    if (p.isAtCaret) {
      p.addHint('keyword', ...JOIN_KEYWORDS);
    }
    if (p.is(',')) {
      p.next();
      parseSource(p, items, undefined);
    } else if (startsJoin(p)) {
      parseSource(p, items, parseJoin(p));
    } else if (p.is('ON') || p.is('USING')) {
      parseDeferredCondition(p, items);
    } else if (startsSourceWithoutJoin(p)) {
      p.reportMissing('missing-join', 'JOIN');
      parseSource(p, items, { kind: 'inner', natural: false, start: p.token.start, end: p.token.start });
    } else {
      return;
    }
  }
}

export function startsJoin(p: ParserState): boolean {
  if (p.is('JOIN') || p.is('NATURAL')) {
    return true;
  }
  if (p.is('OUTER')) {
    return p.peek().text === 'JOIN' || isApply(p, 1);
  }
  return JOIN_KINDS.has(p.token.text) && p.isAtClause;
}

function parseJoin(p: ParserState): Join {
  const { start } = p.token;
  if ((p.is('CROSS') || p.is('OUTER')) && isApply(p, 1)) {
    p.next();
    p.next();
    return { kind: 'cross', natural: false, lateral: true, start, end: p.previousEnd };
  }
  const natural = p.accept('NATURAL') !== undefined;
  let kind: JoinKind = 'inner';
  const namedKind = JOIN_KINDS.get(p.token.text);
  if (namedKind !== undefined) {
    kind = namedKind;
    p.next();
  }
  if (p.isAtCaret) {
    p.addHint(
      'keyword',
      'JOIN',
      ...(kind === 'left' || kind === 'right' || kind === 'full' ? ['OUTER JOIN'] : []),
    );
  }
  for (const word of ['OUTER', 'SEMI', 'ANTI']) {
    p.accept(word);
  }
  p.addHint('keyword', 'JOIN');
  p.expect('JOIN');
  return { kind, natural, start, end: p.previousEnd };
}

function parseSource(p: ParserState, items: FromItem[], join: Join | undefined): void {
  const { start } = p.token;
  const source = parseTableSource(p, join?.lateral === true);
  const draft: FromItemDraft = {
    start: join?.start ?? Math.min(start, source.start),
    end: source.end,
    join,
    source,
    alias: parseAliasAndHints(p, source, join !== undefined),
    columns: [],
    on: undefined,
    using: [],
  };
  items.push(draft);
  if (p.is('(') && draft.alias !== undefined) {
    draft.columns = parseNameList(p, 'name');
  }
  draft.end = Math.max(draft.end, p.previousEnd);
  if (join !== undefined) {
    parseJoinCondition(p, draft);
  }
}

/** Parses an alias with table hints before or after it: `Orders o WITH (NOLOCK)`. */
function parseAliasAndHints(p: ParserState, source: TableSource, isJoined: boolean): SqlName | undefined {
  parseTableHints(p);
  const alias = parseSourceAlias(p, source, isJoined);
  parseTableHints(p);
  return alias;
}

function parseTableHints(p: ParserState): void {
  if (p.is('WITH') && p.peek().text === '(') {
    p.next();
    p.skip();
  }
}

function parseTableSource(p: ParserState, isLateral: boolean): TableSource {
  if (p.isAtCaret) {
    p.addHint('table', '(');
  }
  const incompleteWord = p.acceptIncompleteWord();
  if (incompleteWord !== undefined) {
    return parseTablePath(p, incompleteWord);
  }
  const { start } = p.token;
  if (p.is('LATERAL') && p.peek().text === '(') {
    p.next();
    const source = p.runNested(
      () => parseParenthesizedSource(p, 'lateral'),
      () => createMissingTable(p),
    );
    return { ...source, start };
  }
  if (p.is('LATERAL') && p.peek(2).text === '(') {
    p.next();
  }
  if (p.is('(')) {
    return p.runNested(
      () => parseParenthesizedSource(p, isLateral ? 'lateral' : 'derived'),
      () => createMissingTable(p),
    );
  }
  if (p.isAtName && !isAtContextualKeyword(p)) {
    return parseTablePath(p, p.toName(p.next()));
  }
  return createMissingTable(p);
}

function createMissingTable(p: ParserState): TableSource {
  p.reportMissing('expected-table', '');
  return {
    kind: 'table',
    path: [p.createMissingName(p.previousEnd)],
    start: p.previousEnd,
    end: p.previousEnd,
  };
}

function parseTablePath(p: ParserState, first: SqlName): TableSource {
  const path = parsePath(p, first);
  const last = path.at(-1) ?? first;
  if (p.is('(') && last.quote === '' && path.length === 1) {
    const parsedCall = parseCall(p, path);
    if (parsedCall.kind === 'call') {
      return { kind: 'function', call: parsedCall, start: parsedCall.start, end: parsedCall.end };
    }
  }
  return { kind: 'table', path, start: first.start, end: last.end };
}

function parseParenthesizedSource(p: ParserState, role: 'derived' | 'lateral'): TableSource {
  const openParen = p.openParen();
  p.addHint('table', 'SELECT', 'WITH');
  const parenDepth = p.parenDepth;
  if (p.is('SELECT') || p.is('WITH') || p.is('VALUES')) {
    const clause = p.clause;
    const query = p.rules.parseQuery(p, role);
    p.clause = clause;
    p.parenDepth = parenDepth;
    p.closeParen();
    return {
      kind: 'derived',
      query,
      lateral: role === 'lateral',
      start: openParen.start,
      end: p.previousEnd,
    };
  }
  const items: FromItem[] = [];
  parseSources(p, items);
  p.closeParen();
  return { kind: 'group', items, start: openParen.start, end: p.previousEnd };
}

function parseSourceAlias(p: ParserState, source: TableSource, isJoined: boolean): SqlName | undefined {
  if (p.isAtCaret) {
    p.addHint('keyword', ...(isJoined ? ['ON', 'USING'] : []), ...JOIN_KEYWORDS, ...KEYWORDS_AFTER_FROM);
  }
  const alias = parseAlias(p, (state) => !isAtContextualKeyword(state));
  if (alias !== undefined || source.kind === 'group') {
    return parseDottedAlias(p) ?? alias;
  }
  return parseStrayAlias(p);
}

/** Parses `Orders AS o. x JOIN`, where another name was typed before the alias: the last name is the alias. */
function parseDottedAlias(p: ParserState): SqlName | undefined {
  if (!p.is('.') || !isSourceEnd(p, 2)) {
    return undefined;
  }
  p.reportUnexpected();
  p.next();
  return p.toName(p.next());
}

/** Parses `Orders x. o JOIN`, like {@link parseDottedAlias}, but without AS. */
function parseStrayAlias(p: ParserState): SqlName | undefined {
  const isStray = p.isAtName && p.peek().text === '.' && isPlainName(p, 2) && isSourceEnd(p, 3);
  if (!isStray || p.peek(2).start === p.peek().end) {
    return undefined;
  }
  p.reportUnexpected();
  p.next();
  p.next();
  return p.toName(p.next());
}

function isPlainName(p: ParserState, distance: number): boolean {
  const token = p.peek(distance);
  return token.kind === 'name' || (token.kind === 'word' && token.text === '');
}

function isSourceEnd(p: ParserState, distance: number): boolean {
  const token = p.peek(distance);
  return p.isClauseAt(distance) || token.kind === 'end' || token.text === ',' || token.text === ')';
}

function parseJoinCondition(p: ParserState, draft: FromItemDraft): void {
  p.joinedItem = draft;
  if (draft.join?.kind !== 'cross' && draft.join?.natural !== true) {
    p.addHint('keyword', 'ON', 'USING');
  }
  if (p.is('ON') || p.is('USING')) {
    parseOnOrUsing(p, draft);
  } else if (startsConditionWithoutOn(p)) {
    p.reportMissing('missing-on', 'ON');
    draft.on = parseCondition(p);
    draft.end = Math.max(draft.end, draft.on.end);
  }
  p.joinedItem = undefined;
}

function parseOnOrUsing(p: ParserState, draft: FromItemDraft): void {
  const word = p.next();
  if (word.text === 'ON') {
    draft.on = parseCondition(p);
  } else if (p.is('(')) {
    draft.using = parseNameList(p, 'using');
  } else {
    p.reportMissing('expected', '(');
  }
  draft.end = Math.max(draft.end, p.previousEnd);
}

function parseCondition(p: ParserState): Expr {
  p.clause = 'on';
  const isCaretAtStart = p.addHint('operand');
  if (isCaretAtStart) {
    p.hints.isConditionStart = true;
  }
  const condition = p.rules.parseExpr(p);
  p.clause = 'from';
  return condition;
}

/** Parses the second condition in `a JOIN b JOIN c ON … ON …`, which belongs to an earlier join. */
function parseDeferredCondition(p: ParserState, items: FromItem[]): void {
  const draft = items.findLast(
    (item) => item.join !== undefined && item.on === undefined && item.using.length === 0,
  );
  if (draft === undefined) {
    p.reportUnexpected();
    p.next();
    p.rules.parseExpr(p);
    return;
  }
  p.joinedItem = draft;
  parseOnOrUsing(p, draft);
  p.joinedItem = undefined;
}

/** True at a join condition without ON: `JOIN Customers c c.x = o.x`. */
function startsConditionWithoutOn(p: ParserState): boolean {
  if (p.isAtName && p.peek().text === '.') {
    return true;
  }
  return p.is('NOT') || p.is('EXISTS');
}

/** True at a source without JOIN or a comma before it: `FROM Orders o Customers c ON`. */
function startsSourceWithoutJoin(p: ParserState): boolean {
  if (!p.isAtName || isAtContextualKeyword(p)) {
    return p.is('(') && (p.peek().text === 'SELECT' || p.peek().text === 'WITH');
  }
  const next = p.peek();
  const hasAlias = isPlainName(p, 1) || next.text === 'AS';
  return isSourceEnd(p, hasAlias ? 2 : 1) || next.text === 'AS' || (next.text === '.' && isSourceEnd(p, 4));
}
