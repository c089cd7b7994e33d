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
   * Returns the column, or which of the names does not exist. Returns `undefined` if that can't be decided: because no
   * column is given, the catalog is incomplete, or the table may have more columns, like a custom table before its
   * first build.
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

  /** Returns the name that is most similar to a missing one: of a table, or of a column of an existing table. */
  findClosest(table: string, column: string): string | undefined {
    const knownTable = this.#tables.get(table);
    return knownTable === undefined
      ? findClosestNames(table, [...this.#tables.keys()])[0]
      : findClosestNames(column, [...knownTable.columns.keys()])[0];
  }
}
