import type { Catalog, CatalogColumn } from '../sql/language.ts';

/**
 * The names of a datamodel as rules refer to them: all string fields are case sensitive
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
   * The column, or which of its names is unknown; `undefined` if that cannot be decided: the catalog is incomplete, or
   * lists the table without any columns, like a custom table before its first build.
   */
  find(table: string, column?: string): CatalogColumn | 'unknown-table' | 'unknown-column' | undefined {
    const columns = this.#tables.get(table);
    if (columns === undefined) {
      return this.#complete ? 'unknown-table' : undefined;
    }
    const known = column === undefined ? undefined : columns.get(column);
    const isUnknown = known === undefined && column !== undefined && this.#complete && columns.size > 0;
    return isUnknown ? 'unknown-column' : known;
  }

  /**
   * True if rules on the column are known to protect nothing because the column does not exist
   * (platform-facts.md, 3.1).
   */
  isMissing(table: string, column: string): boolean {
    return typeof this.find(table, column) === 'string';
  }
}
