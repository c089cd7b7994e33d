export interface DiagramColumn {
  /** The oid of the column; without an oid, `#` and its index in the table, which no relation refers to. */
  readonly id: string;
  readonly name: string;
  readonly type?: string;
  /** True if a relation uses the column. */
  readonly isInRelation: boolean;
  readonly isCustom: boolean;
  readonly isHidden: boolean;
  /** True if the column has data security rules. */
  readonly isSecured: boolean;
  /** True if a relation can be created with the column: it has an oid. */
  readonly canRelate: boolean;
}

export interface DiagramTable {
  readonly id: string;
  readonly datasetId: string;
  /** The name of the dataset; its ID if it has no name. */
  readonly dataset: string;
  readonly name: string;
  readonly isCustom: boolean;
  readonly isHidden: boolean;
  readonly isSecured: boolean;
  /** Columns that relations use come first; otherwise, in the order of the table. */
  readonly columns: readonly DiagramColumn[];
}

/** One end of a relation; without a column if the table does not contain it. */
export interface DiagramEnd {
  readonly table: string;
  readonly column?: string;
}

export interface DiagramRelation {
  readonly id: string;
  readonly ends: readonly DiagramEnd[];
}

/** The tables and relations of a datamodel, as a diagram shows them. */
export interface DiagramModel {
  readonly tables: readonly DiagramTable[];
  readonly relations: readonly DiagramRelation[];
  /** The number of relations that cannot be drawn, because fewer than two of their tables exist. */
  readonly undrawnRelationCount: number;
}

/** Returns, for each table, the IDs of the other tables that it has a relation with. */
export function getRelatedTables(
  relations: readonly DiagramRelation[],
): ReadonlyMap<string, ReadonlySet<string>> {
  const related = new Map<string, Set<string>>();
  for (const { ends } of relations) {
    for (const { table } of ends) {
      const relatedIds = related.get(table) ?? new Set();
      ends.forEach((end) => end.table !== table && relatedIds.add(end.table));
      related.set(table, relatedIds);
    }
  }
  return related;
}
