export interface DiagramColumn {
  /** The column's oid; where the platform tells none, its place in the table, which no relation can name. */
  readonly id: string;
  readonly name: string;
  readonly type?: string;
  /** True where a relation goes through it. */
  readonly isKey: boolean;
  readonly isCustom: boolean;
  readonly isHidden: boolean;
  /** True where data security rules are on it. */
  readonly isSecured: boolean;
  /** True where a relation may name it. */
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
  /** Those that relations go through come first; else in the order of the table. */
  readonly columns: readonly DiagramColumn[];
}

/** One end of a relation. Without a column where the table no longer has it. */
export interface DiagramEnd {
  readonly table: string;
  readonly column?: string;
}

export interface DiagramRelation {
  readonly id: string;
  readonly ends: readonly DiagramEnd[];
}

/** The tables and relations of a datamodel, as a picture shows them. */
export interface DiagramModel {
  readonly tables: readonly DiagramTable[];
  readonly relations: readonly DiagramRelation[];
  /** How many relations cannot be drawn, since fewer than two of their tables are there. */
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
