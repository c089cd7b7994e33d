import type { FromItem, SelectQuery } from '../syntax/tree.ts';
import type { SourceShape } from './catalogIndex.ts';
import type { FromSource } from './source.ts';
import { toNameKey } from './symbols.ts';

/** Up to this number of sources, a linear search is faster than creating an index. */
const linearScanLimit = 8;

/** Finds the sources of a scope by name or column; uses indexes if there are many sources. */
export class ScopeSourceIndex {
  readonly #sources: readonly FromSource[];
  readonly #fromItems: readonly FromItem[];
  #byKey: SourceIndex | undefined;
  #unaliasedByKey: SourceIndex | undefined;
  #aliasedByTable: SourceIndex | undefined;
  #byColumn: SourceIndex | undefined;
  #isComplete: boolean | undefined;
  #hasUnknownTable: boolean | undefined;
  #hasUnknownColumn: boolean | undefined;
  #indexes: ReadonlyMap<FromItem | undefined, number> | undefined;
  #mergedKeys: { readonly mergesAll: boolean; readonly keys: ReadonlySet<string> } | undefined;

  /** @param sources may still be empty, but must be filled before the first lookup */
  constructor(sources: readonly FromSource[], select: SelectQuery | undefined) {
    this.#sources = sources;
    this.#fromItems = select?.from ?? [];
  }

  /** Returns the first source with the given name. */
  findByName(key: string): FromSource | undefined {
    this.#byKey ??= createSourceIndex(this.#sources, (source) => [source.key]);
    return this.#byKey.get(key)?.[0];
  }

  /** Returns the first source with the given name that has no alias. */
  findUnaliased(key: string): FromSource | undefined {
    this.#unaliasedByKey ??= createSourceIndex(this.#sources, ({ key: sourceKey, alias }) =>
      alias === undefined ? [sourceKey] : [],
    );
    return this.#unaliasedByKey.get(key)?.[0];
  }

  /** Returns the sources that use the given table or CTE under an alias. */
  findAliased(key: string): readonly FromSource[] {
    this.#aliasedByTable ??= createSourceIndex(this.#sources, ({ alias, target }) => {
      const tableName =
        target.kind === 'table' ? target.table.name : target.kind === 'cte' ? target.name.text : '';
      return alias === undefined ? [] : [toNameKey(tableName)];
    });
    return this.#aliasedByTable.get(key) ?? [];
  }

  /** Returns the sources that have a column with the given name, in text order. */
  findByColumn(key: string): readonly FromSource[] {
    const sources = this.#sources;
    const columnIndex = this.#byColumn;
    if (columnIndex !== undefined) {
      return columnIndex.get(key) ?? [];
    }
    if (sources.length <= linearScanLimit || !this.#isSettled) {
      return sources.filter(({ shape }) => shape.find(key) !== undefined);
    }
    const index = createSourceIndex(
      sources,
      ({ shape }) => new Set(shape.columns.map(({ name }) => toNameKey(name))),
    );
    // A column without a name cannot be found.
    index.delete('');
    this.#byColumn = index;
    return index.get(key) ?? [];
  }

  /** True if all columns of all sources are known. */
  get isComplete(): boolean {
    if (this.#isComplete !== undefined) {
      return this.#isComplete;
    }
    const isComplete = this.#sources.every(({ shape }) => shape.complete);
    this.#isComplete = this.#isSettled ? isComplete : undefined;
    return isComplete;
  }

  get #isSettled(): boolean {
    return this.#sources.every(({ shape }) => shape.isSettled);
  }

  /** True if a source without an alias is a table that the catalog does not have. */
  get hasUnknownTable(): boolean {
    this.#hasUnknownTable ??= this.#sources.some(
      ({ target, alias, item }) =>
        target.kind === 'unknown' && alias === undefined && item?.source.kind === 'table',
    );
    return this.#hasUnknownTable;
  }

  /** True if a source has a column that could not be resolved. */
  get hasUnknownColumn(): boolean {
    this.#hasUnknownColumn ??= this.#sources.some(({ shape }) => hasUnknownColumn(shape));
    return this.#hasUnknownColumn;
  }

  /** Returns the index of a source; -1 if it is not in the scope. */
  getIndex(item: FromItem): number {
    this.#indexes ??= new Map(this.#sources.map((source, position) => [source.item, position]));
    return this.#indexes.get(item) ?? -1;
  }

  /** True if USING or NATURAL JOIN merges the columns with the given name, so that it is not ambiguous. */
  isMerged(key: string): boolean {
    this.#mergedKeys ??= getMergedKeys(this.#fromItems);
    return this.#mergedKeys.mergesAll || this.#mergedKeys.keys.has(key);
  }
}

export const hasUnknownColumn = ({ columns }: SourceShape): boolean =>
  columns.some(({ name, symbol }) => name !== '' && symbol === undefined);

type SourceIndex = Map<string, FromSource[]>;

function createSourceIndex(
  sources: readonly FromSource[],
  getKeys: (source: FromSource) => Iterable<string>,
): SourceIndex {
  const index: SourceIndex = new Map();
  for (const source of sources) {
    for (const key of getKeys(source)) {
      const indexedSources = index.get(key);
      if (indexedSources === undefined) {
        index.set(key, [source]);
      } else {
        indexedSources.push(source);
      }
    }
  }
  return index;
}

function getMergedKeys(fromItems: readonly FromItem[]): {
  readonly mergesAll: boolean;
  readonly keys: ReadonlySet<string>;
} {
  const keys = new Set<string>();
  let mergesAll = false;
  const stack = [...fromItems];
  for (let item = stack.pop(); item !== undefined; item = stack.pop()) {
    mergesAll ||= item.join?.natural === true;
    for (const { text } of item.using) {
      keys.add(toNameKey(text));
    }
    if (item.source.kind === 'group') {
      stack.push(...item.source.items);
    }
  }
  return { mergesAll, keys };
}
