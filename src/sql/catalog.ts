/** A column as the datamodel has it; `type` is the platform's type code. */
export interface CatalogColumn {
  readonly name: string;
  readonly type?: number;
  readonly hidden?: boolean;
}

export interface CatalogTable {
  readonly name: string;
  readonly columns: readonly CatalogColumn[];
  /** There may be columns beyond these: then none is reported as unknown. So it is with a table without any. */
  readonly open?: boolean;
}

/** Columns that a relation of the datamodel joins; two or more ends that all hold the same values. */
export interface CatalogRelation {
  readonly columns: readonly { readonly table: string; readonly column: string }[];
}

/** What is known of a datamodel. While it is not `complete`, no name is reported as unknown. */
export interface Catalog {
  complete: boolean;
  tables: readonly CatalogTable[];
  /** When given, join conditions are proposed from them. */
  relations?: readonly CatalogRelation[];
}
