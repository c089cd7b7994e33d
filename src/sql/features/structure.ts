import { lowerBound } from '../../base/lowerBound.ts';
import type { ExpressionContext } from '../context.ts';
import type { SqlParseCache } from '../parseCache.ts';
import { parseInContext } from '../parsing.ts';
import { resolveNames } from '../scope/resolveNames.ts';
import { isLineBreak } from '../syntax/chars.ts';
import { parseStatement } from '../syntax/parser.ts';
import type { TextRange, FromItem, SqlQuery } from '../syntax/tree.ts';
import { walkTree } from '../syntax/walk.ts';
import { getCallNames } from './hover.ts';
import { getFirstSelect } from './outputColumns.ts';

export type SemanticType = 'table' | 'alias' | 'cte' | 'column' | 'function';

export interface SemanticToken extends TextRange {
  readonly type: SemanticType;
  readonly isDeclaration: boolean;
}

/** Returns semantic tokens for the names of a text, sorted by offset. The TextMate grammar colors everything else. */
export function getSemanticTokens(text: string, context: ExpressionContext): readonly SemanticToken[] {
  const tree = parseInContext(text, context);
  const tokens = new Map<number, SemanticToken>();
  for (const { name, symbol, isDeclaration } of resolveNames(tree, context).occurrences) {
    const type = symbol.kind === 'output' ? 'column' : symbol.kind;
    tokens.set(name.start, { start: name.start, end: name.end, type, isDeclaration });
  }
  for (const { start, end } of getCallNames(tree)) {
    if (end > start) {
      tokens.set(start, { start, end, type: 'function', isDeclaration: false });
    }
  }
  return [...tokens.values()].sort((a, b) => a.start - b.start);
}

export interface DocumentSymbol extends TextRange {
  readonly name: string;
  readonly kind: 'cte' | 'select' | 'derived' | 'column';
  readonly nameStart: number;
  readonly nameEnd: number;
  readonly children: readonly DocumentSymbol[];
}

/** Returns the outline of a statement: its CTEs and its select, with their columns and derived tables. */
export function getDocumentSymbols(text: string, cache?: SqlParseCache): readonly DocumentSymbol[] {
  const tree = cache === undefined ? parseStatement(text) : cache.getTree(text, 'statement');
  const queries = tree.kind === 'statement' ? tree.queries : [];
  return queries.flatMap((query) => createQueryOutline(query, text));
}

function createQueryOutline(query: SqlQuery, text: string): DocumentSymbol[] {
  const ctes = query.ctes.map((cte): DocumentSymbol => {
    const { name, start, end } = cte;
    const children = cte.query === undefined ? [] : createBodyOutline(cte.query, text);
    return { name: name.text, kind: 'cte', start, end, nameStart: name.start, nameEnd: name.end, children };
  });
  const { body } = query;
  if (body === undefined || body.end <= body.start) {
    return ctes;
  }
  const { start, end } = body;
  const keywordEnd = Math.min(end, start + 'SELECT'.length);
  const result: DocumentSymbol = {
    name: 'SELECT',
    kind: 'select',
    start,
    end,
    nameStart: start,
    nameEnd: keywordEnd,
    children: createColumnSymbols(query, text),
  };
  return [...ctes, result];
}

function createBodyOutline(query: SqlQuery, text: string): DocumentSymbol[] {
  const ctes = query.ctes.length === 0 ? [] : createQueryOutline(query, text).slice(0, query.ctes.length);
  return [...ctes, ...createColumnSymbols(query, text)];
}

function createColumnSymbols(query: SqlQuery, text: string): DocumentSymbol[] {
  const select = getFirstSelect(query);
  if (select === undefined) {
    return [];
  }
  const columns = select.items
    .filter(({ start, end }) => end > start)
    .map(({ alias, expr, start, end }): DocumentSymbol => {
      const name = alias?.text ?? (expr.kind === 'column' ? (expr.path.at(-1)?.text ?? '') : '');
      const nameNode = alias ?? expr;
      // A column without a name is labeled with the start of its expression.
      const label = name === '' ? text.slice(start, Math.min(end, start + 40)) : name;
      return {
        name: label,
        kind: 'column',
        start,
        end,
        nameStart: nameNode.start,
        nameEnd: nameNode.end,
        children: [],
      };
    });
  return [...columns, ...createDerivedTableSymbols(select.from, text)];
}

function createDerivedTableSymbols(items: readonly FromItem[], text: string): DocumentSymbol[] {
  return items.flatMap(({ source, alias, start, end }): DocumentSymbol[] => {
    if (source.kind === 'group') {
      return createDerivedTableSymbols(source.items, text);
    }
    if (source.kind !== 'derived') {
      return [];
    }
    const nameRange = alias ?? { start: source.start, end: source.start };
    const children = createBodyOutline(source.query, text);
    const name = alias?.text ?? '( )';
    return [
      { name, kind: 'derived', start, end, nameStart: nameRange.start, nameEnd: nameRange.end, children },
    ];
  });
}

export interface FoldingRange extends TextRange {
  readonly kind: 'region' | 'comment';
}

/** Returns the folding ranges of a text: queries, selects, CTEs, CASE expressions, calls and block comments. */
export function getFoldingRanges(text: string, context: ExpressionContext): readonly FoldingRange[] {
  const tree = parseInContext(text, context);
  const ranges: FoldingRange[] = tree.comments
    .filter(({ block }) => block)
    .map(({ start, end }) => ({ start, end, kind: 'comment' }));
  const roots = tree.kind === 'statement' ? tree.queries : tree.expr === undefined ? [] : [tree.expr];
  for (const root of roots) {
    walkTree(root, (node) => {
      if (node.kind === 'query' || node.kind === 'select' || node.kind === 'case' || node.kind === 'call') {
        ranges.push({ start: node.start, end: node.end, kind: 'region' });
      }
      if (node.kind === 'query') {
        ranges.push(...node.ctes.map(({ start, end }): FoldingRange => ({ start, end, kind: 'region' })));
      }
    });
  }
  return keepLongestPerLine(ranges, text);
}

/** Keeps ranges that span several lines, and only the longest per start line, because VS Code shows one per line. */
function keepLongestPerLine(ranges: readonly FoldingRange[], text: string): FoldingRange[] {
  const byLine = new Map<number, FoldingRange>();
  const lines = getLineStarts(text);
  for (const range of ranges) {
    const line = findLineStart(lines, range.start);
    const longest = byLine.get(line);
    const isMultiline = findLineStart(lines, range.end) > line;
    if (isMultiline && (longest === undefined || longest.end < range.end)) {
      byLine.set(line, range);
    }
  }
  return [...byLine.values()].sort((a, b) => a.start - b.start);
}

/** Returns the start offsets of the lines of a text. */
function getLineStarts(text: string): readonly number[] {
  const starts = [0];
  for (let offset = 0; offset < text.length; offset++) {
    if (isLineBreak(text.charCodeAt(offset))) {
      starts.push(offset + 1);
    }
  }
  return starts;
}

/** Returns the start offset of the line that contains an offset. */
const findLineStart = (starts: readonly number[], offset: number): number =>
  starts[lowerBound(starts.length, (index) => (starts[index] ?? 0) <= offset) - 1] ?? 0;
