import { findClosestNames } from '../base/similarNames.ts';
import type { Catalog, CatalogColumn } from '../sql/language.ts';

/** The known columns of a table, and whether these are all its columns. */
interface KnownColumns {
  readonly columns: ReadonlyMap<string, CatalogColumn>;
  readonly isComplete: boolean;
}

/**
 * Looks up the table and column names in rules, which are case sensitive like all their string fields
 * (rest-api.md, "Data security rule" 2).
 */
export class CatalogNames {
  readonly #isComplete: boolean;
  readonly #tables: ReadonlyMap<string, KnownColumns>;

  constructor(catalog: Catalog) {
    this.#isComplete = catalog.complete;
    this.#tables = new Map(
      catalog.tables.map(({ name, columns, open: mayHaveMoreColumns = columns.length === 0 }) => [
        name,
        { columns: new Map(columns.map((column) => [column.name, column])), isComplete: !mayHaveMoreColumns },
      ]),
    );
  }

  /**
   * Returns the column, or which of the two names does not exist. Returns `undefined` if the table exists and no column
   * is given. Also returns `undefined` if a name is not found but may exist: because the catalog is incomplete, or
   * because the table may have more columns, like a custom table before its first build.
   */
  find(table: string, column?: string): CatalogColumn | 'unknown-table' | 'unknown-column' | undefined {
    const knownTable = this.#tables.get(table);
    if (knownTable === undefined) {
      return this.#isComplete ? 'unknown-table' : undefined;
    }
    const catalogColumn = column === undefined ? undefined : knownTable.columns.get(column);
    const isUnknown =
      catalogColumn === undefined && column !== undefined && this.#isComplete && knownTable.isComplete;
    return isUnknown ? 'unknown-column' : catalogColumn;
  }

  /**
   * Returns whether the column is known not to exist, so that rules on it protect nothing (platform-facts.md, 3.1).
   */
  isMissing(table: string, column: string): boolean {
    return typeof this.find(table, column) === 'string';
  }

  /**
   * Returns the most similar existing name: that of a table if the table is missing, otherwise that of one of its
   * columns. Returns `undefined` if no name is similar.
   */
  findClosest(table: string, column: string): string | undefined {
    const knownTable = this.#tables.get(table);
    return knownTable === undefined
      ? findClosestNames(table, [...this.#tables.keys()])[0]
      : findClosestNames(column, [...knownTable.columns.keys()])[0];
  }
}
