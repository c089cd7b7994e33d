/** A column of the datamodel. `type` is the type code of the platform. */
export interface CatalogColumn {
  readonly name: string;
  readonly type?: number;
  readonly hidden?: boolean;
}

export interface CatalogTable {
  readonly name: string;
  readonly columns: readonly CatalogColumn[];
  /**
   * True if the table may have more columns, so that no column is reported as unknown. A table without any columns is
   * treated the same way.
   */
  readonly open?: boolean;
}

/** A relation of the datamodel: two or more columns that are joined with each other. */
export interface CatalogRelation {
  readonly columns: readonly { readonly table: string; readonly column: string }[];
}

/** The known tables and relations of a datamodel. Unless it is `complete`, no name is reported as unknown. */
export interface Catalog {
  complete: boolean;
  tables: readonly CatalogTable[];
  /** Used to propose join conditions. */
  relations?: readonly CatalogRelation[];
}
