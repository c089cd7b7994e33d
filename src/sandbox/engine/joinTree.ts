import type { CubeMeta, CubeTable } from './cubeMeta.ts';
import { nameKey } from './names.ts';

/** Columns of two tables that must be equal, all of them. */
type ColumnPairs = readonly (readonly [own: string, other: string])[];

/** A table in a tree of joins. */
export interface JoinNode {
  readonly table: CubeTable;
  readonly parent: JoinNode | undefined;
  /** Columns of this table and of the parent; empty at the root. */
  readonly pairs: ColumnPairs;
  readonly children: JoinNode[];
}

/** The neighbours of each table by relations (spec, "Relation"); several relations between two tables all hold. */
function neighbours(meta: CubeMeta): ReadonlyMap<string, ReadonlyMap<string, ColumnPairs>> {
  const links = new Map<string, Map<string, (readonly [string, string])[]>>();
  for (const { ends } of meta.relations) {
    for (const own of ends) {
      for (const other of ends.filter((end) => nameKey(end.table) !== nameKey(own.table))) {
        const from = links.get(nameKey(own.table)) ?? new Map<string, (readonly [string, string])[]>();
        links.set(nameKey(own.table), from);
        const pairs = from.get(nameKey(other.table)) ?? [];
        from.set(nameKey(other.table), [...pairs, [own.column, other.column]]);
      }
    }
  }
  return links;
}

/**
 * The trees of shortest join paths that hold the given tables, each as its nodes from the root outward. Where
 * relations form a circle, the longer way round is left out.
 */
export function joinTrees(meta: CubeMeta, roots: Iterable<string>): readonly (readonly JoinNode[])[] {
  const tables = new Map(meta.tables.map((table) => [nameKey(table.name), table]));
  const links = neighbours(meta);
  const reached = new Set<string>();
  const grow = (root: CubeTable): JoinNode[] => {
    reached.add(nameKey(root.name));
    const nodes: JoinNode[] = [{ table: root, parent: undefined, pairs: [], children: [] }];
    // An array that grows while it is walked is a queue: breadth first, so paths are the shortest.
    for (const parent of nodes) {
      for (const [key, pairs] of links.get(nameKey(parent.table.name)) ?? []) {
        const table = tables.get(key);
        if (table !== undefined && !reached.has(key)) {
          reached.add(key);
          const turned = pairs.map(([own, other]) => [other, own] as const);
          const node = { table, parent, pairs: turned, children: [] };
          parent.children.push(node);
          nodes.push(node);
        }
      }
    }
    return nodes;
  };
  const trees: JoinNode[][] = [];
  for (const key of roots) {
    const root = tables.get(key);
    if (root !== undefined && !reached.has(key)) {
      trees.push(grow(root));
    }
  }
  return trees;
}
