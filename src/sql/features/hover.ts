import { getColumnTypeLabel } from '../../contract/terms.ts';
import type { ExpressionContext } from '../context.ts';
import { findFunction } from '../functions/functionCatalog.ts';
import { parseInContext } from '../parsing.ts';
import { resolveNames } from '../scope/resolveNames.ts';
import type { SqlSymbol } from '../scope/symbols.ts';
import type { SqlName, SqlTree } from '../syntax/tree.ts';
import { walkTree } from '../syntax/walk.ts';
import { findOccurrenceAt } from './occurrences.ts';

/** Information about a name, which the caller formats. */
export interface Hover {
  readonly start: number;
  readonly end: number;
  readonly kind: 'table' | 'column' | 'alias' | 'cte' | 'function';
  /** One line of code: `Orders.[Order Id]`, `ADDDAYS(dt, n)`. */
  readonly title: string;
  /** Number of known columns of a table. */
  readonly columnCount?: number;
  /** The type of a column, the description of a function, or the expression of a computed column. */
  readonly detail?: string;
  readonly unverified?: boolean;
}

/** Returns information about the name or function at the offset; `undefined` if it is unknown. */
export function hoverAt(text: string, offset: number, context: ExpressionContext): Hover | undefined {
  const tree = parseInContext(text, context);
  const occurrence = findOccurrenceAt(resolveNames(tree, context).occurrences, offset);
  if (occurrence !== undefined) {
    const { start, end } = occurrence.name;
    return { start, end, ...createSymbolHover(occurrence.symbol, text) };
  }
  return createFunctionHover(tree, offset);
}

type HoverContent = Pick<Hover, 'kind' | 'title' | 'columnCount' | 'detail'>;

function createSymbolHover(symbol: SqlSymbol, text: string): HoverContent {
  switch (symbol.kind) {
    case 'table':
      return { kind: 'table', title: symbol.table.name, columnCount: symbol.table.columns.length };
    case 'column': {
      const title = `${symbol.table.name}.${symbol.column.name}`;
      return withDetail({ kind: 'column', title }, getColumnTypeLabel(symbol.column.type) || undefined);
    }
    case 'alias':
      return withDetail({ kind: 'alias', title: symbol.name.text }, symbol.table?.name);
    case 'cte':
      return { kind: 'cte', title: symbol.name.text };
    case 'output': {
      const { source, origin, name } = symbol;
      const sourceText = source === undefined ? undefined : text.slice(source.start, source.end);
      const originName = origin === undefined ? undefined : `${origin.table.name}.${origin.column.name}`;
      return withDetail({ kind: 'column', title: name.text }, originName ?? sourceText);
    }
  }
}

function withDetail(content: HoverContent, detail: string | undefined): HoverContent {
  return detail === undefined ? content : { ...content, detail };
}

function createFunctionHover(tree: SqlTree, offset: number): Hover | undefined {
  const name = getCallNames(tree).find(({ start, end }) => start <= offset && offset <= end);
  const info = name === undefined ? undefined : findFunction(name.text);
  if (name === undefined || info === undefined) {
    return undefined;
  }
  const { start, end } = name;
  const hover: Hover = { start, end, kind: 'function', title: info.signature, detail: info.meaning };
  return info.verified ? hover : { ...hover, unverified: true };
}

/** Returns the names of all function calls in a text. */
export function getCallNames(tree: SqlTree): SqlName[] {
  const names: SqlName[] = [];
  const roots = tree.kind === 'statement' ? tree.queries : tree.expr === undefined ? [] : [tree.expr];
  for (const root of roots) {
    walkTree(root, (node) => {
      if (node.kind === 'call') {
        names.push(node.name);
      }
    });
  }
  return names;
}
