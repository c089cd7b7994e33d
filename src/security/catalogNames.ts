import type { Catalog, CatalogColumn } from '../sql/language.ts';

/**
 * Looks up the table and column names in rules, which are case sensitive like all their string fields
 * (rest-api.md, "Data security rule" 2).
 */
export class CatalogNames {
  readonly #complete: boolean;
  readonly #tables: ReadonlyMap<string, ReadonlyMap<string, CatalogColumn>>;

  constructor(catalog: Catalog) {
    this.#complete = catalog.complete;
    this.#tables = new Map(
      catalog.tables.map(({ name, columns }) => [
        name,
        new Map(columns.map((column) => [column.name, column])),
      ]),
    );
  }

  /**
   * Returns the column, or which of the names does not exist. Returns `undefined` if that can't be decided: because no
   * column is given, the catalog is incomplete, or the table has no columns, like a custom table before its first
   * build.
   */
  find(table: string, column?: string): CatalogColumn | 'unknown-table' | 'unknown-column' | undefined {
    const columns = this.#tables.get(table);
    if (columns === undefined) {
      return this.#complete ? 'unknown-table' : undefined;
    }
    const catalogColumn = column === undefined ? undefined : columns.get(column);
    const isUnknown =
      catalogColumn === undefined && column !== undefined && this.#complete && columns.size > 0;
    return isUnknown ? 'unknown-column' : catalogColumn;
  }

  /**
   * Returns whether the column is known not to exist, so that rules on it protect nothing (platform-facts.md, 3.1).
   */
  isMissing(table: string, column: string): boolean {
    return typeof this.find(table, column) === 'string';
  }
}
