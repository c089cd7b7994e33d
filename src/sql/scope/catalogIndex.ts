import type { Catalog, CatalogTable } from '../catalog.ts';
import { type ColumnSymbol, keyOf, type OutputSymbol, type TableSymbol } from './symbols.ts';

/** A column of a source: its name, what it means, and the type when known. */
export interface OutColumn {
  readonly name: string;
  readonly symbol: ColumnSymbol | OutputSymbol | undefined;
  readonly type: number | undefined;
  readonly hidden: boolean;
}

/** The columns of a source. When not `complete` there may be more than these. */
export interface Shape {
  readonly columns: readonly OutColumn[];
  readonly complete: boolean;
  find(key: string): OutColumn | undefined;
}

/** Columns whose lookup table is made on first use: most sources are never looked into. */
export class KnownShape implements Shape {
  readonly columns: readonly OutColumn[];
  readonly complete: boolean;
  #byKey: Map<string, OutColumn> | undefined;

  constructor(columns: readonly OutColumn[], complete: boolean) {
    this.columns = columns;
    this.complete = complete;
  }

  find(key: string): OutColumn | undefined {
    if (this.#byKey === undefined) {
      this.#byKey = new Map();
      for (const column of this.columns) {
        const own = keyOf(column.name);
        if (own !== '' && !this.#byKey.has(own)) {
          this.#byKey.set(own, column);
        }
      }
    }
    return this.#byKey.get(key);
  }
}

/**
 * Columns worked out when first asked for. A class and not an object with getters: the hidden classes of such
 * objects would keep every text that was ever looked at alive until a full collection.
 */
export class LazyShape implements Shape {
  #build: (() => Shape) | undefined;
  #shape: Shape | undefined;

  constructor(build: () => Shape) {
    this.#build = build;
  }

  get columns(): readonly OutColumn[] {
    return this.#get().columns;
  }

  get complete(): boolean {
    return this.#get().complete;
  }

  find(key: string): OutColumn | undefined {
    return this.#get().find(key);
  }

  #get(): Shape {
    if (this.#shape === undefined) {
      this.#shape = this.#build?.() ?? UNKNOWN_SHAPE;
      this.#build = undefined;
    }
    return this.#shape;
  }
}

export const UNKNOWN_SHAPE: Shape = new KnownShape([], false);

/** A table of the catalogue with what the resolver needs of it. */
export interface IndexedTable {
  readonly symbol: TableSymbol;
  readonly shape: Shape;
}

/** Finds tables and columns of a catalogue by name; columns are indexed when first asked for. */
export class CatalogIndex {
  readonly catalog: Catalog;
  readonly #byKey = new Map<string, CatalogTable>();
  readonly #indexed = new Map<CatalogTable, IndexedTable>();

  constructor(catalog: Catalog) {
    this.catalog = catalog;
    for (const table of catalog.tables) {
      const key = keyOf(table.name);
      if (!this.#byKey.has(key)) {
        this.#byKey.set(key, table);
      }
    }
  }

  table(name: string): IndexedTable | undefined {
    const table = this.#byKey.get(keyOf(name));
    return table === undefined ? undefined : this.#index(table);
  }

  /** A table without any column has not been looked at yet: what it holds is unknown. */
  #index(table: CatalogTable): IndexedTable {
    const known = this.#indexed.get(table);
    if (known !== undefined) {
      return known;
    }
    const columns = table.columns.map((column): OutColumn => {
      const symbol: ColumnSymbol = { kind: 'column', table, column };
      return { name: column.name, symbol, type: column.type, hidden: column.hidden === true };
    });
    const found = {
      symbol: { kind: 'table', table } as const,
      shape: new KnownShape(columns, columns.length > 0 && table.open !== true),
    };
    this.#indexed.set(table, found);
    return found;
  }
}
