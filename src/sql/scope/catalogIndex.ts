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
    // There is no shape yet if the columns are needed while they are being resolved, as in a recursive CTE.
    return this.#shape ?? this.#build?.() ?? UNKNOWN_SOURCE_SHAPE;
  }
}

export const UNKNOWN_SOURCE_SHAPE: SourceShape = new KnownSourceShape([], false);

/** A table of the catalog with its symbol and shape. */
export interface CatalogTableEntry {
  readonly symbol: TableSymbol;
  readonly shape: SourceShape;
}

/**
 * How many times all tables are compared with a name before an index is created, which takes as long as about 20 scans.
 */
const maxScans = 20;

/**
 * Finds tables of a catalog by name. Each index is created on first use, because most texts spell their tables exactly
 * and need no case-insensitive index.
 */
export class CatalogIndex {
  readonly catalog: Catalog;
  #byName: ReadonlyMap<string, CatalogTable> | undefined;
  #byKey: ReadonlyMap<string, CatalogTable> | undefined;
  readonly #entries = new Map<CatalogTable, CatalogTableEntry>();
  #scanCount = 0;

  constructor(catalog: Catalog) {
    this.catalog = catalog;
  }

  /** Returns the table with the exact name, or else the first one whose name differs only in case. */
  findTable(name: string): CatalogTableEntry | undefined {
    const table = this.#findTableByName(name) ?? this.#findTableByKey(toNameKey(name));
    return table === undefined ? undefined : this.#getEntry(table);
  }

  #findTableByName(name: string): CatalogTable | undefined {
    if (this.#byName === undefined && this.#scanCount < maxScans) {
      this.#scanCount += 1;
      return this.catalog.tables.find((table) => table.name === name);
    }
    this.#byName ??= indexTables(this.catalog, (tableName) => tableName);
    return this.#byName.get(name);
  }

  #findTableByKey(key: string): CatalogTable | undefined {
    this.#byKey ??= indexTables(this.catalog, toNameKey);
    return this.#byKey.get(key);
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

/** Indexes tables by their names; the first one of several wins. */
function indexTables({ tables }: Catalog, toKey: (name: string) => string): Map<string, CatalogTable> {
  const index = new Map<string, CatalogTable>();
  for (const table of tables) {
    const key = toKey(table.name);
    if (!index.has(key)) {
      index.set(key, table);
    }
  }
  return index;
}
