import type { FromItem, Select } from '../syntax/tree.ts';
import type { Shape } from './catalogIndex.ts';
import type { Source } from './source.ts';
import { keyOf } from './symbols.ts';

/** So many sources are looked through one by one: an index of them would not pay. */
const few = 8;

/** Finds the sources of a scope by their names and by their columns, however many there are. */
export class SourceNames {
  readonly #sources: readonly Source[];
  readonly #from: readonly FromItem[];
  #byKey: Index | undefined;
  #bareByKey: Index | undefined;
  #aliasedByTable: Index | undefined;
  #byColumn: Index | undefined;
  #isComplete: boolean | undefined;
  #hasUnknownTable: boolean | undefined;
  #hasUnknownColumn: boolean | undefined;
  #positions: ReadonlyMap<FromItem | undefined, number> | undefined;
  #merging: { readonly all: boolean; readonly keys: ReadonlySet<string> } | undefined;

  /** @param sources may be filled later, before the first question */
  constructor(sources: readonly Source[], select: Select | undefined) {
    this.#sources = sources;
    this.#from = select?.from ?? [];
  }

  /** The first source that is called so. */
  named(key: string): Source | undefined {
    this.#byKey ??= indexOf(this.#sources, (source) => [source.key]);
    return this.#byKey.get(key)?.[0];
  }

  /** The first source without an alias that is called so. */
  namedWithoutAlias(key: string): Source | undefined {
    this.#bareByKey ??= indexOf(this.#sources, ({ key: own, alias }) => (alias === undefined ? [own] : []));
    return this.#bareByKey.get(key)?.[0];
  }

  /** The sources that stand for a table or CTE of that name under another one. */
  aliased(key: string): readonly Source[] {
    this.#aliasedByTable ??= indexOf(this.#sources, ({ alias, target }) => {
      const own = target.kind === 'table' ? target.table.name : target.kind === 'cte' ? target.name.text : '';
      return alias === undefined ? [] : [keyOf(own)];
    });
    return this.#aliasedByTable.get(key) ?? [];
  }

  /** The sources that have a column of that name, in order of text. */
  having(key: string): readonly Source[] {
    const sources = this.#sources;
    const known = this.#byColumn;
    if (known !== undefined) {
      return known.get(key) ?? [];
    }
    if (sources.length <= few || !this.#isSettled) {
      return sources.filter(({ shape }) => shape.find(key) !== undefined);
    }
    const index = indexOf(sources, ({ shape }) => new Set(shape.columns.map(({ name }) => keyOf(name))));
    // A column without a name is found by nobody.
    index.delete('');
    this.#byColumn = index;
    return index.get(key) ?? [];
  }

  /** Whether all columns of all sources are known. */
  get isComplete(): boolean {
    if (this.#isComplete !== undefined) {
      return this.#isComplete;
    }
    const isComplete = this.#sources.every(({ shape }) => shape.complete);
    this.#isComplete = this.#isSettled ? isComplete : undefined;
    return isComplete;
  }

  get #isSettled(): boolean {
    return this.#sources.every(({ shape }) => shape.settled);
  }

  /** Whether one of them is a table that the catalogue does not have. */
  get hasUnknownTable(): boolean {
    this.#hasUnknownTable ??= this.#sources.some(
      ({ target, alias, item }) =>
        target.kind === 'unknown' && alias === undefined && item?.source.kind === 'table',
    );
    return this.#hasUnknownTable;
  }

  /** Whether one of them gives a column of which nobody knows what it is. */
  get hasUnknownColumn(): boolean {
    this.#hasUnknownColumn ??= this.#sources.some(({ shape }) => hasUnknownColumn(shape));
    return this.#hasUnknownColumn;
  }

  /** The place of a source among all; -1 where it is none of them. */
  positionOf(item: FromItem): number {
    this.#positions ??= new Map(this.#sources.map((source, position) => [source.item, position]));
    return this.#positions.get(item) ?? -1;
  }

  /** Whether USING or NATURAL makes one column of those of that name: it is never ambiguous. */
  merges(key: string): boolean {
    this.#merging ??= mergingOf(this.#from);
    return this.#merging.all || this.#merging.keys.has(key);
  }
}

export const hasUnknownColumn = ({ columns }: Shape): boolean =>
  columns.some(({ name, symbol }) => name !== '' && symbol === undefined);

type Index = Map<string, Source[]>;

function indexOf(sources: readonly Source[], keysOf: (source: Source) => Iterable<string>): Index {
  const index: Index = new Map();
  for (const source of sources) {
    for (const key of keysOf(source)) {
      const known = index.get(key);
      if (known === undefined) {
        index.set(key, [source]);
      } else {
        known.push(source);
      }
    }
  }
  return index;
}

function mergingOf(from: readonly FromItem[]): { readonly all: boolean; readonly keys: ReadonlySet<string> } {
  const keys = new Set<string>();
  let all = false;
  const open = [...from];
  for (let item = open.pop(); item !== undefined; item = open.pop()) {
    all ||= item.join?.natural === true;
    for (const { text } of item.using) {
      keys.add(keyOf(text));
    }
    if (item.source.kind === 'group') {
      open.push(...item.source.items);
    }
  }
  return { all, keys };
}
