import { call } from './calls.ts';
import { aliasOf, isApply, nameList, pathFrom, startsContextClause } from './names.ts';
import type { ParserState } from './parserState.ts';
import type { Expr, FromItem, Join, JoinKind, Name, TableSource } from './tree.ts';

/** A {@link FromItem} while it is being read: its condition may come after the next source. */
type Draft = { -readonly [K in keyof FromItem]: FromItem[K] };

const JOINS = [
  'JOIN',
  'INNER JOIN',
  'LEFT JOIN',
  'RIGHT JOIN',
  'FULL JOIN',
  'CROSS JOIN',
  'NATURAL JOIN',
] as const;

/** What can follow a finished FROM clause. */
export const AFTER_FROM = ['WHERE', 'GROUP BY', 'HAVING'] as const;

const KINDS: ReadonlyMap<string, JoinKind> = new Map([
  ['INNER', 'inner'],
  ['LEFT', 'left'],
  ['RIGHT', 'right'],
  ['FULL', 'full'],
  ['CROSS', 'cross'],
]);

/** Reads sources and joins until something else starts; `items` grows while reading. */
export function sources(p: ParserState, items: FromItem[]): void {
  readSource(p, items, undefined);
  moreSources(p, items);
}

/** Goes on after a source: commas, joins, conditions, and what is left of joins in half-typed text. */
export function moreSources(p: ParserState, items: FromItem[]): void {
  for (;;) {
    p.clause = 'from';
    if (p.atCaret) {
      p.hint('after', ...JOINS);
    }
    if (p.is(',')) {
      p.next();
      readSource(p, items, undefined);
    } else if (startsJoin(p)) {
      readSource(p, items, joinOf(p));
    } else if (p.is('ON') || p.is('USING')) {
      lateCondition(p, items);
    } else if (startsLostSource(p)) {
      p.missing('missing-join', 'JOIN');
      readSource(p, items, { kind: 'inner', natural: false, start: p.token.start, end: p.token.start });
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
  return KINDS.has(p.token.text) && p.atClause;
}

function joinOf(p: ParserState): Join {
  const { start } = p.token;
  if ((p.is('CROSS') || p.is('OUTER')) && isApply(p, 1)) {
    p.next();
    p.next();
    return { kind: 'cross', natural: false, lateral: true, start, end: p.previousEnd };
  }
  const natural = p.accept('NATURAL') !== undefined;
  let kind: JoinKind = 'inner';
  const named = KINDS.get(p.token.text);
  if (named !== undefined) {
    kind = named;
    p.next();
  }
  if (p.atCaret) {
    p.hint(
      'after',
      'JOIN',
      ...(kind === 'left' || kind === 'right' || kind === 'full' ? ['OUTER JOIN'] : []),
    );
  }
  for (const word of ['OUTER', 'SEMI', 'ANTI']) {
    p.accept(word);
  }
  p.hint('after', 'JOIN');
  p.expect('JOIN');
  return { kind, natural, start, end: p.previousEnd };
}

function readSource(p: ParserState, items: FromItem[], join: Join | undefined): void {
  const { start } = p.token;
  const source = sourceOf(p, join?.lateral === true);
  const draft: Draft = {
    start: join?.start ?? Math.min(start, source.start),
    end: source.end,
    join,
    source,
    alias: aliasAndHints(p, source, join !== undefined),
    columns: [],
    on: undefined,
    using: [],
  };
  items.push(draft);
  if (p.is('(') && draft.alias !== undefined) {
    draft.columns = nameList(p, 'name');
  }
  draft.end = Math.max(draft.end, p.previousEnd);
  if (join !== undefined) {
    conditionOf(p, draft);
  }
}

/** `Orders o WITH (NOLOCK)`: what some engines are told of a table stands behind its alias, or before it. */
function aliasAndHints(p: ParserState, source: TableSource, isJoined: boolean): Name | undefined {
  tableHints(p);
  const alias = sourceAlias(p, source, isJoined);
  tableHints(p);
  return alias;
}

function tableHints(p: ParserState): void {
  if (p.is('WITH') && p.peek().text === '(') {
    p.next();
    p.skip();
  }
}

function sourceOf(p: ParserState, isLateral: boolean): TableSource {
  if (p.atCaret) {
    p.hint('table', '(');
  }
  const phantom = p.takePhantom();
  if (phantom !== undefined) {
    return tableAt(p, phantom);
  }
  const { start } = p.token;
  if (p.is('LATERAL') && p.peek().text === '(') {
    p.next();
    const source = p.nested(
      () => parenthesised(p, 'lateral'),
      () => noTable(p),
    );
    return { ...source, start };
  }
  if (p.is('LATERAL') && p.peek(2).text === '(') {
    p.next();
  }
  if (p.is('(')) {
    return p.nested(
      () => parenthesised(p, isLateral ? 'lateral' : 'derived'),
      () => noTable(p),
    );
  }
  if (p.atName && !startsContextClause(p)) {
    return tableAt(p, p.nameOf(p.next()));
  }
  return noTable(p);
}

function noTable(p: ParserState): TableSource {
  p.missing('expected-table', '');
  return { kind: 'table', path: [p.noName(p.previousEnd)], start: p.previousEnd, end: p.previousEnd };
}

function tableAt(p: ParserState, first: Name): TableSource {
  const path = pathFrom(p, first);
  const last = path.at(-1) ?? first;
  if (p.is('(') && last.quote === '' && path.length === 1) {
    const found = call(p, path);
    if (found.kind === 'call') {
      return { kind: 'function', call: found, start: found.start, end: found.end };
    }
  }
  return { kind: 'table', path, start: first.start, end: last.end };
}

function parenthesised(p: ParserState, role: 'derived' | 'lateral'): TableSource {
  const open = p.openParen();
  p.hint('table', 'SELECT', 'WITH');
  const depth = p.parens;
  if (p.is('SELECT') || p.is('WITH') || p.is('VALUES')) {
    const clause = p.clause;
    const query = p.rules.query(p, role);
    p.clause = clause;
    p.parens = depth;
    p.closeParen();
    return { kind: 'derived', query, lateral: role === 'lateral', start: open.start, end: p.previousEnd };
  }
  const items: FromItem[] = [];
  sources(p, items);
  p.closeParen();
  return { kind: 'group', items, start: open.start, end: p.previousEnd };
}

function sourceAlias(p: ParserState, source: TableSource, isJoined: boolean): Name | undefined {
  if (p.atCaret) {
    p.hint('after', ...(isJoined ? ['ON', 'USING'] : []), ...JOINS, ...AFTER_FROM);
  }
  const alias = aliasOf(p, (at) => !startsContextClause(at));
  if (alias !== undefined || source.kind === 'group') {
    return dottedAlias(p) ?? alias;
  }
  return strayAlias(p);
}

/** `Orders AS o. x JOIN`: something was typed before the alias; the last name is the alias. */
function dottedAlias(p: ParserState): Name | undefined {
  if (!p.is('.') || !endsSource(p, 2)) {
    return undefined;
  }
  p.unexpected();
  p.next();
  return p.nameOf(p.next());
}

/** `Orders x. o JOIN`: the same with no alias read yet. */
function strayAlias(p: ParserState): Name | undefined {
  const isStray = p.atName && p.peek().text === '.' && isPlainName(p, 2) && endsSource(p, 3);
  if (!isStray || p.peek(2).start === p.peek().end) {
    return undefined;
  }
  p.unexpected();
  p.next();
  p.next();
  return p.nameOf(p.next());
}

function isPlainName(p: ParserState, distance: number): boolean {
  const token = p.peek(distance);
  return token.kind === 'name' || (token.kind === 'word' && token.text === '');
}

function endsSource(p: ParserState, distance: number): boolean {
  const token = p.peek(distance);
  return p.isClause(distance) || token.kind === 'end' || token.text === ',' || token.text === ')';
}

function conditionOf(p: ParserState, draft: Draft): void {
  p.joined = draft;
  if (draft.join?.kind !== 'cross' && draft.join?.natural !== true) {
    p.hint('after', 'ON', 'USING');
  }
  if (p.is('ON') || p.is('USING')) {
    readCondition(p, draft);
  } else if (startsLostCondition(p)) {
    p.missing('missing-on', 'ON');
    draft.on = condition(p);
    draft.end = Math.max(draft.end, draft.on.end);
  }
  p.joined = undefined;
}

function readCondition(p: ParserState, draft: Draft): void {
  const word = p.next();
  if (word.text === 'ON') {
    draft.on = condition(p);
  } else if (p.is('(')) {
    draft.using = nameList(p, 'using');
  } else {
    p.missing('expected', '(');
  }
  draft.end = Math.max(draft.end, p.previousEnd);
}

function condition(p: ParserState): Expr {
  p.clause = 'on';
  if (p.hint('operand')) {
    p.hints.conditionStart = true;
  }
  const found = p.rules.expression(p);
  p.clause = 'from';
  return found;
}

/** `a JOIN b JOIN c ON … ON …`: the second condition belongs to the join before. */
function lateCondition(p: ParserState, items: FromItem[]): void {
  const draft = items.findLast(
    (item) => item.join !== undefined && item.on === undefined && item.using.length === 0,
  );
  if (draft === undefined) {
    p.unexpected();
    p.next();
    p.rules.expression(p);
    return;
  }
  p.joined = draft;
  readCondition(p, draft);
  p.joined = undefined;
}

/** `JOIN Customers c c.x = o.x`: ON was lost. */
function startsLostCondition(p: ParserState): boolean {
  if (p.atName && p.peek().text === '.') {
    return true;
  }
  return p.is('NOT') || p.is('EXISTS');
}

/** `FROM Orders o Customers c ON`: JOIN or a comma was lost. */
function startsLostSource(p: ParserState): boolean {
  if (!p.atName || startsContextClause(p)) {
    return p.is('(') && (p.peek().text === 'SELECT' || p.peek().text === 'WITH');
  }
  const next = p.peek();
  const hasAlias = isPlainName(p, 1) || next.text === 'AS';
  return endsSource(p, hasAlias ? 2 : 1) || next.text === 'AS' || (next.text === '.' && endsSource(p, 4));
}
