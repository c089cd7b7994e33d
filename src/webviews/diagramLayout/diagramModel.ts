export interface DiagramColumn {
  /** The column's oid; if the platform reports none, its index in the table, which no relation can name. */
  readonly id: string;
  readonly name: string;
  readonly type?: string;
  /** True if a relation uses it. */
  readonly isKey: boolean;
  readonly isCustom: boolean;
  readonly isHidden: boolean;
  /** True if it has data security rules. */
  readonly isSecured: boolean;
  /** True if a relation may use it. */
  readonly canRelate: boolean;
}

export interface DiagramTable {
  readonly id: string;
  readonly datasetId: string;
  readonly dataset: string;
  readonly name: string;
  readonly isCustom: boolean;
  readonly isHidden: boolean;
  readonly isSecured: boolean;
  /** Columns of relations come first; otherwise in the order of the table. */
  readonly columns: readonly DiagramColumn[];
}

/** One end of a relation. Without a column if the table no longer has it. */
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
  readonly droppedRelations: number;
}

/** The tables that each table has a relation with, besides itself. */
export function getRelatedTables(
  relations: readonly DiagramRelation[],
): ReadonlyMap<string, ReadonlySet<string>> {
  const related = new Map<string, Set<string>>();
  for (const { ends } of relations) {
    for (const { table } of ends) {
      const others = related.get(table) ?? new Set();
      ends.forEach((end) => end.table !== table && others.add(end.table));
      related.set(table, others);
    }
  }
  return related;
}
