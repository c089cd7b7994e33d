/** A column of the datamodel; `type` is the platform's type code. */
export interface CatalogColumn {
  readonly name: string;
  readonly type?: number;
  readonly hidden?: boolean;
}

export interface CatalogTable {
  readonly name: string;
  readonly columns: readonly CatalogColumn[];
  /**
   * There may be more columns than these: then none is reported as unknown. The same applies to a table without any.
   */
  readonly open?: boolean;
}

/** Columns that a relation of the datamodel joins; two or more ends that all have the same values. */
export interface CatalogRelation {
  readonly columns: readonly { readonly table: string; readonly column: string }[];
}

/** The known tables and relations of a datamodel. While it is not `complete`, no name is reported as unknown. */
export interface Catalog {
  complete: boolean;
  tables: readonly CatalogTable[];
  /** If present, join conditions are proposed from them. */
  relations?: readonly CatalogRelation[];
}
