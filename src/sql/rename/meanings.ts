import type { ExpressionContext } from '../context.ts';
import type { CatalogUsage } from '../features/catalogUsages.ts';
import { parseInContext } from '../parsing.ts';
import type { MergedName } from '../scope/mergedName.ts';
import type { Scope } from '../scope/scope.ts';
import type { FromSource } from '../scope/source.ts';
import type { NameProblem } from '../scope/nameProblem.ts';
import type { NameResolution } from '../scope/nameResolution.ts';
import { resolveNames } from '../scope/resolveNames.ts';
import { toNameKey, type SqlSymbol } from '../scope/symbols.ts';
import type { Cte, TextRange, FromItem, SqlName, SqlTree, SqlSyntaxError } from '../syntax/tree.ts';
import { walkTree } from '../syntax/walk.ts';

/** A text before or after a change, with its context. */
export interface ChangeSide {
  readonly text: string;
  readonly context: ExpressionContext;
  /** Returns an identifier of a table or column that the change does not affect, such as its oid. */
  getIdentity(usage: Pick<CatalogUsage, 'table' | 'column'>): string | undefined;
}

/** Maps an offset to the text after the change; `undefined` for text that exists on only one side. */
type OffsetMapper = (offset: number) => number | undefined;

/** A name in the text with the symbol it refers to. */
export interface Binding extends TextRange {
  /** Identifies what the name refers to. The keys are comparable between the texts before and after a change. */
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
  /** The pairs of columns that each NATURAL JOIN joins, in text order, as a text to compare. */
  readonly naturalJoins: readonly { readonly item: FromItem; readonly pairsKey: string }[];
}

/** Resolves what all names of a text refer to. */
export function resolveMeanings(side: ChangeSide, mapOffset: OffsetMapper): NameMeanings {
  const tree = parseInContext(side.text, side.context);
  const { occurrences, problems, results, mergedNames, scopes } = resolveNames(tree, side.context);
  const bindings = new Map<number, Binding>();
  const addBinding = (name: TextRange, key: string, symbol: SqlSymbol | undefined, cte?: Cte): void => {
    const mappedOffset = mapOffset(name.start);
    if (mappedOffset === undefined) {
      return;
    }
    const existing = bindings.get(mappedOffset);
    bindings.set(mappedOffset, {
      start: name.start,
      end: name.end,
      key: existing === undefined ? key : `${existing.key} ${key}`,
      symbol: existing?.symbol ?? symbol,
      shadowingCte: cte,
    });
  };
  const cteLists = getCteLists(tree);
  for (const { name, symbol } of occurrences) {
    const shadowingCte = symbol.kind === 'table' ? findShadowingCte(cteLists, name) : undefined;
    addBinding(name, getSymbolKey(symbol, side, mapOffset), symbol, shadowingCte);
  }
  for (const mergedName of mergedNames) {
    addBinding(mergedName.name, getMergedKey(mergedName, mapOffset), undefined);
  }
  return {
    bindings,
    problems,
    syntaxErrors: tree.syntaxErrors,
    results,
    naturalJoins: scopes.flatMap(getNaturalJoins),
  };
}

/** Returns the CTE lists of all WITH clauses of a text. */
function getCteLists(tree: SqlTree): readonly (readonly Cte[])[] {
  const cteLists: (readonly Cte[])[] = [];
  for (const query of tree.kind === 'statement' ? tree.queries : []) {
    walkTree(query, (node) => {
      if (node.kind === 'query' && node.ctes.length > 0) {
        cteLists.push(node.ctes);
      }
    });
  }
  return cteLists;
}

/** Finds a CTE with the same name as a table that is used in its WITH clause. Some engines report that as a cycle. */
function findShadowingCte(cteLists: readonly (readonly Cte[])[], { start, text }: SqlName): Cte | undefined {
  const enclosingLists = cteLists.filter((list) => list.some((cte) => cte.start < start && start < cte.end));
  return enclosingLists.flat().find(({ name }) => toNameKey(name.text) === toNameKey(text));
}

function getSymbolKey(symbol: SqlSymbol, side: ChangeSide, mapOffset: OffsetMapper): string {
  switch (symbol.kind) {
    case 'table':
    case 'column':
      return `${symbol.kind} ${side.getIdentity(symbol) ?? ''}`;
    case 'alias':
    case 'cte':
      return `${symbol.kind} ${mapOffset(symbol.name.start) ?? ''}`;
    case 'output': {
      const mappedOffset = mapOffset(symbol.name.start);
      // The change adds this alias to keep the previous name of a renamed column, so the name still refers to the
      // column.
      return mappedOffset === undefined && symbol.origin !== undefined
        ? getSymbolKey(symbol.origin, side, mapOffset)
        : `output ${mappedOffset ?? ''}`;
    }
  }
}

function getMergedKey({ name, sources }: MergedName, mapOffset: OffsetMapper): string {
  const key = toNameKey(name.text);
  const columns = sources.map((source) => {
    const start = source.item?.source.start;
    return `${start === undefined ? '' : (mapOffset(start) ?? '')}/${getColumnIndex(source, key)}`;
  });
  return `merged ${columns.join(' ')}`;
}

/** Returns the index of the column that a source provides for a name. */
function getColumnIndex({ shape }: FromSource, key: string): number {
  const column = shape.find(key);
  return column === undefined ? -1 : shape.columns.indexOf(column);
}

/** Returns the column pairs of NATURAL JOINs, which join all columns with the same name: a rename can change them. */
function getNaturalJoins({ sources }: Scope): NameMeanings['naturalJoins'] {
  return sources.flatMap((right, position) => {
    const { item } = right;
    if (item?.join?.natural !== true) {
      return [];
    }
    const pairs = sources.slice(0, position).flatMap((left, leftPosition) =>
      right.shape.columns.flatMap(({ name }, rightIndex) => {
        const leftIndex = name === '' ? -1 : getColumnIndex(left, toNameKey(name));
        return leftIndex < 0 ? [] : [`${leftPosition}.${leftIndex}=${rightIndex}`];
      }),
    );
    return [{ item, pairsKey: pairs.join(' ') }];
  });
}
