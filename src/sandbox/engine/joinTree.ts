import type { CubeMeta, CubeTable } from './cubeMeta.ts';
import { toSqlNameKey } from './sqlNames.ts';

/** Pairs of columns of two tables that must all be equal. */
type ColumnPairs = readonly (readonly [own: string, other: string])[];

/** A table in a tree of joins. */
export interface JoinNode {
  readonly table: CubeTable;
  readonly parent: JoinNode | undefined;
  /** The join columns of this table and of the parent; empty at the root. */
  readonly pairs: ColumnPairs;
  readonly children: JoinNode[];
}

/**
 * Returns the tables that each table joins, with the column pairs of the relations (rest-api.md, "Relation"). If
 * several relations link two tables, the join requires the columns of every pair to be equal.
 */
function getJoinLinks(meta: CubeMeta): ReadonlyMap<string, ReadonlyMap<string, ColumnPairs>> {
  const links = new Map<string, Map<string, (readonly [string, string])[]>>();
  for (const { ends } of meta.relations) {
    for (const sourceEnd of ends) {
      for (const targetEnd of ends.filter(
        (end) => toSqlNameKey(end.table) !== toSqlNameKey(sourceEnd.table),
      )) {
        const neighbors =
          links.get(toSqlNameKey(sourceEnd.table)) ?? new Map<string, (readonly [string, string])[]>();
        links.set(toSqlNameKey(sourceEnd.table), neighbors);
        const pairs = neighbors.get(toSqlNameKey(targetEnd.table)) ?? [];
        neighbors.set(toSqlNameKey(targetEnd.table), [...pairs, [sourceEnd.column, targetEnd.column]]);
      }
    }
  }
  return links;
}

/**
 * Creates the trees of shortest join paths that contain the given tables, by the keys of their names. Each tree is a
 * list of nodes in breadth-first order. Where relations form a cycle, the longer path is omitted.
 */
export function createJoinTrees(
  meta: CubeMeta,
  rootKeys: Iterable<string>,
): readonly (readonly JoinNode[])[] {
  const tables = new Map(meta.tables.map((table) => [toSqlNameKey(table.name), table]));
  const links = getJoinLinks(meta);
  const visitedKeys = new Set<string>();
  const createTree = (root: CubeTable): JoinNode[] => {
    visitedKeys.add(toSqlNameKey(root.name));
    const nodes: JoinNode[] = [{ table: root, parent: undefined, pairs: [], children: [] }];
    // Breadth-first search: the loop also visits nodes that are appended here, so paths are the shortest.
    for (const parent of nodes) {
      for (const [key, pairs] of links.get(toSqlNameKey(parent.table.name)) ?? []) {
        const table = tables.get(key);
        if (table !== undefined && !visitedKeys.has(key)) {
          visitedKeys.add(key);
          const reversedPairs = pairs.map(([ownColumn, otherColumn]) => [otherColumn, ownColumn] as const);
          const node = { table, parent, pairs: reversedPairs, children: [] };
          parent.children.push(node);
          nodes.push(node);
        }
      }
    }
    return nodes;
  };
  const trees: JoinNode[][] = [];
  for (const key of rootKeys) {
    const root = tables.get(key);
    if (root !== undefined && !visitedKeys.has(key)) {
      trees.push(createTree(root));
    }
  }
  return trees;
}
