import type { Catalog, CatalogTable } from '../catalog.ts';
import { type ColumnSymbol, toNameKey, type OutputSymbol, type TableSymbol } from './symbols.ts';

/** A column of a source. Its symbol and type are `undefined` if unknown. */
export interface SourceColumn {
  readonly name: string;
  readonly symbol: ColumnSymbol | OutputSymbol | undefined;
  readonly type: number | undefined;
  readonly hidden: boolean;
}

/** The columns of a source. Unless it is `complete`, the source may have more columns. */
export interface SourceShape {
  readonly columns: readonly SourceColumn[];
  readonly complete: boolean;
  /** False while the columns are being resolved, when only some of them may be known. */
  readonly isSettled: boolean;
  /** @param name the exact spelling, to choose between columns whose names differ only in case */
  find(key: string, name?: string): SourceColumn | undefined;
}

/** A shape with known columns. Its index is created on first use, because most sources are never searched. */
export class KnownSourceShape implements SourceShape {
  readonly columns: readonly SourceColumn[];
  readonly complete: boolean;
  readonly isSettled = true;
  #byKey: Map<string, SourceColumn> | undefined;
  /** Columns whose key is the same as that of an earlier column. */
  readonly #duplicates: SourceColumn[] = [];

  constructor(columns: readonly SourceColumn[], complete: boolean) {
    this.columns = columns;
    this.complete = complete;
  }

  find(key: string, name?: string): SourceColumn | undefined {
    this.#byKey ??= this.#createIndex();
    const firstMatch = this.#byKey.get(key);
    const hasOtherSpelling = name !== undefined && firstMatch !== undefined && firstMatch.name !== name;
    return (
      (hasOtherSpelling ? this.#duplicates.find((duplicate) => duplicate.name === name) : undefined) ??
      firstMatch
    );
  }

  #createIndex(): Map<string, SourceColumn> {
    const byKey = new Map<string, SourceColumn>();
    for (const column of this.columns) {
      const key = toNameKey(column.name);
      if (byKey.has(key)) {
        this.#duplicates.push(column);
      } else if (key !== '') {
        byKey.set(key, column);
      }
    }
    return byKey;
  }
}

/**
 * A shape whose columns are resolved on first use. A class rather than an object with getters: V8's hidden classes for
 * such objects would keep every analyzed text in memory until a full garbage collection.
 */
export class LazySourceShape implements SourceShape {
  #build: (() => SourceShape) | undefined;
  #shape: SourceShape | undefined;
  #isBuilding = false;

  constructor(build: () => SourceShape) {
    this.#build = build;
  }

  get columns(): readonly SourceColumn[] {
    return this.#resolve().columns;
  }

  get complete(): boolean {
    return this.#resolve().complete;
  }

  get isSettled(): boolean {
    this.#resolve();
    return this.#shape !== undefined;
  }

  find(key: string, name?: string): SourceColumn | undefined {
    return this.#resolve().find(key, name);
  }

  #resolve(): SourceShape {
    if (this.#shape === undefined && !this.#isBuilding) {
      this.#isBuilding = true;
      this.#shape = this.#build?.() ?? UNKNOWN_SOURCE_SHAPE;
      this.#isBuilding = false;
      this.#build = undefined;
    }
    return this.#shape ?? this.#build?.() ?? UNKNOWN_SOURCE_SHAPE;
  }
}

export const UNKNOWN_SOURCE_SHAPE: SourceShape = new KnownSourceShape([], false);

/** A table of the catalog with its symbol and shape. */
export interface CatalogTableEntry {
  readonly symbol: TableSymbol;
  readonly shape: SourceShape;
}

/** Finds tables of a catalog by name. Their columns are indexed on first use. */
export class CatalogIndex {
  readonly catalog: Catalog;
  readonly #byName = new Map<string, CatalogTable>();
  readonly #byKey = new Map<string, CatalogTable>();
  readonly #entries = new Map<CatalogTable, CatalogTableEntry>();

  constructor(catalog: Catalog) {
    this.catalog = catalog;
    for (const table of catalog.tables) {
      const key = toNameKey(table.name);
      if (!this.#byKey.has(key)) {
        this.#byKey.set(key, table);
      }
      if (!this.#byName.has(table.name)) {
        this.#byName.set(table.name, table);
      }
    }
  }

  /** Returns the table with the exact name, or else the first one whose name differs only in case. */
  findTable(name: string): CatalogTableEntry | undefined {
    const table = this.#byName.get(name) ?? this.#byKey.get(toNameKey(name));
    return table === undefined ? undefined : this.#getEntry(table);
  }

  /**
   * Returns the entry of a table. Its shape is incomplete if the table is open, or has no columns because they have not
   * been loaded yet.
   */
  #getEntry(table: CatalogTable): CatalogTableEntry {
    const cached = this.#entries.get(table);
    if (cached !== undefined) {
      return cached;
    }
    const columns = table.columns.map((column): SourceColumn => {
      const symbol: ColumnSymbol = { kind: 'column', table, column };
      return { name: column.name, symbol, type: column.type, hidden: column.hidden === true };
    });
    const entry = {
      symbol: { kind: 'table', table } as const,
      shape: new KnownSourceShape(columns, columns.length > 0 && table.open !== true),
    };
    this.#entries.set(table, entry);
    return entry;
  }
}
