import type { ExpressionContext } from '../context.ts';
import type { CatalogUsage } from '../features/catalogUsages.ts';
import { parseInContext } from '../parsing.ts';
import type { MergedName } from '../scope/merged.ts';
import type { Scope } from '../scope/model.ts';
import type { FromSource } from '../scope/source.ts';
import type { NameProblem } from '../scope/problems.ts';
import type { NameResolution } from '../scope/resolution.ts';
import { resolveNames } from '../scope/resolve.ts';
import { toNameKey, type SqlSymbol } from '../scope/symbols.ts';
import type { Cte, Extent, FromItem, SqlName, SqlTree, SqlSyntaxError } from '../syntax/tree.ts';
import { walkTree } from '../syntax/walk.ts';

/** A text before or after a change, with its context. */
export interface ChangeSide {
  readonly text: string;
  readonly context: ExpressionContext;
  /** Returns an identifier of a table or column that the change does not affect, such as its oid. */
  getIdentity(use: Pick<CatalogUsage, 'table' | 'column'>): string | undefined;
}

/** Maps an offset to the text after the change; `undefined` for text that exists on only one side. */
type OffsetMapper = (offset: number) => number | undefined;

/** A name in the text with the symbol it refers to. */
export interface Binding extends Extent {
  readonly key: string;
  readonly symbol: SqlSymbol | undefined;
  /** A CTE with the same name that some engines would use instead of the table. */
  readonly shadowingCte: Cte | undefined;
}

/** What all names of a text refer to, in a form that can be compared between both sides of a change. */
export interface NameMeanings {
  /** The bindings by the offset of the name after the change. */
  readonly bindings: ReadonlyMap<number, Binding>;
  readonly problems: readonly NameProblem[];
  readonly syntaxErrors: readonly SqlSyntaxError[];
  readonly results: NameResolution['results'];
  /** The pairs of columns that each NATURAL JOIN joins, in text order. */
  readonly natural: readonly { readonly item: FromItem; readonly pairs: string }[];
}

/** Resolves what all names of a text refer to. */
export function resolveMeanings(reading: ChangeSide, place: OffsetMapper): NameMeanings {
  const tree = parseInContext(reading.text, reading.context);
  const { occurrences, problems, results, merged, scopes } = resolveNames(tree, reading.context);
  const bindings = new Map<number, Binding>();
  const bind = (name: Extent, key: string, symbol: SqlSymbol | undefined, circle?: Cte): void => {
    const at = place(name.start);
    if (at === undefined) {
      return;
    }
    const known = bindings.get(at);
    bindings.set(at, {
      start: name.start,
      end: name.end,
      key: known === undefined ? key : `${known.key} ${key}`,
      symbol: known?.symbol ?? symbol,
      shadowingCte: circle,
    });
  };
  const lists = getWithLists(tree);
  for (const { name, symbol } of occurrences) {
    const circle = symbol.kind === 'table' ? findShadowingCte(lists, name) : undefined;
    bind(name, getSymbolKey(symbol, reading, place), symbol, circle);
  }
  for (const one of merged) {
    bind(one.name, getMergedKey(one, place), undefined);
  }
  return {
    bindings,
    problems,
    syntaxErrors: tree.syntaxErrors,
    results,
    natural: scopes.flatMap(getNaturalJoins),
  };
}

/** Returns the CTE lists of all WITH clauses of a text. */
function getWithLists(tree: SqlTree): readonly (readonly Cte[])[] {
  const lists: (readonly Cte[])[] = [];
  for (const query of tree.kind === 'statement' ? tree.queries : []) {
    walkTree(query, (node) => {
      if (node.kind === 'query' && node.ctes.length > 0) {
        lists.push(node.ctes);
      }
    });
  }
  return lists;
}

/** Finds a CTE with the same name as a table that is used in its WITH clause. Some engines report that as a cycle. */
function findShadowingCte(lists: readonly (readonly Cte[])[], { start, text }: SqlName): Cte | undefined {
  const around = lists.filter((list) => list.some((cte) => cte.start < start && start < cte.end));
  return around.flat().find(({ name }) => toNameKey(name.text) === toNameKey(text));
}

function getSymbolKey(symbol: SqlSymbol, reading: ChangeSide, place: OffsetMapper): string {
  switch (symbol.kind) {
    case 'table':
    case 'column':
      return `${symbol.kind} ${reading.getIdentity(symbol) ?? ''}`;
    case 'alias':
    case 'cte':
      return `${symbol.kind} ${place(symbol.name.start) ?? ''}`;
    case 'output': {
      const at = place(symbol.name.start);
      // The change adds this alias to keep the previous name of a renamed column, so the name still refers to the
      // column.
      return at === undefined && symbol.origin !== undefined
        ? getSymbolKey(symbol.origin, reading, place)
        : `output ${at ?? ''}`;
    }
  }
}

function getMergedKey({ name, sources }: MergedName, place: OffsetMapper): string {
  const key = toNameKey(name.text);
  const columns = sources.map((source) => {
    const start = source.item?.source.start;
    return `${start === undefined ? '' : (place(start) ?? '')}/${getColumnIndex(source, key)}`;
  });
  return `merged ${columns.join(' ')}`;
}

/** Returns the index of the column that a source provides for a name. */
function getColumnIndex({ shape }: FromSource, key: string): number {
  const column = shape.find(key);
  return column === undefined ? -1 : shape.columns.indexOf(column);
}

/** Returns the column pairs of NATURAL JOINs, which join all columns with the same name: a rename can change them. */
function getNaturalJoins({ sources }: Scope): NameMeanings['natural'] {
  return sources.flatMap((right, position) => {
    const { item } = right;
    if (item?.join?.natural !== true) {
      return [];
    }
    const pairs = sources.slice(0, position).flatMap((left, at) =>
      right.shape.columns.flatMap(({ name }, index) => {
        const other = name === '' ? -1 : getColumnIndex(left, toNameKey(name));
        return other < 0 ? [] : [`${at}.${other}=${index}`];
      }),
    );
    return [{ item, pairs: pairs.join(' ') }];
  });
}
